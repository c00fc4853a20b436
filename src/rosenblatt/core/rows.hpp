// Rows of examples, as an algorithm sees them: a dot product, an addition, and nothing else.
//
// The algorithms of this folder are written once; what differs between dense and sparse storage stands here. An order
// of summation is part of the contract: it never depends on the machine or the number of problems, so that a run walks
// the same path everywhere. Dense rows sum in the sixteen lanes of lanes.hpp, CSR rows sum their entries in four. No
// operation is fused (-ffp-contract=off), so SSE2, AVX2, AVX-512 and NEON give the same bits.
//
// Several problems can share a row (one against the rest). Each storage keeps their weights as suits it:
// dense one vector a problem, CSR one block of all problems a feature.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lanes.hpp"
#include "views.hpp"

#ifndef ROSENBLATT_ISA
#error "rows.hpp is compiled once per instruction set: define ROSENBLATT_ISA"
#endif

// Into the second-level cache: it can wait for more lines at once than the first, and a row comes in many.
// A function that only prefetches looks pure to GCC 12, which then drops the call unless it is inlined by force.
#if defined(__GNUC__)
#define ROSENBLATT_PREFETCH(address) __builtin_prefetch(address, 0, 2)
#define ROSENBLATT_INLINE __attribute__((always_inline)) inline
#else
#define ROSENBLATT_PREFETCH(address) ((void)(address))
#define ROSENBLATT_INLINE inline
#endif

namespace rosenblatt::ROSENBLATT_ISA {

template <class Value>
class DenseRows {
   public:
    explicit DenseRows(const RowsView& view)
        : values_(static_cast<const Value*>(view.values)), stride_(view.stride), features_(view.features) {}

    static constexpr bool problem_major = true;

    // scores[c] = w_c . x_i for every problem c, without the offset.
    void scores(std::size_t i, const Weights& weights, std::size_t problems, double* scores) const {
        const Value* x = values_ + static_cast<std::ptrdiff_t>(i) * stride_;
        const double* w = weights.data;
        std::size_t c = 0;
        for (; c + kTogether <= problems; c += kTogether)
            dots<kTogether>(x, w + c * weights.stride, weights.stride, scores + c);
        for (; c < problems; ++c) dots<1>(x, w + c * weights.stride, weights.stride, scores + c);
    }

    // w_c += scale * x_i
    void add(std::size_t i, double scale, const Weights& weights, std::size_t c) const {
        const Value* x = values_ + static_cast<std::ptrdiff_t>(i) * stride_;
        double* w = weights.data + c * weights.stride;
        for (std::size_t j = 0; j < features_; ++j) w[j] += scale * static_cast<double>(x[j]);
        if (!has_tail(features_)) return;
        // The same additions once more, rather than a copy: reading what was just written would wait for it.
        double* tail = tail_of(w, features_);
        const Value* last = x + features_ - kLanes;
        const std::size_t begin = tail_begin(features_);
        for (std::size_t l = 0; l < kLanes; ++l) {
            const double sum = tail[l] + scale * static_cast<double>(last[l]);
            tail[l] = l < begin ? 0.0 : sum;
        }
    }

    ROSENBLATT_INLINE void prefetch(std::size_t i) const {
        const char* row = reinterpret_cast<const char*>(values_ + static_cast<std::ptrdiff_t>(i) * stride_);
        const std::size_t bytes = features_ * sizeof(Value);
        // A long row's later lines are left to the hardware, which has seen the pattern by then.
        for (std::size_t at = 0; at < bytes && at < kPrefetchBytes; at += 64) ROSENBLATT_PREFETCH(row + at);
        ROSENBLATT_PREFETCH(row + (bytes < kPrefetchBytes ? bytes : kPrefetchBytes) - 1);
    }

   private:
    static constexpr std::size_t kPrefetchBytes = 1024;

    // Problems whose accumulators fit into the registers side by side, so that a value is loaded once for all.
    static constexpr std::size_t kTogether = kWidth == 8 ? 4 : 2;

