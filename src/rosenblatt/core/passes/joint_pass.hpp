// One stretch of the joint rule for many classes. Every class has a plane, and the class with the largest score is
// predicted. An example is a mistake unless the score of its class is strictly the largest. Then x is subtracted from the planes
// of the rivals and added to that of its class once for each of them, so that the planes' sum does not change. The rivals are the
// best of the other classes (the first of equals), or all that are not below the true class (rule.hpp).
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
        double punished = 0;
        for (std::size_t c = 0; c < planes.count; ++c) {
            if (c == truth || !rule.punishes(scores[truth] - scores[c], c == rival)) continue;
            add_to_plane(rows, rule, planes, c, i, -scale, moment);
            note_update(at, c, i, scale, moment);
            punished += 1;
        }
        add_to_plane(rows, rule, planes, truth, i, scale * punished, moment);
        count_update(problem, agreement, moment);
        if (problem.mistakes >= problem.max_updates) return k + 1;
    }
    return at.end;
}

}  // namespace rosenblatt::ROSENBLATT_ISA
