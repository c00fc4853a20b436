// One stretch of the joint rule for many classes: every class has a plane, and the largest score wins. A mistake,
// unless the true class's score is strictly the largest; then x is added to the true class and subtracted from the
// best of the others (the first of equals).
#pragma once

#include "kernels.hpp"
#include "online_pass.hpp"
#include "rows.hpp"

namespace rosenblatt::ROSENBLATT_ISA {

template <class Rows>
std::uint64_t joint_pass(const Rows& rows, const Examples& examples, const Presentation& at, const Rule& rule,
                         const Weights& weights, Problem& problem, std::size_t count, double* scores) {
    for (std::uint64_t k = at.begin; k < at.end; ++k) {
        prefetch_ahead(rows, examples, at, k);
        const std::size_t i = at.order ? at.order[k] : k;
        const auto truth = static_cast<std::size_t>(examples.labels[i]);
        rows.scores(i, weights, 0, count, scores);
        std::size_t rival = truth == 0 ? 1 : 0;
        for (std::size_t c = 0; c < count; ++c) {
            scores[c] += weights.offsets[c];
            if (!(scores[c] <= kLargest && scores[c] >= -kLargest)) {
                problem.not_finite = true;
                return k + 1;
            }
            if (c != truth && scores[c] > scores[rival]) rival = c;
        }
        if (scores[truth] > scores[rival]) continue;
        const double step = examples.steps ? examples.steps[i] : rule.eta0;
        rows.add(i, step, weights, truth);
        rows.add(i, -step, weights, rival);
        if (rule.fit_intercept) {
            weights.offsets[truth] += step;
            weights.offsets[rival] -= step;
        }
        problem.epoch_errors += 1;
        problem.epoch_loss += scores[rival] - scores[truth];
        problem.epoch_mistakes += 1;
        problem.mistakes += 1;
        problem.last_change = at.presented + (k - at.begin) + 1;
        if (at.recorder) at.recorder->note(at.recorder->self, rival, i, problem.last_change);
        if (problem.mistakes >= problem.max_updates) return k + 1;
    }
    return at.end;
}

}  // namespace rosenblatt::ROSENBLATT_ISA
