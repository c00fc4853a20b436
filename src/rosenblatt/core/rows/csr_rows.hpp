// The row primitives of CSR storage (rows.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "rows/views.hpp"

#ifndef ROSENBLATT_ISA
#error "this header is compiled once per instruction set: define ROSENBLATT_ISA"
#endif

namespace rosenblatt::ROSENBLATT_ISA {

template <class Value, class Index>
class CsrRows {
   public:
    explicit CsrRows(const RowsView& view)
        : values_(static_cast<const Value*>(view.values)),
          indices_(static_cast<const Index*>(view.indices)),
          starts_(static_cast<const Index*>(view.starts)),
          weight_bytes_(view.features * sizeof(double)) {}

    static constexpr std::size_t kTogether = 1;  // rows share no weights
    static constexpr bool kDense = false;

    // Row i has the entries begin(i) <= k < end(i).
    std::size_t begin(std::size_t i) const { return static_cast<std::size_t>(starts_[i]); }
    std::size_t end(std::size_t i) const { return static_cast<std::size_t>(starts_[i + 1]); }
    std::size_t feature(std::size_t k) const { return static_cast<std::size_t>(indices_[k]); }
    Value value(std::size_t k) const { return values_[k]; }

    // `Streaming` prefetches a few entries at a time: prefetching a whole row at once would delay its weights. `skip` is added to the
    // position of what is prefetched.
    template <bool Streaming = false>
    ROSENBLATT_INLINE double score(std::size_t i, const Weights& weights, std::size_t skip = 0) const {
        double score;
        dots<1, Streaming>(begin(i), end(i), weights.data, 1, &score, skip);
        return score;
    }

    // The `skip` of row i if the rows from `stop` to `next` are not read.
    std::size_t stream_skip(std::size_t i, std::size_t stop, std::size_t next) const {
        return begin(i) + kStreamAhead < begin(stop) ? 0 : begin(next) - begin(stop);
    }

    void scores(std::size_t i, const Weights& weights, std::size_t first, std::size_t last, double* scores) const {
        const std::size_t begin = static_cast<std::size_t>(starts_[i]);
        const std::size_t end = static_cast<std::size_t>(starts_[i + 1]);
        if (weights.stride == 1)
            dots<1>(begin, end, weights.data, 1, scores);
        else
            for (std::size_t c = first / kBlock * kBlock; c < last; c += kBlock)
                dots<kBlock>(begin, end, weights.data + c, weights.stride, scores + c);
    }

    void scores_together(const std::size_t* examples, const Weights& weights, std::size_t planes, double* scores,
                         std::size_t) const {
        this->scores(examples[0], weights, 0, planes, scores);
    }

    void scores_of_plane(const std::size_t*, std::size_t, const Weights&, std::size_t, double*, std::size_t) const {}

    // w . x_i for one weight vector.
    double score_in_place(std::size_t i, const double* w) const {
        double score;
        dots<1>(begin(i), end(i), w, 1, &score);
        return score;
    }

    bool indices_fit(std::size_t first, std::size_t last, std::size_t features) const {
        Index least = 0, most = 0;  // no branch in the loop
        for (std::size_t k = begin(first); k < begin(last); ++k) {
            least = indices_[k] < least ? indices_[k] : least;
            most = indices_[k] > most ? indices_[k] : most;
        }
        return least >= 0 && static_cast<std::uint64_t>(most) < features;
    }

    void add(std::size_t i, double scale, const Weights& weights, std::size_t c) const {
        double* w = weights.data + c;
        for (auto k = static_cast<std::size_t>(starts_[i]); k < static_cast<std::size_t>(starts_[i + 1]); ++k)
            w[static_cast<std::size_t>(indices_[k]) * weights.stride] += scale * static_cast<double>(values_[k]);
    }

    // Requires that no column is stored twice: the square of a sum is not the sum of squares.
    double squared_length(std::size_t i) const {
        double sum = 0;
        for (auto k = static_cast<std::size_t>(starts_[i]); k < static_cast<std::size_t>(starts_[i + 1]); ++k)
            sum += static_cast<double>(values_[k]) * static_cast<double>(values_[k]);
        return sum;
    }

    ROSENBLATT_INLINE void prefetch(std::size_t i) const {
        const auto begin = static_cast<std::size_t>(starts_[i]);
        const auto end = static_cast<std::size_t>(starts_[i + 1]);
        for (std::size_t k = begin; k < end && k < begin + kPrefetchEntries; k += 64 / sizeof(Value))
            ROSENBLATT_PREFETCH(values_ + k);
        for (std::size_t k = begin; k < end && k < begin + kPrefetchEntries; k += 64 / sizeof(Index))
            ROSENBLATT_PREFETCH(indices_ + k);
        if (begin < end) {  // a row that starts within a cache line ends on one more
            ROSENBLATT_PREFETCH(values_ + end - 1);
            ROSENBLATT_PREFETCH(indices_ + end - 1);
        }
    }

    ROSENBLATT_INLINE void prefetch_place(std::size_t i) const { ROSENBLATT_PREFETCH(starts_ + i); }

    // In file order rows arrive faster, so prefetching weights pays only for larger weight vectors.
    bool far_weights(bool shuffled) const { return weight_bytes_ > (shuffled ? kNearBytes : kNearBytesInOrder); }

    // Prefetches the weights of row i, for a single plane.
    ROSENBLATT_INLINE void prefetch_weights(std::size_t i, const Weights& weights) const {
        for (std::size_t k = begin(i); k < end(i); ++k) ROSENBLATT_PREFETCH(weights.data + feature(k));
    }

    ROSENBLATT_INLINE void prefetch_stream(std::size_t) const {}

   private:
    static constexpr std::size_t kPrefetchEntries = 1024;
    static constexpr std::size_t kNearBytes = std::size_t{1} << 21;
    static constexpr std::size_t kNearBytesInOrder = std::size_t{1} << 22;
    static constexpr int kBlock = kPlaneBlock;

    static constexpr std::size_t kStreamAhead = 768;  // entries

    // Four lanes of `Count` planes each.
    template <int Count, bool Streaming = false>
    ROSENBLATT_INLINE void dots(std::size_t begin, std::size_t end, const double* w, std::size_t stride, double* out,
                                std::size_t skip = 0) const {
        double lanes[4][Count] = {};
        const auto take = [&](double* lane, std::size_t k) {
            const double value = static_cast<double>(values_[k]);
            const double* block = w + static_cast<std::size_t>(indices_[k]) * stride;
            for (int c = 0; c < Count; ++c) lane[c] += value * block[c];
        };
        std::size_t k = begin;
        for (; k + 4 <= end; k += 4) {
            if constexpr (Streaming) {
                ROSENBLATT_PREFETCH(values_ + k + kStreamAhead + skip);
                ROSENBLATT_PREFETCH(indices_ + k + kStreamAhead + skip);
            }
            take(lanes[0], k);
            take(lanes[1], k + 1);
            take(lanes[2], k + 2);
            take(lanes[3], k + 3);
        }
        if (k < end) take(lanes[0], k);
        if (k + 1 < end) take(lanes[1], k + 1);
        if (k + 2 < end) take(lanes[2], k + 2);
        for (int c = 0; c < Count; ++c) out[c] = (lanes[0][c] + lanes[2][c]) + (lanes[1][c] + lanes[3][c]);
    }

    const Value* values_;
    const Index* indices_;
    const Index* starts_;
    std::size_t weight_bytes_;
};

}  // namespace rosenblatt::ROSENBLATT_ISA
