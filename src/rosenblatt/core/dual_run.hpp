// A whole run of the dual perceptron: w = sum of coef_j phi(x_j), and a score is sum of coef_j k(x_j, x) + b.
//
// A mistake on example i is coef_i += step * y_i and b += step * y_i (L2, "Dual Perceptrons", with coef = alpha * y; L0,
// "Kernelized perceptron"). The run keeps the scores of its examples up to date: a mistake adds a row of the Gram matrix
// to them, O(n), and between mistakes nothing is computed at all. Several problems share the rows.
//
// Who has the whole Gram matrix calls `advance`. Who has not calls `seek`, which goes on to the next mistake; hands over
// the kernel values of a window, the next few examples among themselves; and then adds to `scores` what the window's
// mistakes mean for everybody else, with whatever matrix product is at hand. A run of one epoch has no use for most of
// that, and is blind: its caller works out the scores of each window when its turn comes. All walk the same path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "exactness.hpp"
#include "history.hpp"
#include "online_run.hpp"
#include "problem.hpp"
#include "random.hpp"
#include "rule.hpp"

namespace rosenblatt {

struct DualPlan {
    Rule rule;
    bool joint = false;   // all planes learn as one problem: away from the rival, towards the true class
    bool record = false;  // keep every update
    bool blind = false;   // scores are not kept up: the caller gives those of each window
    bool pulled = false;  // ... and keeps the coefficients too (a budget)
    Order order = Order::cyclic;
    std::uint64_t seed = 0;
    Limits limits;
};

struct DualExamples {
    std::size_t count;
    const std::int32_t* labels;
    const double* steps;    // eta0 times the example's weight, or null where every weight is one
    const double* weights;  // the weight itself, by which the average counts; or null
};

// What a run wants to know at the end of an epoch.
enum class Question : std::uint8_t {
    scores,  // the present scores of all examples: a blind run has only the last window's, which are as at the start
    grid,    // the grid of the Gram matrix: the state has come back, in a random order
    stall,   // whether there is a separator, for a problem that gets nowhere
};

enum class DualPause : std::uint8_t { slice, epoch, question, window, done };

class DualRun {
   public:
    DualRun(const DualExamples& examples, const DualPlan& plan, const std::vector<std::int32_t>& positives);

    // With the whole Gram matrix, row by row: runs on for about `work` touched values, or to the epoch's end if asked.
    DualPause advance(const double* gram, std::uint64_t work, bool pause_at_epoch);

    // Without it: goes on to the next mistake, or epoch's end if asked. Where it is blind, to the next example.
    DualPause seek(bool pause_at_epoch);
    // The examples that come next, at most `limit` of them.
    const std::vector<std::uint32_t>& open_window(std::size_t limit);
    // Presents them, given their kernel values among themselves, row by row.
    void present_window(const double* gram);
    // Without offsets, one row a plane.
    double* window_scores() { return window_scores_.data(); }
    // On to the first mistake among the window's examples not yet presented: its place in the window, or nothing.
    std::optional<std::size_t> present_pulled();
    std::size_t rival() const { return rival_; }  // of that mistake, under the joint rule
    // What the window's mistakes have changed: examples, and one row of coefficient changes for each.
    const std::vector<std::uint32_t>& changed() const { return changed_; }
    const std::vector<double>& changes() const { return changes_; }
    // After the caller has brought all scores up to date, unless the run is blind.
    void close_window();
    bool done() const { return live_.empty(); }

    Question question() const { return *question_; }
    std::size_t asking() const { return asking_; }  // the problem in question
    void answer_scores();
    void answer_grid(const Grid& gram);
    void answer_stall(bool go_on, Ending otherwise);

    Outcome outcome(std::size_t problem) const;
    std::size_t examples() const { return count_; }
    std::size_t planes() const { return planes_; }
    std::uint64_t epochs() const { return epoch_; }
    std::uint64_t presented() const { return presented_; }
    std::uint64_t not_finite() const { return not_finite_; }
    std::vector<double>& scores() { return scores_; }  // without the offset, one row a plane
    const std::vector<double>& coef() const { return coef_; }
    const std::vector<double>& offsets() const { return offsets_; }
    // The mean of coefficients and offsets over all examples presented.
    std::vector<double> average_coef() const;
    std::vector<double> average_offsets() const;
    const History& history() const { return history_; }
    const std::vector<Update>& updates() const { return updates_; }
    const std::vector<double>& clocks() const { return clocks_; }  // the clock before each of them

