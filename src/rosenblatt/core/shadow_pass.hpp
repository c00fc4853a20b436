// The stretch of online_pass.hpp on the same path, with a shadow: an example that its coarse row shows to be right is
// passed over; any other is read and met in full.
#pragma once

#include "coarse_rows.hpp"
#include "online_pass.hpp"

namespace rosenblatt::ROSENBLATT_ISA {

// Decides ahead of time which examples must be read in full, as far as their coarse rows can tell.
class CoarseScores {
   public:
    CoarseScores(const Shadow& shadow, const Examples& examples, const Presentation& at, const Problem* problems,
                 std::size_t planes, double margin)
        : codes_(shadow.rows), stride_(shadow.stride), rounded_(shadow.rounded), planes_(shadow.planes),
          doubts_(shadow.doubts), labels_(examples.labels), order_(at.order), problems_(problems), count_(planes),
          margin_(margin) {}

    std::size_t example(std::uint64_t k) const { return order_ ? order_[k] : k; }

    // One flag a plane: whether it must see position k itself.
    const std::uint8_t* doubts(std::uint64_t k) const { return doubts_ + k % kScoredAhead * count_; }

    // Scores position k for all planes, and says whether any must see it itself.
    ROSENBLATT_INLINE bool score(std::uint64_t k) const {
        bool any = false;
        std::size_t c = 0;
        for (; c + 8 <= count_; c += 8) any |= score<8>(k, c);
        for (; c + 2 <= count_; c += 2) any |= score<2>(k, c);
        if (c < count_) any |= score<1>(k, c);
        return any;
    }

    // The same for `Count` planes from c on.
    template <std::size_t Count>
    ROSENBLATT_INLINE bool score(std::uint64_t k, std::size_t c) const {
        const std::size_t i = example(k);
        const std::uint8_t* codes = codes_ + i * stride_;
        const CoarseLengths lengths = lengths_of(codes, stride_);
        const double rest = lengths.rest;
        const double length = lengths.codes;
        std::int32_t dots[Count];
        coarse_dots<Count>(codes, rounded_ + c * stride_, stride_, dots);
        bool doubt[Count];
        for (std::size_t p = 0; p < Count; ++p) {
            const CoarsePlane& plane = planes_[c + p];
            const double score = plane.scale * dots[p] + plane.constant;
            const double off = plane.norm * rest + plane.lost * length + plane.rounding;
            const double agreement = sign_of(labels_[i] == problems_[c + p].positive) * score;
            doubt[p] = !(agreement - off > margin_);  // also where anything is NaN
        }
        bool any = false;
        std::uint8_t* flags = doubts_ + k % kScoredAhead * count_ + c;
        for (std::size_t p = 0; p < Count; ++p) {
            flags[p] = doubt[p];
            any |= doubt[p];
        }
        return any;
    }

    ROSENBLATT_INLINE void prefetch(std::uint64_t k) const {
        const std::size_t i = example(k);
        const std::uint8_t* codes = codes_ + i * stride_;
        for (std::size_t at = 0; at < stride_ && at < kPrefetchBytes; at += 64) ROSENBLATT_PREFETCH(codes + at);
        ROSENBLATT_PREFETCH(labels_ + i);
    }

   private:
    static constexpr std::size_t kPrefetchBytes = 1024;

    const std::uint8_t* codes_;
    std::size_t stride_;
    const std::int16_t* rounded_;
    const CoarsePlane* planes_;
    std::uint8_t* doubts_;
    const std::int32_t* labels_;
    const std::uint32_t* order_;
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
    const CoarseScores coarse(shadow, examples, at, problems, planes.count, rule.margin);
    std::uint32_t doubted = 0;  // a bit for each of the examples scored ahead
    static_assert(kScoredAhead <= 32);
    const std::size_t ahead = scored_ahead(planes.count);
    std::uint64_t scored = at.begin;
    for (std::uint64_t k = at.begin; k < at.end; ++k) {
        if (k + 2 * kScoredAhead < at.end) coarse.prefetch(k + 2 * kScoredAhead);
        for (; scored < at.end && scored < k + ahead; ++scored) {
            const bool any = coarse.score(scored);
            const std::uint32_t bit = 1u << scored % kScoredAhead;
            doubted = any ? doubted | bit : doubted & ~bit;
            if (any) rows.prefetch(coarse.example(scored));  // it will be wanted in full
        }
        const std::size_t i = coarse.example(k);
        const Moment moment = moment_of(examples, at, k, i);
        if (!(doubted >> k % kScoredAhead & 1)) continue;
        bool limit_reached = false;
        for (std::size_t c = 0; c < planes.count; ++c) {
            if (!coarse.doubts(k)[c]) continue;
            shadow.read += 1;
            rows.scores(i, planes.weights, c, c + 1, scores);
            const Met met = meet(rows, examples, at, rule, planes, problems, c, i, scores[c], moment);
            if (met == Met::not_finite) return k + 1;
            if (met == Met::right) continue;
            limit_reached |= problems[c].mistakes >= problems[c].max_updates;
            if (!at_once) continue;
            round_plane(shadow, planes.weights, c, rows.features());
            for (std::uint64_t next = k + 1; next < scored; ++next)
                doubted |= std::uint32_t{coarse.score<1>(next, c)} << next % kScoredAhead;
        }
        if (limit_reached) return k + 1;
    }
    return at.end;
}

}  // namespace rosenblatt::ROSENBLATT_ISA
