// A whole run of the online perceptron: epochs, orders, limits, and how it ended.
//
// Several problems (one against the rest) share each pass over the rows; each ends on its own and is then taken out,
// so that what is left runs as if alone. A run advances in slices, so that its caller can stop it, look at it, or let
// others have their turn; a slice never changes the path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "cycle.hpp"
#include "exactness.hpp"
#include "history.hpp"
#include "kernels.hpp"
#include "problem.hpp"
#include "random.hpp"
#include "rule.hpp"
#include "weight_store.hpp"

namespace rosenblatt {

// In this order of precedence where several hold at once.
enum class Ending : std::int8_t {
    running = -1,
    separated,
    cycled,
    error_reached,
    unchanged,
    early_stopped,
    inseparable,
    stalled,
    max_updates,
    max_steps,
    max_iter,
};

enum class Order : std::uint8_t {
    cyclic,
    shuffle,
    // L2: sample from the misclassified set M. An epoch scores every example once, which gives M. Then members of M
    // are drawn at random; one that is still wrong is updated and stays, one that has become right leaves M. The epoch
    // is over when M is empty or n updates have been made. Only the draws count as presented examples.
    misclassified,
};

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

struct Limits {
    std::uint64_t max_iter = kNoLimit;
    std::uint64_t max_steps = kNoLimit;
    std::uint64_t max_updates = kNoLimit;
    std::uint64_t patience = kNoLimit;
    double max_error = 0;
    bool may_stall = false;
    bool ask_before_stall = false;  // pause, and let the caller decide
};

struct Plan {
    Rule rule;
    bool joint = false;   // all planes learn as one problem (joint_pass.hpp)
    bool record = false;  // keep every update
    Order order = Order::cyclic;
    std::uint64_t seed = 0;
    std::uint64_t first_epoch = 0;  // epochs of this order that earlier runs have used up
    Limits limits;

    // Early stopping: examples that are scored after each epoch and never trained on, and the epochs without a better
    // score after which a problem ends with its best weights.
    std::vector<std::uint32_t> validation;
    std::uint64_t n_iter_no_change = kNoLimit;
};

// An update: of this problem (under the joint rule, away from this class), by this example, after so many had been
// presented, it included.
struct Update {
    std::uint64_t presented;
    std::uint32_t problem;
    std::uint32_t example;
};

struct Outcome {
    Ending ending = Ending::running;
    std::uint64_t epochs = 0;
    std::uint64_t mistakes = 0;
    std::uint64_t presented = 0;
    std::uint64_t period = 0;  // of a cycle, in epochs; 0 where none is known
    std::uint64_t validated = 0;  // validation examples that the best weights had right
    std::vector<double> offsets;  // one a plane
    std::vector<double> w;        // one row a plane
};

enum class Pause : std::uint8_t { slice, epoch, question, done };

class OnlineRun {
   public:
    // `chosen` lists the examples that take part; null means all. `positives` has one class a problem, or under the
    // joint rule one a plane. `start` holds one row of `features` weights a plane.
    OnlineRun(const Examples& examples, const std::vector<std::uint32_t>* chosen, const Plan& plan,
              const std::vector<std::int32_t>& positives, const double* start, const double* start_offsets);

    // Runs on for about `work` touched values, or to the next epoch's end if asked, or to a question, or to the end.
    Pause advance(std::uint64_t work, bool pause_at_epoch);

    // The problem whose stall is in question, and the caller's answer: true lets it run on, never to stall again.
    std::size_t question() const { return *question_; }
    void answer(bool go_on, Ending otherwise);

    // Ends every problem that still runs.
    void end_all(Ending ending);

    Outcome outcome(std::size_t id) const;
    std::size_t problems() const { return outcomes_.size(); }
    std::uint64_t epochs() const { return epoch_; }
    std::uint64_t presented() const { return presented_; }
    // The epoch in which a score or a weight was NaN or infinite, which ends the run; or 0.
    std::uint64_t not_finite() const { return not_finite_; }
    const History& history() const { return history_; }
    const std::vector<Update>& updates() const { return updates_; }

   private:
    struct Live {
        std::size_t id;
        CycleWatch watch;
        std::uint64_t best_errors = kNoLimit;
        std::uint64_t best_epoch = 0;
        bool never_stalls = false;
        std::uint64_t period = 0;  // of a cycle found at the last epoch's end
        std::uint64_t validated = 0;
        std::uint64_t validated_epoch = 0;
        Outcome best{};  // the weights of that epoch
        bool ended = false;
    };

    void begin_epoch();
    bool any_not_finite();
    std::uint64_t present(Presentation stretch);
    std::uint64_t present_stretch();
    std::uint64_t score_stretch();
    std::uint64_t draw_stretch();
    std::uint64_t patience_deadline() const;
    void finish_epoch();
    void settle(bool at_epoch_end);
    Ending ending_of(std::size_t c, bool at_epoch_end);
    bool stalls(const Live& live) const;
    void retire(std::size_t c, Ending ending);
    void drop_ended();
    void validate();
    bool is_mistake(std::size_t i, double& loss, bool& error);
    Outcome now(std::size_t c) const;
    static void note(void* self, std::size_t problem, std::size_t example, std::uint64_t presented);
    void add_to_row(const Problem& problem);
    void close_row();
    bool returned(std::size_t c);
    std::size_t example_at(std::uint64_t k) const { return chosen_.empty() ? k : chosen_[k]; }

    Examples examples_;
    std::vector<std::uint32_t> chosen_;
    std::uint64_t count_;  // examples that take part
    Plan plan_;
    WeightStore weights_;
    std::vector<Problem> problems_;
    std::vector<Live> live_;
    std::size_t planes_;  // of each problem
    std::vector<double> scores_;
    std::vector<Update> updates_;
    Recorder recorder_;
    std::vector<Outcome> outcomes_;

    std::vector<std::uint32_t> order_;
    const std::uint32_t* presentation_ = nullptr;
    std::uint64_t epoch_ = 0;
    std::uint64_t position_ = 0;
    bool in_epoch_ = false;
    std::uint64_t presented_ = 0;
    std::uint64_t epoch_work_;  // touched values of one pass, for one problem
    double work_ = 0;           // the same, of the whole run
    std::uint64_t not_finite_ = 0;
    std::optional<std::size_t> question_;  // a problem's id
    History history_;
    EpochRow row_{};  // of the present epoch, as far as its problems have ended
    bool row_open_ = false;

    // order = misclassified
    std::vector<std::uint32_t> misclassified_;
    Stream draws_{0, Purpose::sample, 0};
    bool scoring_ = false;
    std::vector<double> row_scores_;

    std::optional<Grid> rows_grid_;
    Grid steps_grid_;
    Grid start_grid_;
};

}  // namespace rosenblatt