    template <std::size_t Count>
    void dots(const Value* x, const double* w, std::size_t stride, double* out) const {
        if (features_ < kLanes) {
            for (std::size_t c = 0; c < Count; ++c) out[c] = short_dot(x, w + c * stride, features_);
            return;
        }
        Lanes lanes[Count];
        std::size_t j = 0;
        for (; j + kLanes <= features_; j += kLanes)
            for (std::size_t c = 0; c < Count; ++c) lanes[c].take(x + j, w + c * stride + j);
        if (j < features_)
            for (std::size_t c = 0; c < Count; ++c)
                lanes[c].take(x + features_ - kLanes, tail_of(w + c * stride, features_));
        for (std::size_t c = 0; c < Count; ++c) out[c] = lanes[c].fold();
    }

    const Value* values_;
    std::ptrdiff_t stride_;
    std::size_t features_;
};

template <class Value, class Index>
class CsrRows {
   public:
    explicit CsrRows(const RowsView& view)
        : values_(static_cast<const Value*>(view.values)),
          indices_(static_cast<const Index*>(view.indices)),
          starts_(static_cast<const Index*>(view.starts)) {}

    static constexpr bool problem_major = false;

    void scores(std::size_t i, const Weights& weights, std::size_t problems, double* scores) const {
        const std::size_t begin = static_cast<std::size_t>(starts_[i]);
        const std::size_t end = static_cast<std::size_t>(starts_[i + 1]);
        if (problems == 1)
            scores[0] = dots<1>(begin, end, weights.data, weights.stride, scores);
        else
            for (std::size_t c = 0; c < problems; c += kBlock)
                dots<kBlock>(begin, end, weights.data + c, weights.stride, scores + c);
    }

    void add(std::size_t i, double scale, const Weights& weights, std::size_t c) const {
        double* w = weights.data + c;
        for (auto k = static_cast<std::size_t>(starts_[i]); k < static_cast<std::size_t>(starts_[i + 1]); ++k)
            w[static_cast<std::size_t>(indices_[k]) * weights.stride] += scale * static_cast<double>(values_[k]);
    }

    ROSENBLATT_INLINE void prefetch(std::size_t i) const {
        const auto begin = static_cast<std::size_t>(starts_[i]);
        const auto end = static_cast<std::size_t>(starts_[i + 1]);
        for (std::size_t k = begin; k < end && k < begin + kPrefetchEntries; k += 64 / sizeof(Value))
            ROSENBLATT_PREFETCH(values_ + k);
        for (std::size_t k = begin; k < end && k < begin + kPrefetchEntries; k += 64 / sizeof(Index))
            ROSENBLATT_PREFETCH(indices_ + k);
    }

   private:
    static constexpr std::size_t kPrefetchEntries = 256;
    static constexpr int kBlock = kProblemBlock;

    // Four lanes of `Count` problems each; writes out[0..Count) and returns out[0].
    template <int Count>
    double dots(std::size_t begin, std::size_t end, const double* w, std::size_t stride, double* out) const {
        double lanes[4][Count] = {};
        const auto take = [&](double* lane, std::size_t k) {
            const double value = static_cast<double>(values_[k]);
            const double* block = w + static_cast<std::size_t>(indices_[k]) * stride;
            for (int c = 0; c < Count; ++c) lane[c] += value * block[c];
        };
        std::size_t k = begin;
        for (; k + 4 <= end; k += 4) {
            take(lanes[0], k);
            take(lanes[1], k + 1);
            take(lanes[2], k + 2);
            take(lanes[3], k + 3);
        }
        if (k < end) take(lanes[0], k);
        if (k + 1 < end) take(lanes[1], k + 1);
        if (k + 2 < end) take(lanes[2], k + 2);
        for (int c = 0; c < Count; ++c) out[c] = (lanes[0][c] + lanes[2][c]) + (lanes[1][c] + lanes[3][c]);
        return out[0];
    }

    const Value* values_;
    const Index* indices_;
    const Index* starts_;
};

// Calls `use` with the rows in their own type.
template <class Use>
auto with_rows(const RowsView& view, Use use) {
    switch (view.storage) {
        case Storage::dense32: return use(DenseRows<float>(view));
        case Storage::dense64: return use(DenseRows<double>(view));
        case Storage::csr32_i32: return use(CsrRows<float, std::int32_t>(view));
        case Storage::csr32_i64: return use(CsrRows<float, std::int64_t>(view));
        case Storage::csr64_i32: return use(CsrRows<double, std::int32_t>(view));
        default: return use(CsrRows<double, std::int64_t>(view));
    }
}

}  // namespace rosenblatt::ROSENBLATT_ISA
