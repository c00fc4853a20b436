// One stretch of the online perceptron. Each example is scored once for all problems; for a problem in which it is a
// mistake (y * score < 0, or a tie that the rule calls wrong), w += step * y * x and w0 += step * y.
// L0, Algorithm 1; L1, eq. 13-15; L3, Algorithm 8.2 with step = 2 eta; L4, slide "Perceptron Algorithm".
// On separable data at most (R / gamma)^2 mistakes over all passes (Novikoff 1962).
#pragma once

#include "passes/update.hpp"
#include "rows/rows.hpp"
#include "simd/kernels.hpp"

namespace rosenblatt::ROSENBLATT_ISA {

enum class Met : std::uint8_t { right, mistaken, not_finite };

// Problem c meets example i, whose score without the offset is known; a mistake changes its plane.
template <class Rows>
Met meet(const Rows& rows, const Examples& examples, const Presentation& at, const Rule& rule, const Planes& planes,
         Problem* problems, std::size_t c, std::size_t i, double dot, const Moment& moment) {
    Problem& problem = problems[c];
    const bool positive = examples.labels[i] == problem.positive;
    const double score = dot + planes.weights.offsets[c];
    const double sign = sign_of(positive);
    const double agreement = sign * score;
    if (agreement > rule.margin && agreement <= kLargest) return Met::right;
    if (!(agreement >= -kLargest && agreement <= kLargest)) {
        problem.not_finite = true;
        return Met::not_finite;
    }
    problem.epoch_errors += rule.is_error(agreement, positive);
    if (!rule.is_mistake(agreement, positive)) return Met::right;
    offer_to_pocket(problem, at, c, moment);
    const double scale = scale_of(rows, examples, rule, i, agreement, 1.0);
    add_to_plane(rows, rule, planes, c, i, sign * scale, moment);
    count_update(problem, at, c, i, agreement, scale, moment);
    return Met::mistaken;
}

// Whether a mistake is a step of a fixed size and a count, and nobody listens or keeps a pocket.
inline bool mistakes_are_plain(const Examples& examples, const Presentation& at, const Rule& rule, const Planes& planes,
                               const Problem& problem) {
    const bool heard = at.listener && at.listener->updated;
    return rule.step == Step::constant && !examples.steps && !examples.weights && !heard &&
           planes.changes.offsets == planes.weights.offsets && problem.pocket_run > kLargest;
}

// Whether updates since there were `before` have brought the problem to its limit. One that begins beyond it, because it
// goes on from an earlier run, ends at its next.
inline bool reached_limit(const Problem& problem, std::uint64_t before) {
    return problem.mistakes > before && problem.mistakes >= problem.max_updates;
}

// Plain mistakes of a stretch that its problem does not know of yet.
class Tally {
   public:
    ROSENBLATT_INLINE explicit Tally(Problem& problem) : problem_(problem) { look(); }

    // True if this was the last that the problem allows.
    ROSENBLATT_INLINE bool add(double agreement, std::uint64_t presented) {
        loss -= agreement;
        last_change = presented;
        mistakes += 1;
        return is_full();
    }

    ROSENBLATT_INLINE bool is_full() const { return mistakes >= allowed_; }

    ROSENBLATT_INLINE void tell() {
        if (!mistakes) return;
        problem_.epoch_loss = loss;
        problem_.epoch_errors += mistakes;
        problem_.epoch_mistakes += mistakes;
        problem_.mistakes += mistakes;
        problem_.last_change = last_change;
        problem_.run_begin = static_cast<double>(last_change);
        mistakes = 0;
    }

    // After the problem was told, or somebody else has changed it.
    ROSENBLATT_INLINE void look() {
        loss = problem_.epoch_loss;
        last_change = problem_.last_change;
        allowed_ = problem_.max_updates > problem_.mistakes ? problem_.max_updates - problem_.mistakes : 1;
    }

    double loss;
    std::uint64_t last_change;
    std::uint64_t mistakes = 0;

