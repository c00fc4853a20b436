// The rule, the examples and the state of one problem of scikit-learn's Perceptron, SGD and passive-aggressive classes.
// Names are those of scikit-learn where the meaning is the same (version 1.9.1: _sgd_fast.pyx.tp, _weight_vector.pyx.tp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "rows/views.hpp"

namespace rosenblatt {

enum class Penalty : std::uint8_t { none, l1, l2, elasticnet };

constexpr bool shrinks(Penalty penalty) { return penalty == Penalty::l2 || penalty == Penalty::elasticnet; }
constexpr bool truncates(Penalty penalty) { return penalty == Penalty::l1 || penalty == Penalty::elasticnet; }

// hinge: max(0, threshold - y p), the perceptron's loss where the threshold is 0. epsilon_insensitive: max(0, |y - p| -
// threshold), for targets instead of classes.
enum class Loss : std::uint8_t { hinge, squared_hinge, epsilon_insensitive };

// pa1 and pa2: the passive-aggressive steps of Crammer et al. (2006), whose aggressiveness C is eta0.
enum class Rate : std::uint8_t { constant, optimal, invscaling, adaptive, pa1, pa2 };

constexpr bool is_passive(Rate rate) { return rate == Rate::pa1 || rate == Rate::pa2; }

// y <- y + a x, in double and in single precision, with BLAS's signature. scikit-learn folds averages with SciPy's, whose
// rounding depends on the machine.
struct Axpy {
    void (*float64)(int* n, double* a, double* x, int* x_step, double* y, int* y_step) = nullptr;
    void (*float32)(int* n, float* a, float* x, int* x_step, float* y, int* y_step) = nullptr;
};

struct CompatRule {
    Loss loss = Loss::hinge;
    double threshold = 0;
    Rate rate = Rate::constant;
    double eta0 = 1;
    double power_t = 0.5;       // of invscaling
    double optimal_init = 0;    // of optimal
    std::uint64_t average = 0;  // the weights are averaged from this step on; 0: never
    Axpy axpy;
    Penalty penalty = Penalty::none;
    double alpha = 0;
    double l1_ratio = 0;  // 0 for l2, 1 for l1
    bool fit_intercept = true;
    double intercept_decay = 1;        // 0.01 for sparse rows, which damps the intercept
    bool needs_objective = false;      // a stopping rule needs the objective
    bool penalty_in_objective = true;  // since scikit-learn 1.8

    // The perceptron itself, for which the pass has a faster form.
    bool is_perceptron() const {
        return loss == Loss::hinge && threshold == 0 && rate == Rate::constant && average == 0;
    }
};

struct CompatExamples {
    RowsView rows;
    const std::int32_t* labels;      // class codes, one per example; negative if the class is unknown; null for targets
    const double* targets;           // rounded to the type of the rows; null for classes
    const double* sample_weight;     // already rounded to the type of the rows; null if all weights are one
    const std::uint8_t* held_back;   // validation examples, which are not learned; null without them
    double largest;                  // bound on the magnitude of all values of the rows
};

// One class against the rest, or the later of two classes against the earlier. The weights are scale * w. Where rows
// hold float32, so does w: its values are rounded to float32 after every operation, whatever the type that keeps them.
struct CompatProblem {
    std::int32_t positive;
    double positive_weight;
    double negative_weight;

    Weights weights;  // one plane; w0 is offsets[0]
    double scale = 1;
    double largest = 0;  // bound on the magnitude of all weights w

    double eta = 1;  // the step size; adaptive lowers it
    double t = 1;    // the number of the step

    // The average is (average + average_a * w) / average_b (Bottou 2012, section 5.1).
    double* average = nullptr;
    double average_a = 0;
    double average_b = 1;
    double average_offset = 0;

    // The norms that scikit-learn adds to its objective. After an update they are those of the touched weights alone.
    double sq_norm = 0;
    double l1_norm = 0;

    // Cumulative L1 penalty (Tsuruoka, Tsujii, Ananiadou 2009): the penalty that each weight could have received so far, and
    // the penalty that each weight has received (u and q there).
    double l1_penalty = 0;
    double* applied_penalty = nullptr;

    std::uint64_t mistakes = 0;  // updates of the whole run

    // Of the present epoch:
    std::uint64_t epoch_wrong = 0;  // examples with a loss or at the threshold, those of weight zero included
    std::uint64_t epoch_mistakes = 0;
    double epoch_objective = 0;
};

// Adds average_a * w to the average and divides it by average_b, as scikit-learn does before it scales w.
void fold_average(const CompatRule& rule, bool narrow, std::size_t features, CompatProblem& problem);

}  // namespace rosenblatt
