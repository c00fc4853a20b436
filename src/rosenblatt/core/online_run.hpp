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

#include "cycle.hpp"
#include "exactness.hpp"
#include "flag_store.hpp"
#include "gram_store.hpp"
#include "history.hpp"
#include "kernels.hpp"
#include "problem.hpp"
#include "random.hpp"
#include "rule.hpp"
#include "shadow_store.hpp"
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
    // L2: every step draws one of M, the examples that are misclassified under the present weights, and updates it. An
    // epoch is n steps; the last one ends as soon as M is empty or the errors are few enough (online_drawing.cpp).
    misclassified,
};

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
// A kernel call is short enough for a caller to break in, long enough that calling it costs nothing.
constexpr std::uint64_t kStretchWork = 1 << 24;
// What an example costs beyond its values, in the same unit.
constexpr std::uint64_t kExampleWork = 32;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

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
    bool joint = false;    // all planes learn as one problem (joint_pass.hpp)
    bool batch = false;    // the updates of an epoch are added up and made at its end (L2)
    bool average = false;  // also find the mean of the weights over all examples presented
    bool pocket = false;   // also keep the weights with the longest run of right examples (L0)
    bool ratchet = false;  // ... and only if they make fewer training errors than those in the pocket (Gallant 1990)
    bool record = false;   // keep every update
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

// What somebody wants by the environment variable of this name: never, always, or anything else.
Wish wish_of(const char* variable);

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

    // Of the bytes of coarse rows, and of rows with flags. Several runs at once share what there may be; and memory that does
    // not hold the rows, because they lie in a file, would not hold those either.
    void keep_copies_below(std::size_t bytes) { copy_limit_ = bytes; }

    // With other runs over the same examples and labels, at the same time or later.
    void share_coarse_rows(std::shared_ptr<CoarseShare> share) { coarse_share_ = std::move(share); }

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
    void judge_shadow();
    std::uint64_t write_shadow_stretch();
    void drop_shadow();
    void judge_flags();
    std::uint64_t write_flags_stretch();
    void drop_flags();
    void judge_gram();
    std::uint64_t write_gram_stretch();
    void drop_gram();
    void let_go();
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
    void settle(bool at_epoch_end);
    Ending ending_of(std::size_t c, bool at_epoch_end);
    bool stalls(const Live& live) const;
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
    std::shared_ptr<CoarseShare> coarse_share_;  // null where there is no other run
    std::optional<ShadowStore> shadow_;
    bool shadow_given_up_ = false;
    std::size_t copy_limit_ = std::size_t{1} << 31;
    Wish shadow_wish_;
    bool guided_;  // by its guide, if there is one plane
    bool fetches_ahead_;
    Wish branchless_;
    double mistakes_before_ = 0;  // of the first problem, in the epoch before, for each example
    std::optional<FlagStore> flags_;
    bool flags_given_up_ = false;
    Wish flags_wish_;
    std::optional<GramStore> gram_;
    Wish gram_wish_;
    std::uint64_t gram_judged_ = 0;    // the epoch at whose begin it is decided next
    std::uint64_t gram_mistakes_ = 0;  // by the one before
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
