// The stretch of online_pass.hpp on the same path, with a shadow: an example that its coarse row shows to be right is
// passed over; any other is read and met in full.
#pragma once

#include "coarse_rows.hpp"
#include "online_pass.hpp"

namespace rosenblatt::ROSENBLATT_ISA {

// Decides ahead of time which examples must be read in full, as far as their coarse rows can tell. Positions are
// counted from the beginning of the stretch, and the answers of the last 32 are kept.
class CoarseScores {
   public:
    CoarseScores(const Shadow& shadow, const Examples& examples, const Presentation& at, const Problem* problems,
                 std::size_t planes, double margin)
        : codes_(shadow.rows), fine_(shadow.fine), stride_(shadow.stride), rounded_(shadow.rounded), planes_(shadow.planes),
          doubts_(shadow.doubts), labels_(examples.labels), order_(at.order), begin_(at.begin), problems_(problems),
          count_(planes), margin_(margin) {}

    std::size_t example(std::uint64_t k) const { return order_ ? order_[begin_ + k] : begin_ + k; }

    // Whether plane c must see position k more closely, or is known to be mistaken there; and whether some plane is.
    bool doubts(std::uint64_t k, std::size_t c) const { return doubts_[c].some >> k % kKept & 1; }
    bool wrong(std::uint64_t k, std::size_t c) const { return doubts_[c].wrong >> k % kKept & 1; }
    bool any(std::uint64_t k) const { return any_.some >> k % kKept & 1; }
    bool any(std::uint64_t first, std::uint64_t last) const { return any_.some & bits(first, last); }

    // Whether the second bytes of position k show it to be right for plane c, if they are written.
    bool right_after_all(std::uint64_t k, std::size_t c) const {
        const std::size_t i = example(k);
        const std::uint8_t* codes = codes_ + i * stride_;
        const CoarseTail tail = tail_of_codes(codes, stride_);
        if (!(tail.label & kHasFine)) return false;
        const std::uint8_t* fine = fine_ + i * stride_;
        float missing;
        std::memcpy(&missing, fine + stride_ - sizeof missing, sizeof missing);
        const std::uint8_t* both[] = {codes, fine};
        std::int32_t dots[2];
        coarse_dots<2, 1>(both, rounded_ + c * stride_, stride_, dots);
        const CoarsePlane& plane = planes_[c];
        const double score = plane.scale * (dots[0] + (dots[1] / 256.0 - plane.half)) + plane.constant;
        const double off = plane.norm * static_cast<double>(missing) +
                           plane.lost * (static_cast<double>(from_upper_half(tail.codes)) + tail.rest) * kUp +
                           plane.rounding;
        return sign_of(label_of(tail, k) == problems_[c].positive) * score - off > margin_;
    }

    // Scores positions first <= k < last for all planes.
    void score(std::uint64_t first, std::uint64_t last) {
        forget(any_, first, last);
        if (count_ == 1) return score(first, last, 0);
        for (std::size_t c = 0; c < count_; ++c) forget(doubts_[c], first, last);
        for (std::uint64_t k = first; k < last; ++k) {
            std::size_t c = 0;
            for (; c + 8 <= count_; c += 8) score_planes<8>(k, c);
            for (; c + 2 <= count_; c += 2) score_planes<2>(k, c);
            if (c < count_) score_planes<1>(k, c);
        }
    }

    // The same for one plane.
    void score(std::uint64_t first, std::uint64_t last, std::size_t c) {
        forget(doubts_[c], first, last);
        const CoarsePlane plane = planes_[c];
        const std::int16_t* rounded = rounded_ + c * stride_;
        const std::int32_t positive = problems_[c].positive;
        for (std::uint64_t k = first; k < last; k += kRows) {
            const std::size_t count = last - k < kRows ? static_cast<std::size_t>(last - k) : kRows;
            const std::uint8_t* codes[kRows];
            float rest[kRows], away[kRows];
            double sign[kRows];
            for (std::size_t r = 0; r < kRows; ++r) {  // the first in place of those that are missing
                const std::uint64_t mine = k + (r < count ? r : 0);
                codes[r] = codes_ + example(mine) * stride_;
                const CoarseTail tail = tail_of_codes(codes[r], stride_);
                rest[r] = tail.rest;
                away[r] = from_upper_half(tail.codes);
                sign[r] = sign_of(label_of(tail, mine) == positive);
            }
            std::int32_t dots[kRows];
            coarse_dots<kRows, 1>(codes, rounded, stride_, dots);
            Doubts doubts{};
            for (std::size_t r = 0; r < kRows; ++r) take(doubts, r, plane, dots[r], rest[r], away[r], sign[r]);
            const std::uint32_t present = (1u << count) - 1;
            mark(k, c, {doubts.some & present, doubts.wrong & present});
        }
    }

    ROSENBLATT_INLINE void prefetch(std::uint64_t k) const { prefetch_row(codes_ + example(k) * stride_); }

    // What will be wanted of a position that is in doubt.
    template <class Rows>
    ROSENBLATT_INLINE void prefetch_more(const Rows& rows, std::uint64_t k) const {
        const std::size_t i = example(k);
        if (!(any_.wrong >> k % kKept & 1) && tail_of_codes(codes_ + i * stride_, stride_).label & kHasFine)
            prefetch_row(fine_ + i * stride_);
        else
            rows.prefetch(i);
        ROSENBLATT_PREFETCH(labels_ + i);
    }

