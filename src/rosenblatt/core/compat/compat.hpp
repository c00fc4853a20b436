// What the pass of scikit-learn's Perceptron works on: its rule, its examples, and one binary problem with its state.
// The names are scikit-learn's where the meaning is (version 1.9.1: _sgd_fast.pyx.tp, _weight_vector.pyx.tp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "rows/views.hpp"

namespace rosenblatt {

enum class Penalty : std::uint8_t { none, l1, l2, elasticnet };

constexpr bool shrinks(Penalty penalty) { return penalty == Penalty::l2 || penalty == Penalty::elasticnet; }
constexpr bool truncates(Penalty penalty) { return penalty == Penalty::l1 || penalty == Penalty::elasticnet; }

struct CompatRule {
    double eta0;
    Penalty penalty;
    double alpha;
    double l1_ratio;  // 0 for l2, 1 for l1
    bool fit_intercept;
    double intercept_decay;    // 0.01 for sparse rows: its answer to an intercept that swings
    bool wants_objective;      // some ending depends on it
    bool penalty_in_objective; // since scikit-learn 1.8
};

struct CompatExamples {
    RowsView rows;
    const std::int32_t* labels;      // class codes, one an example; negative where the class is unknown
    const double* sample_weight;     // already rounded to the type of the rows; null where every weight is one
    const std::uint8_t* held_back;   // examples of the validation part are not learned; null where there is none
    double largest;                  // no value of the rows is larger in magnitude
};

// One class against the rest, or the later of two classes against the earlier. The weights are scale * w. Where rows
// hold float32, so does w: its values are rounded to float32 after every operation, whatever the type that keeps them.
struct CompatProblem {
    std::int32_t positive;
    double positive_weight;
    double negative_weight;

    Weights weights;  // one plane; w0 is offsets[0]
    double scale = 1;
    double largest = 0;  // no weight of w is larger in magnitude

    // The norms that scikit-learn adds to its objective. After an update they are those of the touched weights alone.
    double sq_norm = 0;
    double l1_norm = 0;

    // Truncation (Tsuruoka, Tsujii, Ananiadou 2009): what each weight could have been pulled so far, and what it was.
    double pull = 0;
    double* pulled = nullptr;

    std::uint64_t mistakes = 0;  // updates, of the whole run

    // Of the present epoch:
    std::uint64_t epoch_wrong = 0;  // y * score <= 0, examples of weight zero included
    std::uint64_t epoch_mistakes = 0;
    double epoch_objective = 0;
};

}  // namespace rosenblatt
