// One stretch of a run exactly as scikit-learn computes it, rounding by rounding.
//
// Problem: for each example in turn, p = scale * (w . x) + w0. The loss at p and the rate give the update c: for the perceptron
// c = eta0 y where y p <= 0. Then w += (c / scale) x and w0 += c * decay, where c is multiplied by the class weight and the
// sample weight. Penalties: l2 multiplies `scale` by 1 - (1 - l1_ratio) eta alpha before each update, l1 moves the touched
// weights towards zero after it.
//
// scikit-learn sums w . x one product after the other, which takes about four cycles per value. Here the sum is taken in
// lanes (rows.hpp), and two sums of the same products differ by a bounded rounding error. Only where the score is
// within that bound of the loss's threshold, or its value enters the objective or the update, is it summed again in the
// order of scikit-learn. So the path is bit for bit that of scikit-learn as compiled without fused operations (x86-64), at
// the cost of the lanes.
#pragma once

#include <math.h>

#include <cstddef>
#include <cstdint>

#include "compat/compat.hpp"
#include "compat/compat_steps.hpp"
#include "simd/kernels.hpp"

namespace rosenblatt::ROSENBLATT_ISA {

// Bound on the difference of the score in lanes and the score in order, given that the `count` products sum to at most
// `total` in magnitude. Each sum of double products is within count * 2^-53 * total of the exact one; float products,
// and a sum that is returned as a float, are each within 2^-24. The last term covers what underflows.
template <class Value>
double rounding_bound(double count, double total) {
    constexpr double kDoubleUnit = 1.0 / (1ull << 53);
    constexpr double kFloatUnit = 1.0 / (1ull << 24);
    constexpr bool narrow = sizeof(Value) == sizeof(float);
    return (4 * count + 16) * kDoubleUnit * total + (narrow ? 4 * kFloatUnit * total + (count + 1) * 1e-44 : 0.0) +
           (count + 1) * 1e-307;
}

struct OrderedSums {
    double dot;           // scale * (w . x)
    double squared_norm;  // x . x
};

// Both sums as scikit-learn rounds them, one product after the other: w . x with products in the type of the rows and the
// scaled sum in that type, x . x in double precision. Neither sum waits for the other, so the second one costs little.
template <class Rows>
OrderedSums sums_in_order(const Rows& rows, std::size_t i, const CompatProblem& problem) {
    using Value = typename StepsOf<Rows>::value_type;
    const double* w = problem.weights.data;
    double dot = 0;
    double squares = 0;
    StepsOf<Rows>::visit(rows, i, [&](std::size_t j, Value x) {
        dot += static_cast<double>(static_cast<Value>(static_cast<Value>(w[j]) * x));
        squares += static_cast<double>(x) * static_cast<double>(x);
    });
    return {static_cast<Value>(dot * problem.scale), squares};
}

// The norms after an update, of the features that it touched.
template <class Rows>
void measure(const Rows& rows, std::size_t i, CompatProblem& problem) {
    using Value = typename StepsOf<Rows>::value_type;
    const double* w = problem.weights.data;
    double squares = 0;
    double sizes = 0;
    StepsOf<Rows>::visit(rows, i, [&](std::size_t j, Value) {
        const auto weight = static_cast<Value>(w[j]);
        squares += static_cast<double>(static_cast<Value>(weight * weight));
        sizes += fabs(w[j]);
    });
    const auto scale = static_cast<Value>(problem.scale);
    problem.sq_norm = squares * static_cast<double>(static_cast<Value>(scale * scale));
    problem.l1_norm = sizes * static_cast<double>(scale);
}

// w <- scale * w, scale <- 1. All features.
template <class Value>
void fold_scale(CompatProblem& problem, std::size_t features) {
    double* w = problem.weights.data;
    double largest = 0;
    for (std::size_t j = 0; j < features; ++j) {
        w[j] = static_cast<Value>(static_cast<Value>(w[j]) * static_cast<Value>(problem.scale));
        const double size = fabs(w[j]);
        largest = size > largest ? size : largest;
    }
    problem.scale = 1;
    problem.largest = largest;
}

template <class Rows>
void shrink(const Rows& rows, const CompatRule& rule, double eta, std::size_t features, CompatProblem& problem) {
    using Value = typename StepsOf<Rows>::value_type;
    constexpr bool narrow = sizeof(Value) == sizeof(float);
    constexpr double kSmallest = narrow ? 1e-6 : 1e-9;
    const double shrinking = 1.0 - (1.0 - rule.l1_ratio) * eta * rule.alpha;
    const double factor = shrinking > 0 ? shrinking : 0.0;
    const auto c = static_cast<Value>(factor);
    problem.scale *= static_cast<double>(c);
    problem.sq_norm *= static_cast<double>(static_cast<Value>(c * c));
    problem.l1_norm *= static_cast<double>(c);
    if (problem.scale >= kSmallest) return;
    if (problem.average) fold_average(rule, narrow, features, problem);
    fold_scale<Value>(problem, features);
    StepsOf<Rows>::settle(rows, problem.weights.data);
}

// Moves the touched weights towards zero by the penalty since they were last touched, but not beyond zero.
template <class Rows>
void truncate(const Rows& rows, std::size_t i, CompatProblem& problem) {
    using Value = typename StepsOf<Rows>::value_type;
    double* w = problem.weights.data;
    double* applied = problem.applied_penalty;
    const double penalty = problem.l1_penalty;
    const double scale = problem.scale;
    StepsOf<Rows>::visit(rows, i, [&](std::size_t j, Value) {
        const double before = w[j];
        const double down = before - (penalty + applied[j]) / scale;
        const double up = before + (penalty - applied[j]) / scale;
        const double size = scale * before;
        double after = before;
        after = size > 0 ? (down > 0 ? down : 0.0) : after;
        after = size < 0 ? (up < 0 ? up : 0.0) : after;
        w[j] = static_cast<Value>(after);
        applied[j] = static_cast<Value>(applied[j] + scale * (w[j] - before));
    });
    StepsOf<Rows>::settle(rows, w);
}

// Averages the weights and the offset after the `number`-th step of the average, which was `update`.
template <class Rows>
void add_to_average(const Rows& rows, std::size_t i, double update, double number, CompatProblem& problem) {
    using Value = typename StepsOf<Rows>::value_type;
    const auto rounded = static_cast<double>(static_cast<Value>(number));
    const double share = 1.0 / rounded;
    const double change = -static_cast<double>(static_cast<Value>(update)) / problem.scale;
    if (update != 0) {
        double* average = problem.average;
        const double a = problem.average_a;
        StepsOf<Rows>::visit(rows, i, [&](std::size_t j, Value x) {
            average[j] = static_cast<Value>(average[j] + a * static_cast<double>(x) * change);
        });
    }
    if (rounded > 1) problem.average_b /= 1.0 - share;
    problem.average_a += share * problem.average_b * problem.scale;
    problem.average_offset += (problem.weights.offsets[0] - problem.average_offset) / number;
}

inline double step_size(const CompatRule& rule, const CompatProblem& problem) {
    if (rule.rate == Rate::optimal) return 1.0 / (rule.alpha * (rule.optimal_init + problem.t - 1));
    if (rule.rate == Rate::invscaling) return rule.eta0 / pow(problem.t, rule.power_t);
    return problem.eta;
}

// The update before class and sample weights, from the gradient of the loss, which scikit-learn clips.
inline double gradient_step(const CompatRule& rule, double eta, double y, double violation, double score) {
    constexpr double kSteepest = 1e12;
    if (rule.loss == Loss::hinge) return eta * y;
    if (rule.loss == Loss::epsilon_insensitive) return y - score > 0 ? eta : -eta;
    const double slope = 2 * y * violation;
    return eta * (slope > kSteepest ? kSteepest : slope < -kSteepest ? -kSteepest : slope);
}

// `perceptron`: the rule is the plain one (CompatRule::is_perceptron), so that the other losses and rates cost nothing.
template <bool perceptron, class Rows>
void compat_pass(const Rows& rows, const CompatExamples& examples, const Presentation& at, const CompatRule& rule,
                 CompatProblem& problem) {
    using Steps = StepsOf<Rows>;
    using Value = typename Steps::value_type;
    constexpr double kLargest = 1.7976931348623157e308;
    constexpr double kUnit = 1.0 / (1ull << 53);
    const std::size_t features = examples.rows.features;
    const double threshold = perceptron ? 0.0 : rule.threshold;
    const bool has_targets = !perceptron && rule.loss == Loss::epsilon_insensitive;
    const bool passive = !perceptron && is_passive(rule.rate);
    const bool updates_at_threshold = perceptron || (rule.loss == Loss::hinge && !passive);
    const bool needs_score = rule.needs_objective || passive || (!perceptron && rule.loss != Loss::hinge);
    double& offset = problem.weights.offsets[0];
    const std::uint64_t ahead = Steps::ahead(rows);
    const bool streaming = !Rows::kDense && !at.order;
    const bool far_weights = rows.far_weights(at.order);
    constexpr std::uint64_t kWeightsAhead = 2;

    for (std::uint64_t k = at.begin; k < at.end; ++k) {
        if (at.order && k + 2 * ahead < at.end) {
            rows.prefetch_place(at.order[k + 2 * ahead]);
            const std::uint32_t next = at.order[k + ahead];
            Steps::prefetch(rows, next);
            if (!has_targets) ROSENBLATT_PREFETCH(examples.labels + next);
        }
        if (far_weights && k + kWeightsAhead < at.end)
            rows.prefetch_weights(at.order ? at.order[k + kWeightsAhead] : k + kWeightsAhead, problem.weights);
        const std::size_t i = at.order ? at.order[k] : k;
        if (examples.held_back && examples.held_back[i]) continue;

        const bool positive = has_targets || examples.labels[i] == problem.positive;
        const double y = has_targets ? examples.targets[i] : positive ? 1.0 : -1.0;
        // By how much the score is on the wrong side of the threshold.
        const auto violation_at = [&](double score) {
            return has_targets ? fabs(y - score) - threshold : threshold - (positive ? score : -score);
        };
        const double dot = streaming ? rows.template score<true>(i, problem.weights) : rows.score(i, problem.weights);
        double score = dot * problem.scale + offset;
        double violation = violation_at(score);
        const auto count = static_cast<double>(Steps::count(rows, i));
        double bound = rounding_bound<Value>(count, count * examples.largest * problem.largest * problem.scale);
        if (!perceptron) bound += 8 * kUnit * (fabs(score) + fabs(y) + threshold);  // of the last two subtractions
        const bool clear = violation < -bound || (violation > bound && !needs_score);
        const bool in_order = !(clear && bound <= kLargest);
        OrderedSums sums{};
        if (in_order) {
            sums = sums_in_order(rows, i, problem);
            score = sums.dot + offset;
            violation = violation_at(score);
        }
        const bool wrong = updates_at_threshold ? violation >= 0 : violation > 0;
        const double loss = !wrong ? 0.0 : rule.loss == Loss::squared_hinge ? violation * violation : violation;
        if (rule.needs_objective) {
            problem.epoch_objective += loss;
            if (rule.penalty != Penalty::none && rule.penalty_in_objective && !passive) {
                const auto norm = static_cast<Value>(sqrt(problem.sq_norm));
                problem.epoch_objective +=
                    rule.alpha * ((1 - rule.l1_ratio) * 0.5 * static_cast<double>(static_cast<Value>(norm * norm)) +
                                  rule.l1_ratio * static_cast<double>(static_cast<Value>(problem.l1_norm)));
            }
        }
        problem.epoch_wrong += wrong;
        const double eta = perceptron ? rule.eta0 : step_size(rule, problem);
        double update = 0;
        if (passive) {
            // An example of norm zero is skipped, which makes a difference only with an average or a penalty.
            if (loss > 0 || rule.average || rule.penalty != Penalty::none) {
                const double norm = in_order ? sums.squared_norm : sums_in_order(rows, i, problem).squared_norm;
                if (rule.rate == Rate::pa1 && norm == 0) continue;
                const double step = rule.rate == Rate::pa2 ? loss / (norm + 0.5 / rule.eta0)
                                    : loss / norm < rule.eta0 ? loss / norm
                                                              : rule.eta0;
                update = (has_targets ? y - score < 0 : !positive) ? -step : step;
            }
        } else if (wrong) {
            update = perceptron ? (positive ? eta : -eta) : gradient_step(rule, eta, y, violation, score);
        }
        if (shrinks(rule.penalty)) shrink(rows, rule, eta, features, problem);
        if (update != 0) {
            const auto class_weight = static_cast<Value>(positive ? problem.positive_weight : problem.negative_weight);
            const auto weight = examples.sample_weight ? static_cast<Value>(examples.sample_weight[i]) : Value(1);
            update *= static_cast<double>(static_cast<Value>(class_weight * weight));
        }
        if (update != 0) {
            const auto change = static_cast<Value>(static_cast<Value>(update) / static_cast<Value>(problem.scale));
            Steps::add(rows, i, static_cast<double>(change), examples.largest, problem);
            if (rule.needs_objective && rule.penalty != Penalty::none) measure(rows, i, problem);
            if (rule.fit_intercept) offset += update * rule.intercept_decay;
            problem.mistakes += 1;
            problem.epoch_mistakes += 1;
        }
        if (!perceptron) {
            const double number = problem.t - static_cast<double>(rule.average) + 1;
            if (rule.average && number >= 1) add_to_average(rows, i, update, number, problem);
            problem.t += 1;
        }
        if (truncates(rule.penalty)) {
            problem.l1_penalty += rule.l1_ratio * eta * rule.alpha;
            truncate(rows, i, problem);
        }
    }
}

}  // namespace rosenblatt::ROSENBLATT_ISA
