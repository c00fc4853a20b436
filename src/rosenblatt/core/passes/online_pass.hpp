// One stretch of the online perceptron. Each example is scored once for all problems; for a problem in which it is a
// mistake (y * score < 0, or a tie that the rule calls wrong), w += step * y * x and w0 += step * y.
// L0, Algorithm 1; L1, eq. 13-15; L3, Algorithm 8.2 with step = 2 eta; L4, slide "Perceptron Algorithm".
// On separable data at most (R / gamma)^2 mistakes over all passes (Novikoff 1962).
#pragma once

#include "passes/update.hpp"
#include "rows/rows.hpp"
#include "simd/kernels.hpp"

namespace rosenblatt::ROSENBLATT_ISA {

enum class Verdict : std::uint8_t { correct, mistake, not_finite };

// Presents example i to problem c, given its score without the offset `dot`. A mistake updates the weights.
template <class Rows>
Verdict present_example(const Rows& rows, const Examples& examples, const Presentation& at, const Rule& rule, const Planes& planes,
         Problem* problems, std::size_t c, std::size_t i, double dot, const Moment& moment) {
    Problem& problem = problems[c];
    const bool positive = examples.labels[i] == problem.positive;
    const double score = dot + planes.weights.offsets[c];
    const double sign = sign_of(positive);
    const double agreement = sign * score;
    if (agreement > rule.margin && agreement <= kLargest) return Verdict::correct;
    if (!(agreement >= -kLargest && agreement <= kLargest)) {
        problem.not_finite = true;
        return Verdict::not_finite;
    }
    problem.epoch_errors += rule.is_error(agreement, positive);
    if (!rule.is_mistake(agreement, positive)) return Verdict::correct;
    offer_to_pocket(problem, at, c, moment);
    const double scale = scale_of(rows, examples, rule, i, agreement, 1.0);
    add_to_plane(rows, rule, planes, c, i, sign * scale, moment);
    note_update(at, c, i, scale, moment);
    count_update(problem, agreement, moment);
    return Verdict::mistake;
}

// Whether a mistake only adds a constant step and counts: no recording, no pocket, no example weights.
inline bool mistakes_are_plain(const Examples& examples, const Presentation& at, const Rule& rule, const Planes& planes,
                               const Problem& problem) {
    const bool recorded = at.listener && at.listener->updated;
    return rule.step == Step::constant && !examples.steps && !examples.weights && !recorded &&
           planes.changes.offsets == planes.weights.offsets && problem.pocket_run > kLargest;
}

// Whether the problem has reached its limit of updates since it had `before` mistakes. A problem that continues an earlier
// run may start beyond its limit; it ends at its next mistake.
inline bool reached_limit(const Problem& problem, std::uint64_t before) {
    return problem.mistakes > before && problem.mistakes >= problem.max_updates;
}

// Counts the plain mistakes of a stretch in registers; `flush` adds them to the problem.
class Tally {
   public:
    ROSENBLATT_INLINE explicit Tally(Problem& problem) : problem_(problem) { reload(); }

    // True if this was the last mistake that the limit allows.
    ROSENBLATT_INLINE bool add(double agreement, std::uint64_t presented) {
        loss -= agreement;
        last_change = presented;
        mistakes += 1;
        return is_full();
    }

    ROSENBLATT_INLINE bool is_full() const { return mistakes >= allowed_; }

    ROSENBLATT_INLINE void flush() {
        if (!mistakes) return;
        problem_.epoch_loss = loss;
        problem_.epoch_errors += mistakes;
        problem_.epoch_mistakes += mistakes;
        problem_.mistakes += mistakes;
        problem_.last_change = last_change;
        problem_.run_begin = static_cast<double>(last_change);
        mistakes = 0;
    }

