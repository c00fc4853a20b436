// The kernels of both threads (speculative_view.hpp).
#pragma once

#include <math.h>

#include "accelerate/speculative/speculative_view.hpp"
#include "passes/online_pass.hpp"

namespace rosenblatt::ROSENBLATT_ISA {

// |x~|, rounded up; infinite if no bound is known.
template <class Value>
double augmented_length(const DenseRows<Value>& rows, std::size_t i) {
    const Value* x = rows.row(i);
    const std::size_t features = rows.features();
    Register sums[2] = {};
    std::size_t j = 0;
    for (; j + 2 * kWidth <= features; j += 2 * kWidth)
        for (std::size_t p = 0; p < 2; ++p) {
            const Register values = load(x + j + p * kWidth);
            sums[p] += values * values;
        }
    double sum = 1 + total(sums[0] + sums[1]);
    for (; j < features; ++j) sum += static_cast<double>(x[j]) * static_cast<double>(x[j]);
    return kRoundUp * sqrt(sum);
}

// The entries of a column that is stored twice are summed, and the length of a sum may exceed the root of the sum of squares.
// So a row whose columns do not ascend has the sum of magnitudes as its bound.
template <class Value, class Index>
double augmented_length(const CsrRows<Value, Index>& rows, std::size_t i) {
    double squares = 1, magnitudes = 1;
    bool ascending = true;
    for (std::size_t k = rows.begin(i); k < rows.end(i); ++k) {
        const double value = static_cast<double>(rows.value(k));
        squares += value * value;
        magnitudes += value < 0 ? -value : value;
        ascending &= k == rows.begin(i) || rows.feature(k - 1) < rows.feature(k);
    }
    if (!ascending && rows.end(i) - rows.begin(i) > kMaxLogged) return HUGE_VAL;  // kappa may not cover its roundings
    return kRoundUp * (ascending ? sqrt(squares) : magnitudes);
}

// CSR rows in file order are prefetched a few entries at a time, while they are scored.
template <class Rows>
constexpr bool streams(const Segment& segment) {
    return !Rows::kDense && !segment.order;
}

template <class Rows>
ROSENBLATT_INLINE double segment_score(const Rows& rows, const Weights& weights, const Segment& segment, std::size_t i) {
    if constexpr (!Rows::kDense) {
        if (streams<Rows>(segment)) {
            const std::uint64_t next = segment.block_end + segment.skip;
            const std::size_t skip = next < segment.stretch_end ? rows.stream_skip(i, segment.block_end, next) : 0;
            return rows.template score<true>(i, weights, skip);
        }
    }
    return rows.score(i, weights);
}

// Rows beyond the block are prefetched where this thread goes on.
template <class Rows>
ROSENBLATT_INLINE void prefetch_segment(const Rows& rows, const std::int32_t* labels, const Segment& segment, std::uint64_t k) {
    constexpr std::uint64_t kAhead = Rows::kDense ? 12 : 8;
    const auto position = [&](std::uint64_t at) { return at < segment.block_end ? at : at + segment.skip; };
    if (streams<Rows>(segment)) return;
    if (segment.order) {
        const std::uint64_t far = position(k + 2 * kAhead), near = position(k + kAhead);
        if (far >= segment.stretch_end) return;
        rows.prefetch_place(segment.order[far]);
        rows.prefetch(segment.order[near]);
        ROSENBLATT_PREFETCH(labels + segment.order[near]);
    } else {
        constexpr std::uint64_t kInOrder = 32;  // at most one block
        const std::uint64_t near = position(k + kInOrder);
        if (near < segment.stretch_end) rows.prefetch(near);
    }
}

// Prefetches the weights of a later row, for CSR rows whose weights exceed the cache.
template <class Rows>
ROSENBLATT_INLINE void prefetch_far_weights(const Rows& rows, const Weights& weights, const Segment& segment, std::uint64_t k) {
    constexpr std::uint64_t kWeightsAhead = 2;
    if (k + kWeightsAhead < segment.end)
        rows.prefetch_weights(segment.order ? segment.order[k + kWeightsAhead] : k + kWeightsAhead, weights);
}

// Writes the allowance of each position of the segment. A comparison with it is false if it is NaN.
template <class Rows>
void prove_segment(const Rows& rows, const std::int32_t* labels, const Segment& segment, const Weights& weights,
                   const ProofTask& task, float* allowances) {
    constexpr double kFar = 1e300;
    constexpr double kMost = 1e37;  // a float holds it
    const bool far_weights = rows.far_weights(segment.order);
    for (std::uint64_t k = segment.begin; k < segment.end; ++k) {
        prefetch_segment(rows, labels, segment, k);
        if (far_weights) prefetch_far_weights(rows, weights, segment, k);
        const std::size_t i = segment.order ? segment.order[k] : k;
        const double dot = segment_score(rows, weights, segment, i);
        const double agreement = sign_of(labels[i] == task.positive) * (dot + weights.offsets[0]);
        double length = static_cast<double>(task.lengths[i]);
        if (length == 0) {
            length = augmented_length(rows, i) * kRoundUp;
            task.lengths[i] = static_cast<float>(length);
        }
        const double allowance = (agreement - task.margin) / length - task.kappa * task.weights_length;
        const bool finite = agreement <= kFar && task.weights_length * length <= kFar;
        const double rounded = (allowance < kMost ? allowance : kMost) / kRoundUp;
        *allowances++ = finite ? static_cast<float>(rounded) : -1.0F;
    }
}

// Presents the positions of the segment up to the first update, except those whose allowance exceeds `moved`; without
// allowances (null), all of them. Returns the position after the last one presented, and describes the update.
template <class Rows>
std::uint64_t present_segment(const Rows& rows, const Examples& examples, const Presentation& at, const Segment& segment,
                              const Rule& rule, const Planes& planes, Problem& problem, const float* allowances, float moved,
                              SegmentResult& found) {
    const Rows local_rows = rows;
    const Weights weights = planes.weights;
    const std::int32_t* labels = examples.labels;
    const std::int32_t positive = problem.positive;
    const double margin = rule.margin;
    const bool far_weights = local_rows.far_weights(segment.order);
    if (allowances)
        for (std::uint64_t k = segment.begin; k < segment.end; ++k)
            if (!(allowances[k - segment.begin] > moved)) local_rows.prefetch(segment.order ? segment.order[k] : k);
    for (std::uint64_t k = segment.begin; k < segment.end; ++k) {
        const std::size_t i = segment.order ? segment.order[k] : k;
        if (allowances) {
            if (allowances[k - segment.begin] > moved) {
                advance_clock(examples, at, i);
                continue;
            }
        } else {
            prefetch_segment(local_rows, labels, segment, k);
            if (far_weights) prefetch_far_weights(local_rows, weights, segment, k);
        }
        const double dot = segment_score(local_rows, weights, segment, i);
        found.scored += 1;
        const double sign = sign_of(labels[i] == positive);
        const double agreement = sign * (dot + weights.offsets[0]);
        if (agreement > margin && agreement <= kLargest) {
            advance_clock(examples, at, i);
            continue;
        }
        const Verdict verdict = present_example(rows, examples, at, rule, planes, &problem, 0, i, dot, moment_of(examples, at, k, i));
        if (verdict == Verdict::correct) continue;
        if (verdict == Verdict::mistake)
            found.update = {static_cast<std::uint32_t>(i), sign * scale_of(rows, examples, rule, i, agreement, 1.0),
                            augmented_length(rows, i)};
        return k + 1;
    }
    return segment.end;
}

}  // namespace rosenblatt::ROSENBLATT_ISA
