// A run of the online perceptron: epochs, orders, limits and endings.
//
// Several problems (one against the rest) share each pass over the rows. Each problem ends on its own and is then removed;
// the path of the others does not change. A run advances in slices, so that its caller can interrupt or inspect it; slices
// do not change the path.
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

// Touched values per kernel call: short enough for an interrupt, long enough that the call costs nothing.
constexpr std::uint64_t kStretchWork = 1 << 24;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A recorded update. `presented` counts examples, this one included. Under the joint rule `problem` is a rival
// class, and a mistake is recorded once for each of its rivals.
struct Update {
    std::uint64_t presented;
    std::uint32_t problem;
    std::uint32_t example;
};

// A copy of the weights: one row and one offset per plane.
struct Snapshot {
    std::vector<double> w;
    std::vector<double> offsets;
};

struct Outcome {
    Ending ending = Ending::running;
    std::uint64_t epochs = 0;
    std::uint64_t mistakes = 0;
    std::uint64_t presented = 0;
    double clock = 0;          // total weight of the examples presented; without weights, their number
    std::uint64_t period = 0;  // of a cycle, in epochs; 0 without one
    std::uint64_t validated = 0;  // validation examples that the best weights classify correctly
    Snapshot last;
    Snapshot average;  // if requested
    Snapshot pocket;
    double pocket_run = 0;     // weighted, like the errors; without weights, counts
    double pocket_errors = 0;  // training errors of the weights in the pocket
    std::uint64_t pocket_updates = 0;  // mistakes before the weights in the pocket
    std::uint64_t scored = 0;         // examples scored to compare training errors

    std::vector<AcceleratorUse> accelerators;  // in the order in which they were first used

    // Of the last epoch; with it another run can continue this one (Earlier):
    std::uint64_t epoch_errors = 0;
    double epoch_loss = 0;
    std::uint64_t last_change = 0;
    Snapshot delayed;  // the delayed sum of the average, if requested
};

// The state of a run at the end of an epoch, for a run that continues it on another machine or later.
struct Earlier {
    std::uint64_t presented = 0;
    double clock = 0;
    std::vector<std::uint64_t> mistakes;      // one per problem
    std::vector<std::uint64_t> last_changes;  // one per problem
    const double* delayed = nullptr;          // one row per plane, for the average
    const double* delayed_offsets = nullptr;
};

enum class Pause : std::uint8_t { slice, epoch, question, done };

class OnlineRun {
   public:
    // `chosen` lists the examples to use; null means all. `positives` has one class per problem, or under the joint rule one
    // per plane. `start` has one row of `features` weights per plane.
    OnlineRun(const Examples& examples, const std::vector<std::uint32_t>* chosen, const Plan& plan,
              const std::vector<std::int32_t>& positives, const double* start, const double* start_offsets);

    // Continues the counts, the clock and the sums of an earlier run. Call this before the first advance.
    void go_on_from(const Earlier& earlier);

    // Runs for about `work` touched values, or until an epoch ends (if `pause_at_epoch`), a question arises or all have ended.
    Pause advance(std::uint64_t work, bool pause_at_epoch);

    // The problem that lasts long or would stall, and the caller's answer: true if it is separable, which lets it run much
    // longer; else the ending `otherwise`. `stalled` means undecided: the problem goes on if it has not stalled yet.
    std::size_t question() const { return *question_; }
    void answer(bool go_on, Ending otherwise);

    // Limits the bytes of accelerators' copies of the examples. Parallel runs divide the memory; rows mapped from a file are
    // not copied (0).
    void limit_copies(std::size_t bytes) { memory_limit_ = bytes; }

    // Lets the run use several threads; it uses one unless this is called. The path does not depend on it.
    void use_threads(unsigned threads) { threads_ = threads; }

    // Shares quantized rows with other runs over the same examples and labels.
    void share_copies(std::shared_ptr<SharedQuantizedRows> shared) { shared_ = std::move(shared); }

    // Records at most `limit` updates of a run with plan.record, and the clock before each if `clocks`.
    void limit_record(std::size_t limit, bool clocks) {
        record_limit_ = limit;
        records_clocks_ = clocks;
    }

    // The grid of all rows, if the caller knows it. Otherwise it is computed when it is first needed.
    void set_rows_grid(const Grid& grid) { rows_grid_ = grid; }

    // Ends all running problems.
    void end_all(Ending ending);

    Outcome outcome(std::size_t id) const;
    // The outcome without a copy if the problem has ended, else null.
    const Outcome* ended(std::size_t id) const;
    std::size_t problems() const { return outcomes_.size(); }
    std::uint64_t epochs() const { return epoch_; }
    std::uint64_t presented() const { return presented_; }
    // The epoch in which a score or a weight was not finite, which ended the run; or 0.
    std::uint64_t not_finite() const { return not_finite_; }
    double work() const { return work_; }
    const History& history() const { return history_; }
    const std::vector<Update>& updates() const { return updates_; }
    // The factor of y * x in each update, for passive-aggressive steps.
    const std::vector<double>& scales() const { return scales_; }
    const std::vector<double>& clocks() const { return clocks_; }

