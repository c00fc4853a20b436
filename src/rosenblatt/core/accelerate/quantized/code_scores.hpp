// Scores quantized rows ahead of the pass: each example is proved correct or left undecided.
#pragma once

#include "accelerate/quantized/encode.hpp"
#include "passes/update.hpp"
#include "simd/kernels.hpp"
#include "simd/register_bits.hpp"

namespace rosenblatt::ROSENBLATT_ISA {

// Positions count from the beginning of the stretch; the results of the last 32 are kept.
class CodeScores {
   public:
    CodeScores(const QuantizedView& view, const std::int32_t* labels, const Presentation& at, std::size_t planes,
                 double margin)
        : codes_(view.rows), stride_(view.stride), planes_(view.planes), undecided_(view.undecided), labels_(labels),
          order_(at.order), begin_(at.begin), count_(planes), margin_(margin) {}

    std::size_t example(std::uint64_t k) const { return order_ ? order_[begin_ + k] : begin_ + k; }

    // Whether position k is undecided for problem c, or for any problem.
    bool undecided(std::uint64_t k, std::size_t c) const { return undecided_[c] >> k % kKept & 1; }
    bool any(std::uint64_t k) const { return any_ >> k % kKept & 1; }
    bool any(std::uint64_t first, std::uint64_t last) const { return any_ & bits(first, last); }

    // Scores positions first <= k < last for all planes.
    void score(std::uint64_t first, std::uint64_t last) {
        forget(any_, first, last);
        if (count_ == 1) return score(first, last, 0);
        for (std::size_t c = 0; c < count_; ++c) forget(undecided_[c], first, last);
        for (std::uint64_t k = first; k < last; k += 2)
            for (std::size_t c = 0; c < count_; c += kPlaneBlock) score_block(k, last - k < 2 ? 1 : 2, c);
    }

    // The same for one plane.
    void score(std::uint64_t first, std::uint64_t last, std::size_t c) {
        forget(undecided_[c], first, last);
        std::uint64_t k = first;
        for (; k + kRows / 2 < last; k += kRows) score_rows<kRows>(k, last, c);
        if (k < last) score_rows<kRows / 2>(k, last, c);
    }

    ROSENBLATT_INLINE void prefetch(std::uint64_t k) const { prefetch_row(codes_of(k)); }

    // Prefetches the row of an undecided position.
    template <class Rows>
    ROSENBLATT_INLINE void prefetch_full_row(const Rows& rows, std::uint64_t k) const {
        const std::size_t i = example(k);
        rows.prefetch(i);
        ROSENBLATT_PREFETCH(labels_ + i);
    }

   private:
    static constexpr std::size_t kPrefetchBytes = 1024;
    static constexpr std::size_t kRows = 8;   // scored at once, by one plane
    static constexpr std::size_t kKept = 32;  // bits of a mask
    static_assert(2 * kLargestBlock <= kKept);

    const std::uint8_t* codes_of(std::uint64_t k) const { return codes_ + example(k) * stride_; }

    ROSENBLATT_INLINE void prefetch_row(const std::uint8_t* row) const {
        for (std::size_t at = 0; at < stride_ && at < kPrefetchBytes; at += 64) ROSENBLATT_PREFETCH(row + at);
        ROSENBLATT_PREFETCH(row + (stride_ < kPrefetchBytes ? stride_ : kPrefetchBytes) - 1);
    }

    // The bits of positions first <= k < last, of which there are fewer than kKept.
    static std::uint32_t bits(std::uint64_t first, std::uint64_t last) {
        return turned((std::uint32_t{1} << (last - first)) - 1, first);
    }

    static std::uint32_t turned(std::uint32_t bits, std::uint64_t first) {
        const unsigned shift = static_cast<unsigned>(first % kKept);
        return bits << shift | (shift ? bits >> (kKept - shift) : 0);
    }

    // One bit per lane; NaN is undecided.
    ROSENBLATT_INLINE std::uint32_t classify(const Register& agreement, const Register& bound) const {
        return not_above(agreement - bound, all(margin_));
    }

