// The row primitives of dense storage (rows.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "rows/views.hpp"
#include "simd/ordered_sum.hpp"
#include "simd/register_bits.hpp"

#ifndef ROSENBLATT_ISA
#error "this header is compiled once per instruction set: define ROSENBLATT_ISA"
#endif

namespace rosenblatt::ROSENBLATT_ISA {

template <class Value>
class DenseRows {
   public:
    using Number = Value;

    explicit DenseRows(const RowsView& view)
        : values_(static_cast<const Value*>(view.values)), stride_(view.stride), features_(view.features),
          prefetch_bytes_(features_ * sizeof(Value) < kPrefetchBytes ? features_ * sizeof(Value) : kPrefetchBytes) {}

    // The values of row i, for passes that need more than the primitives.
    const Value* row(std::size_t i) const { return values_ + static_cast<std::ptrdiff_t>(i) * stride_; }
    std::size_t features() const { return features_; }

    // Row i in registers: blocks of kLanes values, the last one aligned to the right.
    template <std::size_t Blocks>
    ROSENBLATT_INLINE void take(std::size_t i, Register (&packs)[Blocks][kRegisters]) const {
        const Value* x = row(i);
        const Value* last = x + features_ - kLanes;
        ROSENBLATT_UNROLL
        for (std::size_t b = 0; b < Blocks; ++b)
            ROSENBLATT_UNROLL
            for (std::size_t p = 0; p < kRegisters; ++p)
                packs[b][p] = load((b + 1 < Blocks ? x + b * kLanes : last) + p * kWidth);
    }

    // The number of examples that several planes score together: the weights exceed the first-level cache and are then read
    // once for all of them.
    static constexpr std::size_t kTogether = 4;
    static constexpr bool kDense = true;

    // w . x_i for a single plane, without the offset. `Streaming` rows follow each other in memory and are prefetched here.
    template <bool Streaming = false>
    ROSENBLATT_INLINE double score(std::size_t i, const Weights& weights, std::size_t = 0) const {
        return dot_with(i, weights.data);
    }

    // scores[c] = w_c . x_i for the planes first <= c < last, without the offsets.
    void scores(std::size_t i, const Weights& weights, std::size_t first, std::size_t last, double* scores) const {
        for (std::size_t c = first; c < last; ++c) scores[c] = dot_with(i, weights.data + c * weights.stride);
    }

    // scores[r * stride + c] for kTogether examples and all planes.
    void scores_together(const std::size_t* examples, const Weights& weights, std::size_t planes, double* scores,
                         std::size_t stride) const {
        std::size_t c = 0;
        if (features_ >= kLanes) {
            const Value* x[kTogether];
            for (std::size_t r = 0; r < kTogether; ++r) x[r] = row(examples[r]);
            for (; c + 2 <= planes; c += 2) {
                double pairs[kTogether * 2];
                tile<kTogether, 2, kSweep>(x, weights.data + c * weights.stride, weights.stride, features_, pairs);
                for (std::size_t r = 0; r < kTogether; ++r) {
                    scores[r * stride + c] = pairs[2 * r];
                    scores[r * stride + c + 1] = pairs[2 * r + 1];
                }
            }
        }
        for (std::size_t r = 0; r < kTogether; ++r) this->scores(examples[r], weights, c, planes, scores + r * stride);
    }

    // scores[r * stride + c] for fewer than kTogether examples and one plane.
    void scores_of_plane(const std::size_t* examples, std::size_t count, const Weights& weights, std::size_t c,
                         double* scores, std::size_t stride) const {
        if (features_ >= kLanes && count == 3)
            tile_of_plane<3>(examples, weights, c, scores, stride);
        else if (features_ >= kLanes && count == 2)
            tile_of_plane<2>(examples, weights, c, scores, stride);
        else
            for (std::size_t r = 0; r < count; ++r) this->scores(examples[r], weights, c, c + 1, scores + r * stride);
    }

