#include "pairs/pair_runs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <utility>

#include "util/thread_pool.hpp"

namespace rosenblatt {

namespace {

bool is_narrow(Storage storage) { return storage == Storage::csr32_i32 || storage == Storage::csr32_i64; }

// CSR rows of a pair, with its columns numbered 0, 1, ... in the order of their first use. The sums of a row do not depend on the
// numbers of its columns.
class CompactRows {
   public:
    void fill(const RowsView& rows, const std::vector<std::uint32_t>& members) {
        for (const std::uint32_t column : columns_) number_[column] = 0;
        columns_.clear();
        indices_.clear();
        bytes_.clear();
        starts_.assign(1, 0);
        number_.resize(rows.features, 0);
        const bool wide = rows.storage == Storage::csr32_i64 || rows.storage == Storage::csr64_i64;
        for (const std::uint32_t i : members) wide ? add<std::int64_t>(rows, i) : add<std::int32_t>(rows, i);
        storage_ = is_narrow(rows.storage) ? Storage::csr32_i32 : Storage::csr64_i32;
    }

    RowsView view() const {
        return {storage_, starts_.size() - 1, std::max<std::size_t>(columns_.size(), 1), bytes_.data(), 0, indices_.data(),
                starts_.data()};
    }
    // The original number of each column.
    const std::vector<std::uint32_t>& columns() const { return columns_; }

   private:
    template <class Index>
    void add(const RowsView& rows, std::uint32_t i) {
        const auto* starts = static_cast<const Index*>(rows.starts);
        const auto* indices = static_cast<const Index*>(rows.indices);
        const std::size_t width = is_narrow(rows.storage) ? sizeof(float) : sizeof(double);
        const auto* values = static_cast<const unsigned char*>(rows.values);
        for (Index k = starts[i]; k < starts[i + 1]; ++k) {
            std::uint32_t& number = number_[static_cast<std::size_t>(indices[k])];
            if (!number) {
                columns_.push_back(static_cast<std::uint32_t>(indices[k]));
                number = static_cast<std::uint32_t>(columns_.size());
            }
            indices_.push_back(static_cast<std::int32_t>(number - 1));
        }
        bytes_.insert(bytes_.end(), values + static_cast<std::size_t>(starts[i]) * width,
                      values + static_cast<std::size_t>(starts[i + 1]) * width);
        starts_.push_back(static_cast<std::int32_t>(indices_.size()));
    }