   private:
    struct Live {
        std::size_t id;
        CycleWatch watch;
        std::uint64_t best_errors = kNoLimit;
        std::uint64_t best_epoch = 0;
        bool asked = false;      // the question whether there is a separator was put to the caller
        bool separable = false;  // according to the caller
        std::uint64_t period = 0;  // of a cycle found at the end of the last epoch
        std::uint64_t validated = 0;
        std::uint64_t validated_epoch = 0;
        Snapshot best{};  // weights of validated_epoch
        Snapshot pocket{};
        std::uint64_t pocket_changed = 0;  // examples presented at the last change of the pocket
        double pocket_errors = 0;          // maintained by the ratchet only
        std::uint64_t pocket_updates = 0;  // mistakes when the pocket was filled
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
    std::vector<std::size_t> rivals_of(std::size_t i, const double* scores) const;
    bool scores_are_exact();
    std::optional<std::size_t> running(std::size_t id) const;  // index of problem `id` among the running ones
    Outcome now(std::size_t c) const;
    Snapshot snapshot_of(const WeightStore& store, std::size_t c) const;
    Snapshot snapshot(std::size_t c) const { return snapshot_of(weights_, c); }
    Snapshot average_of(std::size_t c) const;
    double training_errors(std::size_t c, double enough);
    void close_pocket(std::size_t c, Outcome& outcome);
    const std::vector<double>& scores_of(std::size_t i);
    std::uint64_t watched_change(std::size_t c) const;
    static void note(void* self, std::size_t problem, std::size_t example, std::uint64_t presented, double scale,
                     double clock);
    static void offer(void* self, std::size_t c, double run, std::uint64_t presented);
    double clock() const { return examples_.weights ? clock_ : static_cast<double>(presented_); }
    void add_to_row(const Problem& problem);
    void close_row();
    bool returned(std::size_t c);
    std::size_t example_at(std::uint64_t k) const { return chosen_.empty() ? k : chosen_[k]; }

    Examples examples_;
    std::vector<std::uint32_t> chosen_;
    std::uint64_t count_;  // number of examples used
    Plan plan_;
    WeightStore weights_;
    std::optional<WeightStore> changes_;  // in batch mode
    std::optional<WeightStore> delayed_;  // for the average
    std::optional<Weights> delayed_view_;
    std::vector<Problem> problems_;
    std::vector<Live> live_;
    std::size_t planes_;  // per problem
    std::vector<std::unique_ptr<Accelerator>> accelerators_;  // in order of precedence
    Accelerator* accelerator_ = nullptr;                      // the one in use
    bool accelerator_ready_ = false;
    bool keeps_gram_rows_;  // for order = misclassified
    std::vector<AcceleratorUse> uses_;
    std::size_t memory_limit_ = std::size_t{1} << 31;
    unsigned threads_ = 1;
    std::shared_ptr<SharedQuantizedRows> shared_;
    std::vector<double> scores_;
    std::vector<double> scratch_;  // for scores in the middle of a pass
    std::vector<Update> updates_;
    std::vector<double> scales_;
    std::vector<double> clocks_;
    std::size_t record_limit_ = std::numeric_limits<std::size_t>::max();
    bool records_clocks_ = false;
    Listener listener_;
    std::vector<Outcome> outcomes_;

    std::vector<std::uint32_t> order_;
    const std::uint32_t* presentation_ = nullptr;
    std::uint64_t epoch_ = 0;
    std::uint64_t position_ = 0;
    bool in_epoch_ = false;
    std::uint64_t presented_ = 0;
    double clock_ = 0;  // total weight of the examples presented, if they have weights
    std::uint64_t epoch_work_;  // touched values of one pass, for one problem
    double work_ = 0;           // touched values of the whole run
    std::uint64_t not_finite_ = 0;
    std::optional<std::size_t> question_;  // id of a problem
    History history_;
    EpochRow row_{};  // totals of the present epoch over the problems that have ended in it
    bool row_open_ = false;

    // For order = misclassified. Positions count the examples used.
    std::vector<std::uint32_t> misclassified_;  // positions, in order
    Stream draws_{0, Purpose::sample, 0};
    std::vector<double> known_;      // scores of all examples, one row of planes per example
    std::uint64_t known_until_ = 0;  // known_ is up to date before this position
    std::unordered_map<std::uint32_t, std::vector<double>> gram_rows_;  // by the position of the example
    std::optional<WeightStore> gram_plane_;

    std::vector<double> row_scores_;

    std::optional<Grid> rows_grid_;
    Grid steps_grid_;
    Grid start_grid_;
};

}  // namespace rosenblatt