   private:
    static constexpr std::size_t kPrefetchBytes = 1024;
    static constexpr std::size_t kRows = 4;   // scored at once
    static constexpr std::size_t kKept = 32;  // bits of a number
    static_assert(2 * kLargestBlock <= kKept);

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

    template <std::size_t Count>
    void score_planes(std::uint64_t k, std::size_t c) {
        const std::uint8_t* codes = codes_ + example(k) * stride_;
        const CoarseTail tail = tail_of_codes(codes, stride_);
        const std::int32_t label = label_of(tail, k);
        std::int32_t dots[Count];
        coarse_dots<1, Count>(&codes, rounded_ + c * stride_, stride_, dots);
        const float away = from_upper_half(tail.codes);
        Doubts doubts[Count] = {};
        for (std::size_t p = 0; p < Count; ++p)
            take(doubts[p], 0, planes_[c + p], dots[p], tail.rest, away, sign_of(label == problems_[c + p].positive));
        for (std::size_t p = 0; p < Count; ++p) mark(k, c + p, doubts[p]);
    }

    // What a dot product says, as bit r. Where anything is NaN, nothing is sure.
    ROSENBLATT_INLINE void take(Doubts& doubts, std::size_t r, const CoarsePlane& plane, std::int32_t dot, float rest,
                                float away, double sign) const {
        const double off = plane.norm * rest + plane.lost * away + plane.rounding;
        const double agreement = sign * (plane.scale * dot + plane.constant);
        doubts.some |= std::uint32_t{!(agreement - off > margin_)} << r;
        doubts.wrong |= std::uint32_t{agreement + off < margin_} << r;
    }

    std::int32_t label_of(const CoarseTail& tail, std::uint64_t k) const {
        const std::uint16_t label = tail.label & static_cast<std::uint16_t>(~kHasFine);
        return label < kFarLabel ? label : labels_[example(k)];
    }

    // The bits of positions from k on.
    void mark(std::uint64_t k, std::size_t c, const Doubts& doubts) {
        if (!doubts.some) return;
        for (Doubts* both : {&doubts_[c], &any_}) {
            both->some |= turned(doubts.some, k);
            both->wrong |= turned(doubts.wrong, k);
        }
    }

    static void forget(Doubts& doubts, std::uint64_t first, std::uint64_t last) {
        doubts.some &= ~bits(first, last);
        doubts.wrong &= ~bits(first, last);
    }

    const std::uint8_t* codes_;
    const std::uint8_t* fine_;
    std::size_t stride_;
    const std::int16_t* rounded_;
    const CoarsePlane* planes_;
    Doubts* doubts_;
    Doubts any_{};
    const std::int32_t* labels_;
    const std::uint32_t* order_;
    std::uint64_t begin_;
    const Problem* problems_;
    std::size_t count_;
    double margin_;
};

template <class Rows>
std::uint64_t shadow_pass(const Rows& rows, const Examples& examples, const Presentation& at, const Rule& rule,
                          const Planes& planes, Problem* problems, double* scores) {
    Shadow& shadow = *examples.shadow;
    const bool at_once = planes.changes.data == planes.weights.data;  // not in a batch
    for (std::size_t c = 0; c < planes.count; ++c) round_plane(shadow, planes.weights, c, rows.features());
    CoarseScores coarse(shadow, examples, at, problems, planes.count, rule.margin);
    const std::uint64_t end = at.end - at.begin;
    const std::uint64_t block = shadow.block;
    const auto block_after = [&](std::uint64_t k) { return k + block < end ? k + block : end; };
    const auto look_at = [&](std::uint64_t first, std::uint64_t last) {
        coarse.score(first, last);
        if (!coarse.any(first, last)) return;
        for (std::uint64_t k = first; k < last; ++k)
            if (coarse.any(k)) coarse.prefetch_more(rows, k);
    };
    constexpr std::uint64_t kAsked = 64;  // coarse rows are short: memory is asked for many of them ahead
    std::uint64_t scored = block_after(0), asked = scored;
    look_at(0, scored);
    for (std::uint64_t first = 0, last = scored; first < end; first = last, last = scored) {
        scored = block_after(last);
        for (; asked < end && asked < scored + kAsked; ++asked) coarse.prefetch(asked);
        look_at(last, scored);
        if (!coarse.any(first, last) && !examples.weights) continue;
        for (std::uint64_t k = first; k < last; ++k) {
            const std::size_t i = coarse.example(k);
            const Moment moment = moment_of(examples, at, at.begin + k, i);
            if (!coarse.any(k)) continue;
            bool limit_reached = false;
            for (std::size_t c = 0; c < planes.count; ++c) {
                if (!coarse.doubts(k, c)) continue;
                const bool wrong = coarse.wrong(k, c);
                if (!wrong && coarse.right_after_all(k, c)) continue;
                shadow.read += 1;
                rows.scores(i, planes.weights, c, c + 1, scores);
                if (!wrong) write_fine_row(rows.row(i), rows.features(), shadow, i);
                const Met met = meet(rows, examples, at, rule, planes, problems, c, i, scores[c], moment);
                if (met == Met::not_finite) return at.begin + k + 1;
                if (met == Met::right) continue;
                limit_reached |= problems[c].mistakes >= problems[c].max_updates;
                if (!at_once) continue;
                round_plane(shadow, planes.weights, c, rows.features());
                coarse.score(k + 1, scored, c);
            }
            if (limit_reached) return at.begin + k + 1;
        }
    }
    return at.end;
}

}  // namespace rosenblatt::ROSENBLATT_ISA
