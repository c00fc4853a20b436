// A whole run of the online perceptron: epochs, orders, limits, and how it ended.
//
// Several problems (one against the rest) share each pass over the rows; each ends on its own and is then taken out,
// so that what is left runs as if alone. A run advances in slices, so that its caller can stop it, look at it, or let
// others have their turn; a slice never changes the path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "accelerate/accelerator.hpp"
#include "accelerate/quantized/quantized_rows.hpp"
#include "passes/problem.hpp"
#include "rows/weight_store.hpp"
#include "runs/cycle.hpp"
#include "runs/endings.hpp"
#include "runs/history.hpp"
#include "runs/plan.hpp"
#include "simd/kernels.hpp"
#include "util/exactness.hpp"
#include "util/random.hpp"

namespace rosenblatt {

// A kernel call is short enough for a caller to break in, long enough that calling it costs nothing.
constexpr std::uint64_t kStretchWork = 1 << 24;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// An update: of this problem (under the joint rule, away from this class), by this example, after so many had been
// presented, it included.
struct Update {
    std::uint64_t presented;
    std::uint32_t problem;
    std::uint32_t example;
};

// Weights as plain vectors: one row and one offset a plane.
struct Snapshot {
    std::vector<double> w;
    std::vector<double> offsets;
};

struct Outcome {
    Ending ending = Ending::running;
    std::uint64_t epochs = 0;
    std::uint64_t mistakes = 0;
    std::uint64_t presented = 0;
    double clock = 0;          // the weight of the examples presented; without weights, their number
    std::uint64_t period = 0;  // of a cycle, in epochs; 0 where none is known
    std::uint64_t validated = 0;  // validation examples that the best weights had right
    Snapshot last;
    Snapshot average;  // where asked for
    Snapshot pocket;
    double pocket_run = 0;     // by weight, as the errors are; without weights, counts
    double pocket_errors = 0;  // training errors of the weights in the pocket
    std::uint64_t scored = 0;         // examples scored to compare training errors

    std::vector<AcceleratorUse> accelerators;  // in the order in which they were first used

    // Of the last epoch, and what another run needs to go on from here (Earlier):
    std::uint64_t epoch_errors = 0;
    double epoch_loss = 0;
    std::uint64_t last_change = 0;
    Snapshot delayed;  // the sum that makes the average, where asked for
};

// Where a run stood at the end of an epoch, for one that goes on from it elsewhere: on another machine, or after a stop.
struct Earlier {
    std::uint64_t presented = 0;
    double clock = 0;
    std::vector<std::uint64_t> mistakes;      // one a problem
    std::vector<std::uint64_t> last_changes;  // one a problem
    const double* delayed = nullptr;          // one row a plane, for the average
    const double* delayed_offsets = nullptr;
};

enum class Pause : std::uint8_t { slice, epoch, question, done };

class OnlineRun {
   public:
    // `chosen` lists the examples that take part; null means all. `positives` has one class a problem, or under the
    // joint rule one a plane. `start` holds one row of `features` weights a plane.
    OnlineRun(const Examples& examples, const std::vector<std::uint32_t>* chosen, const Plan& plan,
              const std::vector<std::int32_t>& positives, const double* start, const double* start_offsets);

    // Before the first advance: counts, clock and sums go on from an earlier run, as if it had never stopped.
    void go_on_from(const Earlier& earlier);

    // Runs on for about `work` touched values, or to the next epoch's end if asked, or to a question, or to the end.
    Pause advance(std::uint64_t work, bool pause_at_epoch);

    // The problem whose stall is in question, and the caller's answer: true says that there is a separator to be found,
    // and lets it run on for much longer.
    std::size_t question() const { return *question_; }
    void answer(bool go_on, Ending otherwise);

    // The bytes that copies of the examples may take. Runs that work at the same time divide the memory; rows that lie in a
    // file because memory does not hold them are not copied (0).
    void limit_copies(std::size_t bytes) { memory_limit_ = bytes; }

    // Shares quantized rows with other runs over the same examples and labels, at the same time or later.
    void share_copies(std::shared_ptr<SharedQuantizedRows> shared) { shared_ = std::move(shared); }

    // Ends every problem that still runs.
    void end_all(Ending ending);

    Outcome outcome(std::size_t id) const;
    // The same without a copy, if the problem has ended; else null.
    const Outcome* ended(std::size_t id) const;
    std::size_t problems() const { return outcomes_.size(); }
    std::uint64_t epochs() const { return epoch_; }
    std::uint64_t presented() const { return presented_; }
    // The epoch in which a score or a weight was NaN or infinite, which ends the run; or 0.
    std::uint64_t not_finite() const { return not_finite_; }
    double work() const { return work_; }
    const History& history() const { return history_; }
    const std::vector<Update>& updates() const { return updates_; }
    // What multiplied y * x in each of them, where that is not the example's step.
    const std::vector<double>& scales() const { return scales_; }