    Storage storage_ = Storage::csr64_i32;
    std::vector<std::uint32_t> number_;  // of each column, from 1; 0: not used
    std::vector<std::uint32_t> columns_;
    std::vector<std::int32_t> indices_, starts_;
    std::vector<unsigned char, Aligned<unsigned char>> bytes_;
};

}  // namespace

// One thread's run.
struct PairRuns::Slot {
    std::size_t pair = 0;
    std::optional<OnlineRun> run;
    std::vector<std::uint32_t> members;
    CompactRows compact;
    std::vector<std::int32_t> labels;
    std::vector<double> steps, weights, start;
};

struct PairRuns::Ended {
    std::size_t pair;
    Outcome outcome;
    std::vector<Update> updates;
    std::vector<double> scales, clocks;
    std::vector<std::uint32_t> columns;  // of compacted rows
    std::vector<EpochRow> history;
    std::uint64_t not_finite;
};

PairRuns::~PairRuns() = default;

PairRuns::PairRuns(const Examples& examples, const Plan& plan, std::vector<std::vector<std::uint32_t>> members,
                   const double* start, double start_offset, PairPublished published, bool keep_updates, unsigned threads)
    : examples_(examples),
      plan_(plan),
      members_(std::move(members)),
      start_(start ? start : nullptr, start ? start + examples.rows.features : nullptr),
      start_offset_(start_offset),
      which_(published),
      keep_updates_(keep_updates),
      is_compacted_(!is_dense(examples.rows.storage) && !start) {
    const std::size_t classes = members_.size();
    plan_.record = true;
    plan_.limits.ask_before_stall = false;
    plan_.limits.stall_work =
        std::min(kStallWork, kPairsStallWork / (0.5 * static_cast<double>(classes) * static_cast<double>(classes - 1)));
    for (std::size_t a = 0, first = 0; a < classes; first += classes - 1 - a++) firsts_.push_back(first);
    if (plan_.order != Order::cyclic) grid_ = grid_of(examples.rows);
    for (unsigned k = 0; k < std::max(threads, 1U); ++k) slots_.push_back(std::make_unique<Slot>());
}

bool PairRuns::advance(std::uint64_t work) {
    if (slots_.size() == 1)
        work_on(*slots_[0], work);
    else
        parallel_for(slots_.size(), static_cast<unsigned>(slots_.size()),
                     [&](std::size_t k) { work_on(*slots_[k], work); });
    return done() == pairs() || not_finite_;
}

void PairRuns::work_on(Slot& slot, std::uint64_t work) {
    // The cost of setting up a run, in touched values: so that a slice of many short runs is as long as another one.
    constexpr std::uint64_t kRunWork = 2000;
    for (std::uint64_t done = 0; done < work;) {
        if (!slot.run) {
            const std::size_t pair = next_++;
            if (pair >= pairs()) return;
            begin(slot, pair);
            done += kRunWork;
        }
        const double before = slot.run->work();
        const Pause pause = slot.run->advance(work - std::min(done, work - 1), false);
        done += static_cast<std::uint64_t>(slot.run->work() - before);
        if (pause != Pause::done) return;
        gather(slot);
    }
}

std::pair<std::size_t, std::size_t> PairRuns::classes_of(std::size_t pair) const {
    const auto after = std::upper_bound(firsts_.begin(), firsts_.end() - 1, pair);
    const auto a = static_cast<std::size_t>(after - firsts_.begin()) - 1;
    return {a, a + 1 + pair - firsts_[a]};
}

void PairRuns::begin(Slot& slot, std::size_t pair) {
    const auto [a, b] = classes_of(pair);
    slot.pair = pair;
    slot.members.clear();
    std::merge(members_[a].begin(), members_[a].end(), members_[b].begin(), members_[b].end(),
               std::back_inserter(slot.members));
    Examples pair_examples = examples_;
    if (is_compacted_) {
        slot.compact.fill(examples_.rows, slot.members);
        pair_examples.rows = slot.compact.view();
        slot.labels.clear();
        slot.steps.clear();
        slot.weights.clear();
        for (const std::uint32_t i : slot.members) {
            slot.labels.push_back(examples_.labels[i]);
            if (examples_.steps) slot.steps.push_back(examples_.steps[i]);
            if (examples_.weights) slot.weights.push_back(examples_.weights[i]);
        }
        pair_examples.labels = slot.labels.data();
        if (pair_examples.steps) pair_examples.steps = slot.steps.data();
        if (pair_examples.weights) pair_examples.weights = slot.weights.data();
    }
    if (slot.start.size() < pair_examples.rows.features) slot.start.resize(pair_examples.rows.features, 0.0);
    const double* start = start_.empty() ? slot.start.data() : start_.data();
    slot.run.emplace(pair_examples, is_compacted_ ? nullptr : &slot.members, plan_,
                     std::vector<std::int32_t>{static_cast<std::int32_t>(b)}, start, &start_offset_);
    slot.run->limit_copies(0);
    if (plan_.order != Order::cyclic) slot.run->set_rows_grid(grid_);
    // More updates than weights: the weights are stored instead.
    slot.run->limit_record(keep_updates_ ? SIZE_MAX : pair_examples.rows.features,
                           keep_updates_ || which_ == PairPublished::average);
}

void PairRuns::gather(Slot& slot) {
    const OnlineRun& run = *slot.run;
    Ended ended{slot.pair,       run.outcome(0), run.updates(), run.scales(), run.clocks(), {}, run.history().rows(),
                run.not_finite()};
    if (is_compacted_) {
        ended.columns = slot.compact.columns();
        for (Update& update : ended.updates) update.example = slot.members[update.example];
    }
    slot.run.reset();
    const std::lock_guard lock(mutex_);
    if (ended.pair != done()) {
        waiting_.emplace(ended.pair, std::move(ended));
        return;
    }
    take(std::move(ended));
    for (auto next = waiting_.begin(); next != waiting_.end() && next->first == done(); next = waiting_.erase(next))
        take(std::move(next->second));
}

// Appends a pair whose predecessors have been appended.
void PairRuns::take(Ended&& ended) {
    const Outcome& outcome = ended.outcome;
    if (ended.not_finite && !not_finite_) not_finite_ = ended.not_finite;
    const auto positive = static_cast<std::int32_t>(classes_of(ended.pair).second);
    const auto scale_of = [&](std::size_t k) {
        const std::uint32_t i = ended.updates[k].example;
        const double step = !ended.scales.empty() ? ended.scales[k] : examples_.steps ? examples_.steps[i] : plan_.rule.eta0;
        return examples_.labels[i] == positive ? step : -step;
    };
    const auto store = [&](StoredPairs& stored, const Snapshot& state, std::size_t updates, bool average) {
        const bool replayed = !plan_.batch && updates <= ended.updates.size();
        stored.replayed.push_back(replayed);
        for (std::size_t k = 0; replayed && k < updates; ++k) {
            stored.index.push_back(ended.updates[k].example);
            stored.value.push_back(scale_of(k));
            if (average) stored.clock.push_back(ended.clocks[k]);
        }
        for (std::size_t j = 0; !replayed && j < state.w.size(); ++j) {
            if (is_compacted_ && j >= ended.columns.size()) break;
            stored.index.push_back(is_compacted_ ? ended.columns[j] : static_cast<std::uint32_t>(j));
            stored.value.push_back(state.w[j]);
            if (average) stored.clock.push_back(0.0);
        }
        if (average) stored.total.push_back(outcome.clock);
        stored.starts.push_back(stored.index.size());
        stored.offsets.push_back(state.offsets[0]);
    };
    store(last_, outcome.last, outcome.mistakes, false);
    if (which_ == PairPublished::average) store(published_, outcome.average, outcome.mistakes, true);
    if (which_ == PairPublished::pocket) store(published_, outcome.pocket, outcome.pocket_updates, false);
    if (keep_updates_) {
        for (std::size_t k = 0; k < ended.updates.size(); ++k) {
            updates_.presented.push_back(ended.updates[k].presented);
            updates_.example.push_back(ended.updates[k].example);
            updates_.scale.push_back(scale_of(k));
            updates_.clock.push_back(ended.clocks[k]);
        }
        updates_.starts.push_back(updates_.example.size());
    }
    facts_.endings.push_back(static_cast<std::int8_t>(outcome.ending));
    facts_.epochs.push_back(outcome.epochs);
    facts_.mistakes.push_back(outcome.mistakes);
    facts_.presented.push_back(outcome.presented);
    facts_.periods.push_back(outcome.period);
    facts_.scored.push_back(outcome.scored);
    facts_.clocks.push_back(outcome.clock);
    facts_.pocket_runs.push_back(outcome.pocket_run);
    facts_.pocket_errors.push_back(outcome.pocket_errors);
    if (!outcome.accelerators.empty()) facts_.accelerators.emplace(ended.pair, outcome.accelerators);
    take_history(ended.history);
}

// Epochs are summed over the pairs that kept them; the history has the epochs that the longest run kept.
void PairRuns::take_history(const std::vector<EpochRow>& rows) {
    for (const EpochRow& row : rows) {
        EpochRow& sum = history_.try_emplace(row.epoch, EpochRow{row.epoch, 0, 0, 0, 0.0}).first->second;
        sum.presented += row.presented;
        sum.mistakes += row.mistakes;
        sum.errors += row.errors;
        sum.loss += row.loss;
    }
    if (rows.empty() || (!kept_epochs_.empty() && rows.back().epoch <= kept_epochs_.back())) return;
    kept_epochs_.clear();
    for (const EpochRow& row : rows) kept_epochs_.push_back(row.epoch);
}

std::vector<EpochRow> PairRuns::history() const {
    std::vector<EpochRow> rows;
    for (const std::uint64_t epoch : kept_epochs_) rows.push_back(history_.at(epoch));
    return rows;
}

}  // namespace rosenblatt