    // w . x_i for a weight vector without a tail.
    double score_in_place(std::size_t i, const double* w) const {
        if (features_ < kLanes) return short_dot(row(i), w, features_);
        double tail[kLanes] = {};
        for (std::size_t l = tail_begin(features_); l < kLanes; ++l) tail[l] = w[features_ - kLanes + l];
        return dot(row(i), w, tail, features_);
    }

    // w_c += scale * x_i
    ROSENBLATT_INLINE void add(std::size_t i, double scale, const Weights& weights, std::size_t c) const {
        const Value* x = row(i);
        double* w = weights.data + c * weights.stride;
        const Register scales = all(scale);
        std::size_t j = 0;
        for (; j + kWidth <= features_; j += kWidth) put(load(w + j) + scales * load(x + j), w + j);
        for (; j < features_; ++j) w[j] += scale * static_cast<double>(x[j]);
        if (!has_tail(features_)) return;
        // Repeats the additions instead of copying their results: a load of values just stored would stall.
        double* tail = tail_of(w, features_);
        const Value* last = x + features_ - kLanes;
        const std::size_t begin = tail_begin(features_);
        for (std::size_t l = 0; l < kLanes; l += kWidth)
            put(from_lane(l < begin ? begin - l : 0, load(tail + l) + scales * load(last + l)), tail + l);
    }

    // x_i . x_i, summed in the order of the features.
    double squared_length(std::size_t i) const {
        const Value* x = row(i);
        double sum = 0;
        for (std::size_t j = 0; j < features_; ++j) sum += static_cast<double>(x[j]) * static_cast<double>(x[j]);
        return sum;
    }

    ROSENBLATT_INLINE void prefetch(std::size_t i) const {
        const char* line = reinterpret_cast<const char*>(row(i));
        const char* const end = line + prefetch_bytes_;
        for (; line < end; line += 64) ROSENBLATT_PREFETCH(line);
        ROSENBLATT_PREFETCH(end - 1);
    }

    // Prefetches the row pointers of CSR rows; dense rows have none.
    ROSENBLATT_INLINE void prefetch_place(std::size_t) const {}

    // Whether the weights of a row should be prefetched: CSR rows gather them from all over the vector.
    static constexpr bool far_weights(bool) { return false; }
    ROSENBLATT_INLINE void prefetch_weights(std::size_t, const Weights&) const {}

    // Prefetches kStreamAhead bytes after the rows i ... i + kTogether - 1. The hardware prefetches one stream of rows, but
    // not several that are read at once.
    ROSENBLATT_INLINE void prefetch_stream(std::size_t i) const {
        const char* line = reinterpret_cast<const char*>(row(i)) + kStreamAhead;
        const std::size_t bytes = kTogether * features_ * sizeof(Value);
        for (std::size_t at = 0; at < bytes; at += 64) ROSENBLATT_PREFETCH(line + at);
    }

   private:
    static constexpr std::size_t kPrefetchBytes = 4096;
    static constexpr std::size_t kStreamAhead = 4096;

    ROSENBLATT_INLINE double dot_with(std::size_t i, const double* w) const {
        return features_ < kLanes ? short_dot(row(i), w, features_) : dot(row(i), w, features_);
    }

    template <std::size_t Count>
    void tile_of_plane(const std::size_t* examples, const Weights& weights, std::size_t c, double* scores,
                       std::size_t stride) const {
        const Value* x[Count];
        for (std::size_t r = 0; r < Count; ++r) x[r] = row(examples[r]);
        double dots[Count];
        tile<Count, 1, kSweep>(x, weights.data + c * weights.stride, weights.stride, features_, dots);
        for (std::size_t r = 0; r < Count; ++r) scores[r * stride + c] = dots[r];
    }

    // Registers of each of the eight sums that are accumulated in one sweep.
    static constexpr std::size_t kSweep = kWidth == 8 ? 2 : 1;

    const Value* values_;
    std::ptrdiff_t stride_;
    std::size_t features_;
    std::size_t prefetch_bytes_;  // the rest of a long row is left to the hardware prefetcher
};

}  // namespace rosenblatt::ROSENBLATT_ISA