   private:
    Problem& problem_;
    std::uint64_t allowed_;
};

// For one problem. This loop meets right examples and plain mistakes with all that it needs in registers: on noisy data,
// where a mistake cannot be foreseen, that is a sixth of the time. What else there is, `meet` finds.
template <class Rows>
std::uint64_t online_pass_of_one(const Rows& rows, const Examples& examples, const Presentation& at, const Rule& rule,
                                 const Planes& planes, Problem& problem) {
    constexpr std::uint64_t kWeightsAhead = 2;
    // Copies, which no call can change: they stay in registers.
    const Rows mine = rows;
    const Presentation stretch = at;
    const std::int32_t* labels = examples.labels;
    const std::int32_t positive = problem.positive;
    const double margin = rule.margin;
    const Weights weights = planes.weights;
    const bool far_weights = mine.far_weights(stretch.order);
    const bool streaming = !Rows::kDense && !stretch.order;
    const bool plain = mistakes_are_plain(examples, at, rule, planes, problem);
    const Rule law = rule;
    const Planes changing{weights, weights, planes.delayed, 1};  // where mistakes are plain
    Tally tally(problem);
    for (std::uint64_t k = stretch.begin; k < stretch.end; ++k) {
        if (!streaming) prefetch_ahead(mine, labels, stretch, k);
        if (far_weights && k + kWeightsAhead < stretch.end)
            mine.prefetch_weights(stretch.order ? stretch.order[k + kWeightsAhead] : k + kWeightsAhead, weights);
        const std::size_t i = stretch.order ? stretch.order[k] : k;
        const double dot = streaming ? mine.template score<true>(i, weights) : mine.score(i, weights);
        const double agreement = sign_of(labels[i] == positive) * (dot + weights.offsets[0]);
        if (agreement > margin && agreement <= kLargest) {
            pass_over(examples, stretch, i);
            continue;
        }
        if (plain && agreement < 0 && agreement >= -kLargest) {
            const double step = sign_of(labels[i] == positive) * law.eta0;
            const std::uint64_t before = stretch.presented + (k - stretch.begin);
            add_to_plane(mine, law, changing, 0, i, step, {before, static_cast<double>(before), 1.0});
            if (!tally.add(agreement, before + 1)) continue;
            tally.tell();
            return k + 1;
        }
        tally.tell();
        const Met met = meet(rows, examples, at, rule, planes, &problem, 0, i, dot, moment_of(examples, at, k, i));
        if (met == Met::not_finite || (met == Met::mistaken && problem.mistakes >= problem.max_updates)) return k + 1;
        tally.look();
    }
    tally.tell();
    return stretch.end;
}

// Scores `Together` examples ahead with the weights as they are; a problem that then changes scores the rest of them
// anew. So the path is that of one example after the other, whatever `Together` is.
template <std::size_t Together, class Rows>
std::uint64_t online_pass(const Rows& rows, const Examples& examples, const Presentation& at, const Rule& rule,
                          const Planes& planes, Problem* problems, double* scores) {
    const Weights& weights = planes.weights;
    const bool at_once = planes.changes.data == weights.data;  // not in a batch
    const std::size_t stride = padded_to_block(planes.count);
    std::size_t members[Together];
    std::size_t left = 0;
    std::size_t next = 0;  // the members before it have been presented
    for (std::uint64_t k = at.begin; k < at.end; ++k) {
        prefetch_ahead(rows, examples.labels, at, k);
        if (next == left) {
            left = at.end - k < Together ? 1 : Together;
            for (std::size_t r = 0; r < left; ++r) members[r] = at.order ? at.order[k + r] : k + r;
            if (Together > 1 && left == Together)
                rows.scores_together(members, weights, planes.count, scores, stride);
            else
                rows.scores(members[0], weights, 0, planes.count, scores);
            next = 0;
        }
        const std::size_t i = members[next];
        const double* mine = scores + next * stride;
        next += 1;
        const Moment moment = moment_of(examples, at, k, i);
        bool limit_reached = false;
        for (std::size_t c = 0; c < planes.count; ++c) {
            const Met met = meet(rows, examples, at, rule, planes, problems, c, i, mine[c], moment);
            if (met == Met::not_finite) return k + 1;
            if (met == Met::right) continue;
            if (at_once) rows.scores_of_plane(members + next, left - next, weights, c, scores + next * stride, stride);
            limit_reached |= problems[c].mistakes >= problems[c].max_updates;
        }
        if (limit_reached) return k + 1;
    }
    return at.end;
}

}  // namespace rosenblatt::ROSENBLATT_ISA
