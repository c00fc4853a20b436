// A run of scikit-learn's stochastic gradient descent: its shuffles, its two stopping rules, and the ending of each problem.
//
// Problems of one run see the same examples in the same order (one against the rest, unshuffled) and share each pass over
// memory; each ends on its own. Under shuffle every problem has a seed, and so a run, of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "compat/compat.hpp"
#include "rows/weight_store.hpp"
#include "simd/kernels.hpp"

namespace rosenblatt {

// scikit-learn's order. Every epoch restarts a xorshift generator at the same seed and shuffles the order of the last epoch.
// So every epoch applies the same permutation, which is computed once.
class CompatOrder {
   public:
    CompatOrder(std::uint32_t n, std::uint32_t seed) : n_(n), seed_(seed) {}

    const std::uint32_t* next();

   private:
    std::uint32_t n_;
    std::uint32_t seed_;
    std::vector<std::uint32_t> permutation_;
    std::vector<std::uint32_t> order_;
    std::vector<std::uint32_t> before_;
};

struct CompatPlan : CompatRule {
    bool shuffle = true;
    std::uint32_t seed = 0;
    bool early_stopping = false;  // the caller scores the weights after each epoch
    std::uint64_t max_iter = 1;
    double tol = 0;             // -infinity disables the rule
    double examples_of_objective = 1;  // the epoch's objective is divided by this before it is compared
    std::uint64_t n_iter_no_change = 1;
};

struct CompatStart {
    std::int32_t positive;
    double positive_weight;
    double negative_weight;
    double offset;
    double sq_norm;
    double l1_norm;
    double average_offset;
};

enum class CompatEnding : std::uint8_t { running, separated, early_stopped, stalled, max_iter, not_finite };
enum class CompatPause : std::uint8_t { slice, epoch, done };

class CompatRun {
   public:
    // `start` has one row of weights per problem, and `averages` one row of averaged weights, or is null without averages.
    // `t` is the number of the first step.
    CompatRun(const CompatExamples& examples, const CompatPlan& plan, const std::vector<CompatStart>& problems,
              const double* start, const double* averages, double t);

    // Runs for about `work` touched values, or to the end. With early stopping it pauses after each epoch until `set_score` was
    // called for every running problem; otherwise it pauses after an epoch if requested.
    CompatPause advance(std::uint64_t work, bool pause_at_epoch);
    void set_score(std::size_t c, double score);

    bool running(std::size_t c) const { return states_[c].ending == CompatEnding::running; }
    CompatEnding ending(std::size_t c) const { return states_[c].ending; }
    std::uint64_t epochs(std::size_t c) const { return states_[c].epochs; }
    const CompatProblem& problem(std::size_t c) const { return problems_[c]; }
    void weights(std::size_t c, double* w) const { stores_[c].get(0, w); }
    const std::vector<double>& average(std::size_t c) const { return averages_[c]; }
    std::size_t problems() const { return problems_.size(); }

   private:
    struct State {
        CompatEnding ending = CompatEnding::running;
        std::uint64_t epochs = 0;
        std::uint64_t without_improvement = 0;
        double best_objective = std::numeric_limits<double>::infinity();
        double best_score = -std::numeric_limits<double>::infinity();
        bool clean = false;  // the last epoch changed nothing, so no later one will
    };

    void begin_epoch();
    void finish_epoch(std::size_t c);
    void apply_stopping_rules(std::size_t c, double value);
    void compare(State& state, double value) const;
    bool lower_rate(std::size_t c);
    bool refresh(std::size_t c);
    void end(std::size_t c, CompatEnding ending);
    bool narrow() const;

    CompatExamples examples_;
    CompatPlan plan_;
    std::vector<WeightStore> stores_;
    std::vector<std::vector<double>> applied_penalties_;
    std::vector<std::vector<double>> averages_;
    std::vector<CompatProblem> problems_;
    std::vector<State> states_;
    CompatOrder order_;
    const std::uint32_t* presentation_ = nullptr;
    std::uint64_t position_ = 0;
    bool in_epoch_ = false;
    std::uint64_t stretch_;  // examples per stretch, which all problems process in turn
    std::uint64_t example_work_;
};

}  // namespace rosenblatt