    // Reads the problem again after it has changed.
    ROSENBLATT_INLINE void reload() {
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

// The pass for one problem. Correct examples and plain mistakes are handled in the loop, with all state in registers: on
// noisy data, where mistakes cannot be predicted, that saves a sixth of the time. All other cases go to `present_example`.
template <class Rows>
std::uint64_t online_pass_of_one(const Rows& rows, const Examples& examples, const Presentation& at, const Rule& rule,
                                 const Planes& planes, Problem& problem) {
    constexpr std::uint64_t kWeightsAhead = 2;
    // Local copies, which no call can change, stay in registers.
    const Rows local_rows = rows;
    const Presentation stretch = at;
    const std::int32_t* labels = examples.labels;
    const std::int32_t positive = problem.positive;
    const double margin = rule.margin;
    const Weights weights = planes.weights;
    const bool far_weights = local_rows.far_weights(stretch.order);
    const bool streaming = !Rows::kDense && !stretch.order;
    const bool plain = mistakes_are_plain(examples, at, rule, planes, problem);
    const Rule local_rule = rule;
    const Planes changing{weights, weights, planes.delayed, 1};  // for plain mistakes
    Tally tally(problem);
    for (std::uint64_t k = stretch.begin; k < stretch.end; ++k) {
        if (!streaming) prefetch_ahead(local_rows, labels, stretch, k);
        if (far_weights && k + kWeightsAhead < stretch.end)
            local_rows.prefetch_weights(stretch.order ? stretch.order[k + kWeightsAhead] : k + kWeightsAhead, weights);
        const std::size_t i = stretch.order ? stretch.order[k] : k;
        const double dot = streaming ? local_rows.template score<true>(i, weights) : local_rows.score(i, weights);
        const double agreement = sign_of(labels[i] == positive) * (dot + weights.offsets[0]);
        if (agreement > margin && agreement <= kLargest) {
            advance_clock(examples, stretch, i);
            continue;
        }
        if (plain && agreement < 0 && agreement >= -kLargest) {
            const double step = sign_of(labels[i] == positive) * local_rule.eta0;
            const std::uint64_t before = stretch.presented + (k - stretch.begin);
            add_to_plane(local_rows, local_rule, changing, 0, i, step, {before, static_cast<double>(before), 1.0});
            if (!tally.add(agreement, before + 1)) continue;
            tally.flush();
            return k + 1;
        }
        tally.flush();
        const Verdict verdict = present_example(rows, examples, at, rule, planes, &problem, 0, i, dot, moment_of(examples, at, k, i));
        if (verdict == Verdict::not_finite || (verdict == Verdict::mistake && problem.mistakes >= problem.max_updates)) return k + 1;
        tally.reload();
    }
    tally.flush();
    return stretch.end;
}

// The pass for several problems. Scores `Together` examples with the present weights; a problem that updates its weights
// scores the rest of them again. So the path is that of one example after the other, whatever `Together` is.
template <std::size_t Together, class Rows>
std::uint64_t online_pass(const Rows& rows, const Examples& examples, const Presentation& at, const Rule& rule,
                          const Planes& planes, Problem* problems, double* scores) {
    const Weights& weights = planes.weights;
    const bool at_once = planes.changes.data == weights.data;  // false in batch mode
    const std::size_t stride = padded_to_block(planes.count);
    std::size_t members[Together] = {};
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
        const double* row_scores = scores + next * stride;
        next += 1;
        const Moment moment = moment_of(examples, at, k, i);
        bool limit_reached = false;
        for (std::size_t c = 0; c < planes.count; ++c) {
            const Verdict verdict = present_example(rows, examples, at, rule, planes, problems, c, i, row_scores[c], moment);
            if (verdict == Verdict::not_finite) return k + 1;
            if (verdict == Verdict::correct) continue;
            if (at_once) rows.scores_of_plane(members + next, left - next, weights, c, scores + next * stride, stride);
            limit_reached |= problems[c].mistakes >= problems[c].max_updates;
        }
        if (limit_reached) return k + 1;
    }
    return at.end;
}

}  // namespace rosenblatt::ROSENBLATT_ISA
