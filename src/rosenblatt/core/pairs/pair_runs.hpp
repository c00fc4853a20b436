// One-vs-one with many classes: one online run per pair of classes, over the examples of the two classes.
//
// A run takes memory for one weight vector, and only while it runs; its result is a StoredPairs entry. So time and memory grow with
// the examples that take part and the mistakes, not with the number of pairs times the number of features. CSR rows are copied
// with the columns renumbered, because a pair uses few of them. Each run takes the same path as if it were run alone; results
// are gathered in the order of the pairs, whatever the number of threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "pairs/stored_pairs.hpp"
#include "runs/online/online_run.hpp"
#include "util/exactness.hpp"

namespace rosenblatt {

// The work in touched values after which pairs may stall, over all pairs of a fit: a pair may stall after its share.
constexpr double kPairsStallWork = 2e10;

// The weights that are published beside the last ones.
enum class PairPublished : std::uint8_t { last, average, pocket };

// What is known of every pair, one entry each.
struct PairFacts {
    std::vector<std::int8_t> endings;
    std::vector<std::uint64_t> epochs, mistakes, presented, periods, scored;
    std::vector<double> clocks, pocket_runs, pocket_errors;
    std::map<std::uint64_t, std::vector<AcceleratorUse>> accelerators;  // by pair, without those that used none
};

// Every update of the runs, if they are kept: entries starts[p] <= k < starts[p + 1] of pair p.
struct PairUpdates {
    std::vector<std::uint64_t> starts{0}, presented;
    std::vector<std::uint32_t> example;
    std::vector<double> scale, clock;  // the factor of x; the clock before the example
};

class PairRuns {
   public:
    // `members` has the examples of each class, in order. All runs begin with `start`, null for zero.
    PairRuns(const Examples& examples, const Plan& plan, std::vector<std::vector<std::uint32_t>> members,
             const double* start, double start_offset, PairPublished published, bool keep_updates, unsigned threads);
    ~PairRuns();

    // Each thread runs for about `work` touched values. Returns whether all pairs have ended, or one was not finite.
    bool advance(std::uint64_t work);

    std::size_t pairs() const { return firsts_.back(); }
    std::size_t done() const { return facts_.endings.size(); }
    std::uint64_t not_finite() const { return not_finite_; }
    const PairFacts& facts() const { return facts_; }
    const StoredPairs& last() const { return last_; }
    const StoredPairs& published() const { return published_; }
    const PairUpdates& updates() const { return updates_; }
    std::vector<EpochRow> history() const;

   private:
    struct Slot;
    struct Ended;

    std::pair<std::size_t, std::size_t> classes_of(std::size_t pair) const;
    void work_on(Slot& slot, std::uint64_t work);
    void begin(Slot& slot, std::size_t pair);
    void gather(Slot& slot);
    void take(Ended&& ended);
    void take_history(const std::vector<EpochRow>& rows);

    Examples examples_;
    Plan plan_;
    std::vector<std::vector<std::uint32_t>> members_;
    std::vector<std::size_t> firsts_;  // the first pair of each class as the earlier one, and the number of pairs
    std::vector<double> start_;
    double start_offset_;
    PairPublished which_;
    bool keep_updates_, is_compacted_;
    Grid grid_;
    std::vector<std::unique_ptr<Slot>> slots_;
    std::atomic<std::size_t> next_{0};

    std::mutex mutex_;
    std::map<std::size_t, Ended> waiting_;  // ended before an earlier pair has
    PairFacts facts_;
    StoredPairs last_, published_;
    PairUpdates updates_;
    std::map<std::uint64_t, EpochRow> history_;
    std::vector<std::uint64_t> kept_epochs_;  // of the longest run so far
    std::uint64_t not_finite_ = 0;
};

}  // namespace rosenblatt