    // `Count` positions from k on, or those before `last`, and plane c.
    template <std::size_t Count>
    ROSENBLATT_INLINE void score_rows(std::uint64_t k, std::uint64_t last, std::size_t c) {
        const std::size_t count = last - k < Count ? static_cast<std::size_t>(last - k) : Count;
        constexpr std::size_t kRoom = Count < kWidth ? kWidth : Count;
        const std::uint8_t* codes[kRoom];
        // The first row replaces missing ones.
        for (std::size_t r = 0; r < kRoom; ++r) codes[r] = codes_of(k + (r < count ? r : 0));
        std::int32_t dots[kRoom] = {};
        code_dots<Count, 1>(codes, planes_.weights + c * stride_, stride_, dots);
        std::uint32_t undecided = 0;
        for (std::size_t r = 0; r < Count; r += kWidth) {
            const Trailers tails = trailers_of(codes + r, stride_, planes_.positive[c], [&](std::size_t l) {
                return labels_[example(k + (r + l < count ? r + l : 0))];
            });
            const Register score = all(planes_.scale[c]) * load(dots + r) + all(planes_.constant[c]) +
                               all(planes_.parallel[c]) * tails.along;
            const Register bound = all(planes_.orthogonal[c]) * tails.rest + all(planes_.lost[c]) * tails.codes +
                             all(planes_.rounding[c]);
            undecided |= classify(tails.sign * score, bound) << r;
        }
        const std::uint32_t present = (1u << count) - 1;
        mark(k, c, undecided & present);
    }

    // Scores positions k and, if `count` is 2, k + 1, for a block of planes from c on.
    void score_block(std::uint64_t k, std::size_t count, std::size_t c) {
        const std::size_t planes = count_ - c < kPlaneBlock ? count_ - c : kPlaneBlock;
        const std::uint8_t* codes[] = {codes_of(k), codes_of(k + count - 1)};
        const std::int16_t* weights = planes_.weights + c * stride_;
        std::int32_t dots[2 * kPlaneBlock] = {};
        std::size_t p = 0;
        for (; p + 4 <= planes; p += 4) code_dots<2, 4, kPlaneBlock>(codes, weights + p * stride_, stride_, dots + p);
        for (; p + 2 <= planes; p += 2) code_dots<2, 2, kPlaneBlock>(codes, weights + p * stride_, stride_, dots + p);
        if (p < planes) code_dots<2, 1, kPlaneBlock>(codes, weights + p * stride_, stride_, dots + p);
        for (std::size_t r = 0; r < count; ++r) {
            const CodeTrailer tail = trailer_of(codes[r], stride_);
            const std::int32_t label = label_of(tail, k + r);
            const Register rest = all(tail.rest), away = all(from_upper_half(tail.codes));
            std::uint32_t undecided = 0;
            for (p = 0; p < planes; p += kWidth) {
                double signs[kWidth];
                for (std::size_t l = 0; l < kWidth; ++l) signs[l] = sign_of(label == planes_.positive[c + p + l]);
                const Register score = load(planes_.scale + c + p) * load(dots + r * kPlaneBlock + p) +
                                   load(planes_.constant + c + p);
                const Register bound = load(planes_.norm + c + p) * rest + load(planes_.lost + c + p) * away +
                                 load(planes_.rounding + c + p);
                undecided |= classify(load(signs) * score, bound) << p;
            }
            const std::uint32_t present = (1u << planes) - 1;
            for (std::uint32_t left = undecided & present; left; left &= left - 1) mark(k + r, c + lowest_bit(left), 1);
        }
    }

    std::int32_t label_of(const CodeTrailer& tail, std::uint64_t k) const {
        return tail.label < kLongLabel ? tail.label : labels_[example(k)];
    }

    // Sets the bits of positions from k on.
    void mark(std::uint64_t k, std::size_t c, std::uint32_t undecided) {
        if (!undecided) return;
        undecided_[c] |= turned(undecided, k);
        any_ |= turned(undecided, k);
    }

    static void forget(std::uint32_t& undecided, std::uint64_t first, std::uint64_t last) { undecided &= ~bits(first, last); }

    const std::uint8_t* codes_;
    std::size_t stride_;
    QuantizedPlanes planes_;
    std::uint32_t* undecided_;  // one bit per position, for each problem
    std::uint32_t any_ = 0;     // for any problem
    const std::int32_t* labels_;
    const std::uint32_t* order_;
    std::uint64_t begin_;
    std::size_t count_;
    double margin_;
};

}  // namespace rosenblatt::ROSENBLATT_ISA
