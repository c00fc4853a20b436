// One stretch of the joint rule for many classes: every class has a plane, and the largest score wins. A mistake,
// unless the true class's score is strictly the largest; then x is added to the true class and subtracted from the
// best of the others (the first of equals).
#pragma once

#include "passes/update.hpp"
#include "rows/rows.hpp"
#include "simd/kernels.hpp"

namespace rosenblatt::ROSENBLATT_ISA {

template <class Rows>
std::uint64_t joint_pass(const Rows& rows, const Examples& examples, const Presentation& at, const Rule& rule,
                         const Planes& planes, Problem& problem, double* scores) {
    const Weights& weights = planes.weights;
    for (std::uint64_t k = at.begin; k < at.end; ++k) {
        prefetch_ahead(rows, examples.labels, at, k);
        const std::size_t i = at.order ? at.order[k] : k;
        const Moment moment = moment_of(examples, at, k, i);
        const auto truth = static_cast<std::size_t>(examples.labels[i]);
        rows.scores(i, weights, 0, planes.count, scores);
        std::size_t rival = truth == 0 ? 1 : 0;
        for (std::size_t c = 0; c < planes.count; ++c) {
            scores[c] += weights.offsets[c];
            if (!(scores[c] <= kLargest && scores[c] >= -kLargest)) {
                problem.not_finite = true;
                return k + 1;
            }
        }
        for (std::size_t c = 0; c < planes.count; ++c)
            if (c != truth && scores[c] > scores[rival]) rival = c;
        const double agreement = scores[truth] - scores[rival];
        if (agreement > rule.margin) continue;
        problem.epoch_errors += !(agreement > 0);
        if (rule.step != Step::constant && !rule.is_mistake(agreement, true)) continue;
        offer_to_pocket(problem, at, 0, moment);
        const double scale = scale_of(rows, examples, rule, i, agreement, 2.0);
        add_to_plane(rows, rule, planes, truth, i, scale, moment);
        add_to_plane(rows, rule, planes, rival, i, -scale, moment);
        count_update(problem, at, rival, i, agreement, scale, moment);
        if (problem.mistakes >= problem.max_updates) return k + 1;
    }
    return at.end;
}

}  // namespace rosenblatt::ROSENBLATT_ISA