   private:
    // The scores that are kept up to date at once, and the kernel values by which.
    struct Space {
        double* scores;
        std::size_t size;  // examples, and the distance from plane to plane
        const double* gram;
    };

    struct Live {
        std::size_t id;
        std::vector<double> kept;  // scores and offset at epoch 0, 1, 2, 4, 8, ... (Brent 1980)
        std::uint64_t kept_at = 0;
        std::uint64_t keep_next = 1;
        std::uint64_t period = 0;
        std::uint64_t best_errors = kNoLimit;
        std::uint64_t best_epoch = 0;
        bool separable = false;
    };

    // Where example i stands for a problem: y * score, and under the joint rule the best of the other classes.
    struct Standing {
        double agreement;
        bool positive;
        std::size_t rival;
    };

    void begin_epoch();
    Standing standing(std::size_t problem, std::size_t i, const double* scores, std::size_t stride,
                      std::size_t at) const;
    bool is_mistake(const Standing& standing) const;
    bool any_mistake(std::size_t i, const double* scores, std::size_t stride, std::size_t at) const;
    bool present(std::size_t i, const Space& space, std::size_t at);
    void update(std::size_t problem, std::size_t i, const Standing& standing, const Space& space, std::size_t at);
    void change(std::size_t plane, std::size_t i, double scale, const Space& space, std::size_t at);
    double clock() const { return examples_.weights ? clock_ : static_cast<double>(presented_); }
    std::uint64_t stretch_end(std::uint64_t end) const;
    void present_stretch(const Space& space, std::uint64_t end, bool local);
    bool pauses(bool at_epoch);
    void find_misclassified();
    void draw();
    void present_drawn(const Space& space, std::size_t at);

    void finish_epoch();
    void compare();
    void conclude();
    bool same_as_kept(const Live& live, std::uint64_t from) const;
    void keep(Live& live);
    void settle(bool at_epoch_end);
    Ending ending_of(const Live& live, bool at_epoch_end) const;
    void retire(const Live& live, Ending ending);
    void drop(const std::vector<bool>& ended);
    void add_to_row(const Problem& problem);
    void close_row();
    void ask(Question question, std::size_t problem);

    DualExamples examples_;
    std::uint64_t count_;
    DualPlan plan_;
    std::size_t planes_;
    std::size_t planes_each_;  // of one problem
    std::vector<double> scores_, coef_, delayed_;
    std::vector<double> offsets_, delayed_offsets_;
    std::vector<Problem> problems_;
    std::vector<Live> live_;
    std::vector<Outcome> outcomes_;
    std::vector<Update> updates_;
    std::vector<double> clocks_;
    Grid steps_grid_;
    std::optional<Grid> gram_grid_;

    std::vector<std::uint32_t> order_;
    std::uint64_t epoch_ = 0;
    std::uint64_t position_ = 0;
    std::uint64_t presented_ = 0;
    double clock_ = 0;
    double work_ = 0;
    bool in_epoch_ = false;
    std::uint64_t not_finite_ = 0;
    std::uint64_t told_ = 0;  // epochs whose end the caller has heard of
    std::optional<Question> question_;
    std::size_t asking_ = 0;
    std::size_t rival_ = 0;

    std::vector<std::uint32_t> misclassified_;
    Stream draws_{0, Purpose::sample, 0};
    std::uint32_t drawn_ = 0;
    bool has_draw_ = false;

    std::vector<std::uint32_t> window_;
    std::uint64_t window_begin_ = 0;
    std::vector<double> window_scores_;
    std::vector<std::uint32_t> changed_;
    std::vector<double> changes_;
    std::uint64_t complete_from_ = 0;  // in a blind run, scores of earlier positions of the order are out of date

    History history_;
    EpochRow row_{};
    bool row_open_ = false;
};

}  // namespace rosenblatt
