// One stretch of the online perceptron. Each example is scored once for all problems; for a problem in which it is a
// mistake (y * score < 0, or a tie that the rule calls wrong), w += step * y * x and w0 += step * y.
// L0, Algorithm 1; L1, eq. 13-15; L3, Algorithm 8.2 with step = 2 eta; L4, slide "Perceptron Algorithm".
// On separable data at most (R / gamma)^2 mistakes over all passes (Novikoff 1962).
#pragma once

#include <limits>

#include "kernels.hpp"
#include "rows.hpp"

namespace rosenblatt::ROSENBLATT_ISA {

constexpr double kLargest = std::numeric_limits<double>::max();

// When the order jumps about, asks for a row some examples before its turn: far enough ahead to hide the memory, near
// enough to stay in the cache.
template <class Rows>
ROSENBLATT_INLINE void prefetch_ahead(const Rows& rows, const Examples& examples, const Presentation& at,
                                      std::uint64_t k) {
    constexpr std::uint64_t kAhead = 8;
    if (!at.order || k + kAhead >= at.end) return;
    const std::uint32_t next = at.order[k + kAhead];
    rows.prefetch(next);
    ROSENBLATT_PREFETCH(examples.labels + next);
}

// Scores `Together` examples ahead with the weights as they are; a problem that then changes scores the rest of them
// anew. So the path is that of one example after the other, whatever `Together` is.
template <std::size_t Together, class Rows>
std::uint64_t online_pass(const Rows& rows, const Examples& examples, const Presentation& at, const Rule& rule,
                          const Weights& weights, Problem* problems, std::size_t count, double* scores) {
    const std::size_t stride = padded_to_block(count);
    std::size_t members[Together];
    std::size_t left = 0;
    std::size_t next = 0;  // the members before it have been presented
    for (std::uint64_t k = at.begin; k < at.end; ++k) {
        prefetch_ahead(rows, examples, at, k);
        if (next == left) {
            left = at.end - k < Together ? 1 : Together;
            for (std::size_t r = 0; r < left; ++r) members[r] = at.order ? at.order[k + r] : k + r;
            if (Together > 1 && left == Together)
                rows.scores_together(members, weights, count, scores, stride);
            else
                rows.scores(members[0], weights, 0, count, scores);
            next = 0;
        }
        const std::size_t i = members[next];
        const double* mine = scores + next * stride;
        next += 1;
        bool limit_reached = false;
        for (std::size_t c = 0; c < count; ++c) {
            Problem& problem = problems[c];
            const bool positive = examples.labels[i] == problem.positive;
            const double score = mine[c] + weights.offsets[c];
            const double agreement = positive ? score : -score;  // y * score
            if (agreement > 0 && agreement <= kLargest) continue;
            if (!(agreement <= 0 && agreement >= -kLargest)) {
                problem.not_finite = true;
                return k + 1;
            }
            const bool tie = agreement == 0;
            problem.epoch_errors += !tie || tie_is_wrong(rule.error_tie, positive);
            if (tie && !tie_is_wrong(rule.tie, positive)) continue;
            const double step = examples.steps ? examples.steps[i] : rule.eta0;
            const double change = positive ? step : -step;
            rows.add(i, change, weights, c);
            if (rule.fit_intercept) weights.offsets[c] += change;
            for (std::size_t r = next; r < left; ++r) rows.scores(members[r], weights, c, c + 1, scores + r * stride);
            problem.epoch_loss -= agreement;
            problem.epoch_mistakes += 1;
            problem.mistakes += 1;
            problem.last_change = at.presented + (k - at.begin) + 1;
            if (at.recorder) at.recorder->note(at.recorder->self, c, i, problem.last_change);
            limit_reached |= problem.mistakes >= problem.max_updates;
        }
        if (limit_reached) return k + 1;
    }
    return at.end;
}

}  // namespace rosenblatt::ROSENBLATT_ISA
