// The operations of compat_pass.hpp that differ between dense and CSR rows. Weights of `Value` precision are stored as doubles.
#pragma once

#include <math.h>

#include <cstddef>
#include <cstdint>

#include "compat/compat.hpp"
#include "rows/rows.hpp"

namespace rosenblatt::ROSENBLATT_ISA {

// Makes the tail of a dense weight vector agree with it again.
inline void renew_tail(double* w, std::size_t features) {
    if (!has_tail(features)) return;
    double* tail = tail_of(w, features);
    for (std::size_t l = tail_begin(features); l < kLanes; ++l) tail[l] = w[features - kLanes + l];
}

template <class Value>
struct DenseSteps {
    using Rows = DenseRows<Value>;
    using value_type = Value;

    static std::size_t count(const Rows& rows, std::size_t) { return rows.features(); }

    // Prefetches long rows completely: a single problem is limited by memory, and the hardware prefetcher stops at the end of
    // a page.
    static std::uint64_t ahead(const Rows& rows) { return rows.features() * sizeof(Value) > 1024 ? 4 : 8; }
    static ROSENBLATT_INLINE void prefetch(const Rows& rows, std::size_t i) {
        const char* line = reinterpret_cast<const char*>(rows.row(i));
        const std::size_t bytes = rows.features() * sizeof(Value);
        constexpr std::size_t kMost = 8192;
        for (std::size_t at = 0; at < bytes && at < kMost; at += 64) ROSENBLATT_PREFETCH(line + at);
        ROSENBLATT_PREFETCH(line + (bytes < kMost ? bytes : kMost) - 1);
    }

    // Calls visit(j, x_j) for the features of an example, in order.
    template <class Visit>
    static ROSENBLATT_INLINE void visit(const Rows& rows, std::size_t i, Visit visit) {
        const Value* x = rows.row(i);
        for (std::size_t j = 0; j < rows.features(); ++j) visit(j, x[j]);
    }

    // w += change * x
    static void add(const Rows& rows, std::size_t i, double change, double largest_value, CompatProblem& problem) {
        const Value* x = rows.row(i);
        double* w = problem.weights.data;
        const std::size_t features = rows.features();
        for (std::size_t j = 0; j < features; ++j)
            w[j] = static_cast<Value>(w[j] + static_cast<double>(x[j]) * change);
        problem.largest = 1.0000002 * (problem.largest + fabs(change) * largest_value);  // exceeds any rounding
        if (!has_tail(features)) return;
        double* tail = tail_of(w, features);
        const Value* last = x + features - kLanes;
        const std::size_t begin = tail_begin(features);
        for (std::size_t l = 0; l < kLanes; ++l) {
            const double sum = static_cast<Value>(tail[l] + static_cast<double>(last[l]) * change);
            tail[l] = l < begin ? 0.0 : sum;
        }
    }

    static void settle(const Rows& rows, double* w) { renew_tail(w, rows.features()); }
};

template <class Value, class Index>
struct CsrSteps {
    using Rows = CsrRows<Value, Index>;
    using value_type = Value;

    static std::size_t count(const Rows& rows, std::size_t i) { return rows.end(i) - rows.begin(i); }

    static std::uint64_t ahead(const Rows&) { return 8; }
    static ROSENBLATT_INLINE void prefetch(const Rows& rows, std::size_t i) { rows.prefetch(i); }

    template <class Visit>
    static ROSENBLATT_INLINE void visit(const Rows& rows, std::size_t i, Visit visit) {
        for (std::size_t k = rows.begin(i); k < rows.end(i); ++k) visit(rows.feature(k), rows.value(k));
    }

    static void add(const Rows& rows, std::size_t i, double change, double, CompatProblem& problem) {
        double* w = problem.weights.data;
        // Four maxima: each waits for the one before it in its own lane only.
        double largest[4] = {problem.largest, 0, 0, 0};
        const auto add_entry = [&](std::size_t k, double& lane) {
            double& weight = w[rows.feature(k)];
            weight = static_cast<Value>(weight + static_cast<double>(rows.value(k)) * change);
            const double size = fabs(weight);
            lane = size > lane ? size : lane;
        };
        const std::size_t end = rows.end(i);
        std::size_t k = rows.begin(i);
        for (; k + 4 <= end; k += 4)
            for (std::size_t l = 0; l < 4; ++l) add_entry(k + l, largest[l]);
        for (; k < end; ++k) add_entry(k, largest[0]);
        for (std::size_t l = 1; l < 4; ++l) largest[0] = largest[l] > largest[0] ? largest[l] : largest[0];
        problem.largest = largest[0];
    }

    static void settle(const Rows&, double*) {}
};

template <class Rows>
struct StepsOf;
template <class Value>
struct StepsOf<DenseRows<Value>> : DenseSteps<Value> {};
template <class Value, class Index>
struct StepsOf<CsrRows<Value, Index>> : CsrSteps<Value, Index> {};

}  // namespace rosenblatt::ROSENBLATT_ISA
