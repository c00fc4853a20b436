// Scores quantized rows ahead of the pass: each example is proved correct, proved a mistake, or undecided.
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
        : codes_(view.rows), residuals_(view.residuals), residual_index_(view.residual_index), middle_(view.middle),
          stride_(view.stride), planes_(view.planes), undecided_(view.undecided), labels_(labels), order_(at.order),
          begin_(at.begin), count_(planes), margin_(margin) {}

    std::size_t example(std::uint64_t k) const { return order_ ? order_[begin_ + k] : begin_ + k; }

    // Whether position k is undecided or a mistake for problem c, a mistake for problem c, or either for any problem.
    bool undecided(std::uint64_t k, std::size_t c) const { return undecided_[c].some >> k % kKept & 1; }
    bool wrong(std::uint64_t k, std::size_t c) const { return undecided_[c].wrong >> k % kKept & 1; }
    bool any(std::uint64_t k) const { return any_.some >> k % kKept & 1; }
    bool any(std::uint64_t first, std::uint64_t last) const { return any_.some & bits(first, last); }

    // Whether the residual bytes of position k, where there are any, prove it correct for problem c.
    bool residual_shows_right(std::uint64_t k, std::size_t c) const {
        const std::uint32_t place = residual_index_[example(k)];
        if (!place) return false;
        const std::uint8_t* codes = codes_of(k);
        const CodeTrailer tail = trailer_of(codes, stride_);
        const std::uint8_t* residuals = residuals_ + (place - 1) * stride_;
        float missing;
        std::memcpy(&missing, residuals + stride_ - sizeof missing, sizeof missing);
        const std::uint8_t* parts[] = {codes, residuals, middle_};
        std::int32_t dots[3];
        code_dots<3, 1>(parts, planes_.weights + c * stride_, stride_, dots);
        const double score = planes_.scale[c] * (dots[0] + (dots[1] - dots[2]) / 256.0) + planes_.constant[c];
        const double off = planes_.norm[c] * static_cast<double>(missing) +
                           planes_.lost[c] * (static_cast<double>(from_upper_half(tail.codes)) + tail.rest) * kUp +
                           planes_.rounding[c];
        return sign_of(label_of(tail, k) == planes_.positive[c]) * score - off > margin_;
    }

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

    // Prefetches what an undecided position will need.
    template <class Rows>
    ROSENBLATT_INLINE void prefetch_more(const Rows& rows, std::uint64_t k) const {
        const std::size_t i = example(k);
        const std::uint32_t place = residual_index_[i];
        if (!(any_.wrong >> k % kKept & 1) && place)
            prefetch_row(residuals_ + (place - 1) * stride_);
        else
            rows.prefetch(i);
        ROSENBLATT_PREFETCH(labels_ + i);
    }

   private:
    static constexpr std::size_t kPrefetchBytes = 1024;
    static constexpr std::size_t kRows = 8;   // scored at once, by one plane
    static constexpr std::size_t kKept = 32;  // bits of a number
    static_assert(2 * kLargestBlock <= kKept);

    const std::uint8_t* codes_of(std::uint64_t k) const { return codes_ + example(k) * stride_; }

    ROSENBLATT_INLINE void prefetch_row(const std::uint8_t* row) const {
        for (std::size_t at = 0; at < stride_ && at < kPrefetchBytes; at += 64) ROSENBLATT_PREFETCH(row + at);
        ROSENBLATT_PREFETCH(row + (stride_ < kPrefetchBytes ? stride_ : kPrefetchBytes) - 1);
    }

    // Those of positions first <= k < last, of which there are fewer than kKept.
    static std::uint32_t bits(std::uint64_t first, std::uint64_t last) {
        return turned((std::uint32_t{1} << (last - first)) - 1, first);
    }

    static std::uint32_t turned(std::uint32_t bits, std::uint64_t first) {
        const unsigned shift = static_cast<unsigned>(first % kKept);
        return bits << shift | (shift ? bits >> (kKept - shift) : 0);
    }

    // One bit a lane; NaN is undecided.
    ROSENBLATT_INLINE Undecided classify(const Register& agreement, const Register& off) const {
        constexpr std::uint32_t kAll = (1u << kWidth) - 1;
        const Register margin = all(margin_);
        return {not_above(agreement - off, margin), ~not_above(margin, agreement + off) & kAll};
    }

    // `Count` positions from k on, or those before `last`, and plane c.
    template <std::size_t Count>
    ROSENBLATT_INLINE void score_rows(std::uint64_t k, std::uint64_t last, std::size_t c) {
        const std::size_t count = last - k < Count ? static_cast<std::size_t>(last - k) : Count;
        constexpr std::size_t kRoom = Count < kWidth ? kWidth : Count;
        const std::uint8_t* codes[kRoom];
        // The first row stands in for missing ones.
        for (std::size_t r = 0; r < kRoom; ++r) codes[r] = codes_of(k + (r < count ? r : 0));
        std::int32_t dots[kRoom] = {};
        code_dots<Count, 1>(codes, planes_.weights + c * stride_, stride_, dots);
        Undecided undecided{};
        for (std::size_t r = 0; r < Count; r += kWidth) {
            const Trailers tails = trailers_of(codes + r, stride_, planes_.positive[c], [&](std::size_t l) {
                return labels_[example(k + (r + l < count ? r + l : 0))];
            });
            const Register score = all(planes_.scale[c]) * load(dots + r) + all(planes_.constant[c]) +
                               all(planes_.parallel[c]) * tails.along;
            const Register off = all(planes_.orthogonal[c]) * tails.rest + all(planes_.lost[c]) * tails.codes +
                             all(planes_.rounding[c]);
            const Undecided some = classify(tails.sign * score, off);
            undecided.some |= some.some << r;
            undecided.wrong |= some.wrong << r;
        }
        const std::uint32_t present = (1u << count) - 1;
        mark(k, c, {undecided.some & present, undecided.wrong & present});
    }

    // Positions k and, where `count` is 2, k + 1; and a block of planes from c on, as far as there are.
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
            Undecided undecided{};
            for (p = 0; p < planes; p += kWidth) {
                double signs[kWidth];
                for (std::size_t l = 0; l < kWidth; ++l) signs[l] = sign_of(label == planes_.positive[c + p + l]);
                const Register score = load(planes_.scale + c + p) * load(dots + r * kPlaneBlock + p) +
                                   load(planes_.constant + c + p);
                const Register off = load(planes_.norm + c + p) * rest + load(planes_.lost + c + p) * away +
                                 load(planes_.rounding + c + p);
                const Undecided some = classify(load(signs) * score, off);
                undecided.some |= some.some << p;
                undecided.wrong |= some.wrong << p;
            }
            const std::uint32_t present = (1u << planes) - 1;
            for (std::uint32_t left = undecided.some & present; left; left &= left - 1) {
                p = lowest_bit(left);
                mark(k + r, c + p, {1, undecided.wrong >> p & 1});
            }
        }
    }

    std::int32_t label_of(const CodeTrailer& tail, std::uint64_t k) const {
        return tail.label < kLongLabel ? tail.label : labels_[example(k)];
    }

    // The bits of positions from k on.
    void mark(std::uint64_t k, std::size_t c, const Undecided& undecided) {
        if (!undecided.some) return;
        for (Undecided* both : {&undecided_[c], &any_}) {
            both->some |= turned(undecided.some, k);
            both->wrong |= turned(undecided.wrong, k);
        }
    }

    static void forget(Undecided& undecided, std::uint64_t first, std::uint64_t last) {
        undecided.some &= ~bits(first, last);
        undecided.wrong &= ~bits(first, last);
    }

    const std::uint8_t* codes_;
    const std::uint8_t* residuals_;
    const std::uint32_t* residual_index_;
    const std::uint8_t* middle_;
    std::size_t stride_;
    QuantizedPlanes planes_;
    Undecided* undecided_;
    Undecided any_{};
    const std::int32_t* labels_;
    const std::uint32_t* order_;
    std::uint64_t begin_;
    std::size_t count_;
    double margin_;
};

}  // namespace rosenblatt::ROSENBLATT_ISA