   private:
    struct Live {
        std::size_t id;
        CycleWatch watch;
        std::uint64_t best_errors = kNoLimit;
        std::uint64_t best_epoch = 0;
        bool separable = false;  // as the caller said when asked
        std::uint64_t period = 0;  // of a cycle found at the last epoch's end
        std::uint64_t validated = 0;
        std::uint64_t validated_epoch = 0;
        Snapshot best{};  // the weights of that epoch
        Snapshot pocket{};
        std::uint64_t pocket_changed = 0;  // examples presented by then
        double pocket_errors = 0;          // kept up to date by the ratchet only
        std::uint64_t scored = 0;
        bool ended = false;
    };

    void begin_epoch();
    void choose_accelerator();
    void drop_accelerator();
    void free_memory();
    bool any_not_finite();
    std::uint64_t present(const Presentation& stretch);
    std::uint64_t present_stretch(std::uint64_t work);
    std::uint64_t score_stretch();
    std::uint64_t draw();
    void find_misclassified();
    const std::vector<double>* gram_row(std::uint32_t position);
    void score_members(const Weights& weights, std::size_t planes, std::uint64_t begin, std::uint64_t end, double* out);
    std::uint64_t patience_deadline() const;
    void finish_epoch();
    void settle(bool epoch_ended);
    EpochFacts facts_of(std::size_t c, bool epoch_ended) const;
    void retire(std::size_t c, Ending ending);
    void drop_ended();
    void validate();
    double agreement_of(std::size_t c, std::size_t i);
    double agreement_of(std::size_t c, std::size_t i, const double* scores) const;
    std::size_t rival_of(std::size_t i, const double* scores) const;
    bool scores_are_exact();
    std::optional<std::size_t> running(std::size_t id) const;  // where problem `id` is among those that still learn
    Outcome now(std::size_t c) const;
    Snapshot snapshot_of(const WeightStore& store, std::size_t c) const;
    Snapshot snapshot(std::size_t c) const { return snapshot_of(weights_, c); }
    Snapshot average_of(std::size_t c) const;
    double training_errors(std::size_t c, double enough);
    void close_pocket(std::size_t c, Outcome& outcome);
    const std::vector<double>& scores_of(std::size_t i);
    std::uint64_t watched_change(std::size_t c) const;
    static void note(void* self, std::size_t problem, std::size_t example, std::uint64_t presented, double scale);
    static void offer(void* self, std::size_t c, double run, std::uint64_t presented);
    double clock() const { return examples_.weights ? clock_ : static_cast<double>(presented_); }
    void add_to_row(const Problem& problem);
    void close_row();
    bool returned(std::size_t c);
    std::size_t example_at(std::uint64_t k) const { return chosen_.empty() ? k : chosen_[k]; }

    Examples examples_;
    std::vector<std::uint32_t> chosen_;
    std::uint64_t count_;  // examples that take part
    Plan plan_;
    WeightStore weights_;
    std::optional<WeightStore> changes_;  // of a batch
    std::optional<WeightStore> delayed_;  // for the average
    std::optional<Weights> delayed_view_;
    std::vector<Problem> problems_;
    std::vector<Live> live_;
    std::size_t planes_;  // of each problem
    std::vector<std::unique_ptr<Accelerator>> accelerators_;  // in order of precedence
    Accelerator* accelerator_ = nullptr;                      // the one in use
    bool accelerator_ready_ = false;
    bool keeps_gram_rows_;  // for order = misclassified
    std::vector<AcceleratorUse> uses_;
    std::size_t memory_limit_ = std::size_t{1} << 31;
    std::shared_ptr<SharedQuantizedRows> shared_;
    std::vector<double> scores_;
    std::vector<double> scratch_;  // for scores in the middle of a pass
    std::vector<Update> updates_;
    std::vector<double> scales_;
    Listener listener_;
    std::vector<Outcome> outcomes_;

    std::vector<std::uint32_t> order_;
    const std::uint32_t* presentation_ = nullptr;
    std::uint64_t epoch_ = 0;
    std::uint64_t position_ = 0;
    bool in_epoch_ = false;
    std::uint64_t presented_ = 0;
    double clock_ = 0;  // the weights of the examples presented, where they have weights
    std::uint64_t epoch_work_;  // touched values of one pass, for one problem
    double work_ = 0;           // the same, of the whole run
    std::uint64_t not_finite_ = 0;
    std::optional<std::size_t> question_;  // a problem's id
    History history_;
    EpochRow row_{};  // of the present epoch, as far as its problems have ended
    bool row_open_ = false;

    // order = misclassified. Positions are those among the examples that take part.
    std::vector<std::uint32_t> misclassified_;  // positions, in order
    Stream draws_{0, Purpose::sample, 0};
    std::vector<double> known_;      // the scores of all examples, one row of planes each
    std::uint64_t known_until_ = 0;  // the position up to which they are those of the present weights
    std::unordered_map<std::uint32_t, std::vector<double>> gram_rows_;  // by the position of an example drawn before
    std::optional<WeightStore> gram_plane_;

    std::vector<double> row_scores_;

    std::optional<Grid> rows_grid_;
    Grid steps_grid_;
    Grid start_grid_;
};

}  // namespace rosenblatt
