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
        : codes_(shadow.rows), stride_(shadow.stride), rounded_(shadow.rounded), planes_(shadow.planes),
          doubts_(shadow.doubts), labels_(examples.labels), order_(at.order), begin_(at.begin), problems_(problems),
          count_(planes), margin_(margin) {}

    std::size_t example(std::uint64_t k) const { return order_ ? order_[begin_ + k] : begin_ + k; }

    // Whether plane c must see position k itself; for `any`, whether some plane must.
    bool doubts(std::uint64_t k, std::size_t c) const { return doubts_[c] >> k % kKept & 1; }
    bool any(std::uint64_t k) const { return any_ >> k % kKept & 1; }
    bool any(std::uint64_t first, std::uint64_t last) const { return any_ & bits(first, last); }

    // Scores positions first <= k < last for all planes.
    void score(std::uint64_t first, std::uint64_t last) {
        any_ &= ~bits(first, last);
        if (count_ == 1) return score(first, last, 0);
        for (std::size_t c = 0; c < count_; ++c) doubts_[c] &= ~bits(first, last);
        for (std::uint64_t k = first; k < last; ++k) {
            std::size_t c = 0;
            for (; c + 8 <= count_; c += 8) score_planes<8>(k, c);
            for (; c + 2 <= count_; c += 2) score_planes<2>(k, c);
            if (c < count_) score_planes<1>(k, c);
        }
    }

    // The same for one plane.
    void score(std::uint64_t first, std::uint64_t last, std::size_t c) {
        doubts_[c] &= ~bits(first, last);
        const CoarsePlane plane = planes_[c];
        const std::int16_t* rounded = rounded_ + c * stride_;
        const std::int32_t positive = problems_[c].positive;
        for (std::uint64_t k = first; k < last; k += kRows) {
            const std::uint8_t* codes[kRows];
            std::int32_t dots[kRows];
            double slack[kRows];
            const std::size_t count = last - k < kRows ? static_cast<std::size_t>(last - k) : kRows;
            for (std::size_t r = 0; r < kRows; ++r) codes[r] = codes_ + example(k + (r < count ? r : 0)) * stride_;
            coarse_dots<kRows, 1>(codes, rounded, stride_, dots);
            for (std::size_t r = 0; r < kRows; ++r) {
                const CoarseTail tail = tail_of_codes(codes[r], stride_);
                slack[r] = slack_of(plane, dots[r], tail, label_of(tail, k + (r < count ? r : 0)) == positive);
            }
            for (std::size_t r = 0; r < count; ++r) mark(k + r, c, !(slack[r] > margin_));  // also where it is NaN
        }
    }

    ROSENBLATT_INLINE void prefetch(std::uint64_t k) const {
        const std::uint8_t* codes = codes_ + example(k) * stride_;
        for (std::size_t at = 0; at < stride_ && at < kPrefetchBytes; at += 64) ROSENBLATT_PREFETCH(codes + at);
        ROSENBLATT_PREFETCH(codes + (stride_ < kPrefetchBytes ? stride_ : kPrefetchBytes) - 1);
    }

   private:
    static constexpr std::size_t kPrefetchBytes = 1024;
    static constexpr std::size_t kRows = 4;   // scored at once
    static constexpr std::size_t kKept = 32;  // bits of a number
    static_assert(2 * kLargestBlock <= kKept);

    // Those of positions first <= k < last, of which there are fewer than kKept.
    static std::uint32_t bits(std::uint64_t first, std::uint64_t last) {
        const std::uint32_t low = (std::uint32_t{1} << (last - first)) - 1;
        const unsigned shift = static_cast<unsigned>(first % kKept);
        return low << shift | (shift ? low >> (kKept - shift) : 0);
    }

    template <std::size_t Count>
    void score_planes(std::uint64_t k, std::size_t c) {
        const std::uint8_t* codes = codes_ + example(k) * stride_;
        const CoarseTail tail = tail_of_codes(codes, stride_);
        const std::int32_t label = label_of(tail, k);
        std::int32_t dots[Count];
        coarse_dots<1, Count>(&codes, rounded_ + c * stride_, stride_, dots);
        double slack[Count];
        for (std::size_t p = 0; p < Count; ++p)
            slack[p] = slack_of(planes_[c + p], dots[p], tail, label == problems_[c + p].positive);
        for (std::size_t p = 0; p < Count; ++p) mark(k, c + p, !(slack[p] > margin_));
    }

    // y * score is no less.
    static double slack_of(const CoarsePlane& plane, std::int32_t dot, const CoarseTail& tail, bool positive) {
        const double score = plane.scale * dot + plane.constant;
        const double off =
            plane.norm * static_cast<double>(tail.rest) + plane.lost * from_upper_half(tail.codes) + plane.rounding;
        return sign_of(positive) * score - off;
    }

    std::int32_t label_of(const CoarseTail& tail, std::uint64_t k) const {
        return tail.label < kFarLabel ? tail.label : labels_[example(k)];
    }

    void mark(std::uint64_t k, std::size_t c, bool doubt) {
        doubts_[c] |= std::uint32_t{doubt} << k % kKept;
        any_ |= std::uint32_t{doubt} << k % kKept;
    }

    const std::uint8_t* codes_;
    std::size_t stride_;
    const std::int16_t* rounded_;
    const CoarsePlane* planes_;
    std::uint32_t* doubts_;
    std::uint32_t any_ = 0;
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
    const std::uint64_t block = coarse_block(planes.count);
    const auto block_after = [&](std::uint64_t k) { return k + block < end ? k + block : end; };
    const auto look_at = [&](std::uint64_t first, std::uint64_t last) {
        coarse.score(first, last);
        if (!coarse.any(first, last)) return;
        for (std::uint64_t k = first; k < last; ++k)
            if (coarse.any(k)) rows.prefetch(coarse.example(k));  // it will be wanted in full
    };
    std::uint64_t scored = block_after(0);
    look_at(0, scored);
    for (std::uint64_t first = 0, last = scored; first < end; first = last, last = scored) {
        scored = block_after(last);
        for (std::uint64_t k = scored; k < block_after(scored); ++k) coarse.prefetch(k);
        look_at(last, scored);
        if (!coarse.any(first, last) && !examples.weights) continue;
        for (std::uint64_t k = first; k < last; ++k) {
            const std::size_t i = coarse.example(k);
            const Moment moment = moment_of(examples, at, at.begin + k, i);
            if (!coarse.any(k)) continue;
            bool limit_reached = false;
            for (std::size_t c = 0; c < planes.count; ++c) {
                if (!coarse.doubts(k, c)) continue;
                shadow.read += 1;
                rows.scores(i, planes.weights, c, c + 1, scores);
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
