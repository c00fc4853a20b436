// A run of the dual perceptron: w = sum of coef_j phi(x_j), and a score is sum of coef_j k(x_j, x) + b.
//
// A mistake on example i is coef_i += step * y_i and b += step * y_i (L2, "Dual Perceptrons", with coef = alpha * y; L0,
// "Kernelized perceptron"). The run keeps the scores of its examples up to date: a mistake adds a row of the Gram matrix
// to them, O(n), and correct examples cost nothing. Several problems share the rows.
//
// With the whole Gram matrix, the caller uses `advance`. Without it, the caller repeats: `seek` the next mistake;
// `open_window`, the next few examples; `present_window` with the kernel values among them; update `scores` of all other
// examples by a matrix product; `close_window`. A run of one epoch needs few of these scores: with
// `external_scores`, the caller computes the scores of each window when it is opened. All ways take the same path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "passes/problem.hpp"
#include "passes/rule.hpp"
#include "runs/cycle.hpp"
#include "runs/history.hpp"
#include "runs/online/online_run.hpp"
#include "util/exactness.hpp"
#include "util/random.hpp"

namespace rosenblatt {

struct DualExamples {
    std::size_t count;
    const std::int32_t* labels;
    const double* steps;    // eta0 times the example's weight, or null where every weight is one
    const double* weights;  // the weight itself, for averages; or null
};

// The questions of a run to its caller at the end of an epoch.
enum class Question : std::uint8_t {
    scores,  // the scores of all examples: with external scores, the run has those of the last window only
    grid,    // the grid of the Gram matrix: the state of a shuffled run has come back
    stall,   // whether a stalled problem has a separator
};

enum class DualPause : std::uint8_t { slice, epoch, question, window, done };

class DualRun {
   public:
    // `external_scores`: the caller supplies the scores of each window. `external_coef`: the caller also keeps the coefficients, for a
    // budget of support vectors.
    DualRun(const DualExamples& examples, const Plan& plan, const std::vector<std::int32_t>& positives, bool external_scores,
            bool external_coef);

    // With the whole Gram matrix in row-major order: runs for about `work` touched values, or to the end of the epoch.
    DualPause advance(const double* gram, std::uint64_t work, bool pause_at_epoch);

    // Without it: runs to the next mistake (with external scores, to the next example), or to the end of the epoch.
    DualPause seek(bool pause_at_epoch);
    // The next examples, at most `limit`.
    const std::vector<std::uint32_t>& open_window(std::size_t limit);
    // Presents them, given the matrix of their kernel values.
    void present_window(const double* gram);
    // The scores of the window without offsets, one row per plane.
    double* window_scores() { return window_scores_.data(); }
    // Presents examples of the window up to the next mistake and returns its index in the window, if there is one.
    std::optional<std::size_t> present_to_mistake();
    const std::vector<std::size_t>& rivals() const { return rivals_; }  // of that mistake, under the joint rule
    // The examples whose coefficients the window has changed, and one row of changes for each.
    const std::vector<std::uint32_t>& changed() const { return changed_; }
    const std::vector<double>& changes() const { return changes_; }
    // Call this after all scores have been updated (not needed with external scores).
    void close_window();
    bool done() const { return live_.empty(); }

    Question question() const { return *question_; }
    std::size_t question_problem() const { return question_problem_; }  // the problem that the question is about
    void answer_scores();
    void answer_grid(const Grid& gram);
    void answer_stall(bool go_on, Ending otherwise);

    // Ends all running problems.
    void end_all(Ending ending);

    Outcome outcome(std::size_t problem) const;
    std::size_t examples() const { return count_; }
    std::size_t planes() const { return planes_; }
    std::uint64_t epochs() const { return epoch_; }
    std::uint64_t presented() const { return presented_; }
    std::uint64_t not_finite() const { return not_finite_; }
    std::vector<double>& scores() { return scores_; }  // without the offset, one row per plane
    const std::vector<double>& coef() const { return coef_; }
    const std::vector<double>& offsets() const { return offsets_; }
    // The mean of coefficients and offsets over all examples presented.
    std::vector<double> average_coef() const;
    std::vector<double> average_offsets() const;
    const History& history() const { return history_; }
    const std::vector<Update>& updates() const { return updates_; }
    const std::vector<double>& clocks() const { return clocks_; }  // the clock before each of them

   private:
    // Scores that an update changes at once, and the kernel values for it.
    struct Space {
        double* scores;
        std::size_t size;  // number of examples, and the stride from plane to plane
        const double* gram;
    };

    struct Live {
        std::size_t id;
        std::vector<double> kept;         // scores and offset of an earlier epoch
        BrentSchedule schedule{0, 1};
        std::uint64_t period = 0;
        std::uint64_t best_errors = kNoLimit;
        std::uint64_t best_epoch = 0;
        bool separable = false;
    };

    // y * score of an example, and under the joint rule the best of the other classes.
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
    void find_rivals(std::size_t truth, std::size_t best, const Space& space, std::size_t at);
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
    void settle(bool epoch_ended);
    EpochFacts facts_of(const Live& live, bool epoch_ended) const;
    void retire(const Live& live, Ending ending);
    void drop(const std::vector<bool>& ended);
    void add_to_row(const Problem& problem);
    void close_row();
    void ask(Question question, std::size_t problem);

    DualExamples examples_;
    std::uint64_t count_;
    Plan plan_;
    bool external_scores_;
    bool external_coef_;
    std::size_t planes_;
    std::size_t planes_each_;  // per problem
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
    std::uint64_t reported_epochs_ = 0;  // epochs whose end was reported to the caller
    std::optional<Question> question_;
    std::size_t question_problem_ = 0;
    std::vector<std::size_t> rivals_;

    std::vector<std::uint32_t> misclassified_;
    Stream draws_{0, Purpose::sample, 0};
    std::uint32_t drawn_ = 0;
    bool has_draw_ = false;

    std::vector<std::uint32_t> window_;
    std::uint64_t window_begin_ = 0;
    std::vector<double> window_scores_;
    std::vector<std::uint32_t> changed_;
    std::vector<double> changes_;
    std::uint64_t complete_from_ = 0;  // with external scores, scores before this position of the order are out of date

    History history_;
    EpochRow row_{};
    bool row_open_ = false;
};

}  // namespace rosenblatt
