// A whole run of scikit-learn's perceptron: its shuffles, its two ways to stop, and how each problem ended in our words.
//
// Problems of one run see the same examples in the same order (one against the rest, unshuffled) and share each visit to
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

// scikit-learn's order. Every epoch restarts a xorshift generator at the same seed and shuffles what the last epoch left.
// So every epoch applies one and the same permutation, which is made once.
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

struct CompatPlan {
    CompatRule rule;
    bool shuffle = true;
    std::uint32_t seed = 0;
    bool early_stopping = false;  // the caller scores each epoch
    std::uint64_t max_iter = 1;
    double tol = 0;             // -infinity: never stops before max_iter
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
};

enum class CompatEnding : std::uint8_t { running, separated, early_stopped, stalled, max_iter, not_finite };
enum class CompatPause : std::uint8_t { slice, epoch, done };

class CompatRun {
   public:
    // `start` holds one row of weights a problem.
    CompatRun(const CompatExamples& examples, const CompatPlan& plan, const std::vector<CompatStart>& problems,
              const double* start);

    // Runs on for about `work` touched values, or to the end. With early stopping it pauses after each epoch, until
    // `judge` was called for every problem that runs; otherwise, if asked, for the caller to look.
    CompatPause advance(std::uint64_t work, bool pause_at_epoch);
    void judge(std::size_t c, double score);

    bool running(std::size_t c) const { return states_[c].ending == CompatEnding::running; }
    CompatEnding ending(std::size_t c) const { return states_[c].ending; }
    std::uint64_t epochs(std::size_t c) const { return states_[c].epochs; }
    const CompatProblem& problem(std::size_t c) const { return problems_[c]; }
    void weights(std::size_t c, double* w) const { stores_[c].get(0, w); }
    std::size_t problems() const { return problems_.size(); }

   private:
    struct State {
        CompatEnding ending = CompatEnding::running;
        std::uint64_t epochs = 0;
        std::uint64_t without_improvement = 0;
        double best_objective = std::numeric_limits<double>::infinity();
        double best_score = -std::numeric_limits<double>::infinity();
        bool clean = false;  // nothing changed in the last epoch, and nothing ever will
    };

    void begin_epoch();
    void finish_epoch(std::size_t c);
    void look(std::size_t c, double value);
    void compare(State& state, double value) const;
    bool refresh(std::size_t c);
    void end(std::size_t c, CompatEnding ending);
    bool narrow() const;

    CompatExamples examples_;
    CompatPlan plan_;
    std::vector<WeightStore> stores_;
    std::vector<std::vector<double>> pulled_;
    std::vector<CompatProblem> problems_;
    std::vector<State> states_;
    CompatOrder order_;
    const std::uint32_t* presentation_ = nullptr;
    std::uint64_t position_ = 0;
    bool in_epoch_ = false;
    std::uint64_t stretch_;  // examples that every problem sees before the next ones are fetched
    std::uint64_t example_work_;
};

}  // namespace rosenblatt
