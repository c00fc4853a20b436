// The cost model (benchmarks/workloads/accelerators.py). Packed rows pay where memory is the limit: in shuffled order, from data
// larger than the cache, with mistakes so frequent that the branchless pass is the right one.
#include "accelerate/flags/flags.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "accelerate/branchless/branchless.hpp"

namespace rosenblatt {

namespace {

constexpr double kMinRate = 0.10;        // mistakes per example
constexpr double kMinSaving = 1.5;       // size of the rows over that of the packed rows
constexpr double kMinEpochsLeft = 3;     // that pay for writing them
constexpr std::size_t kCacheBytes = std::size_t{1} << 25;

}  // namespace

bool Flags::consider(const Situation& situation) {
    if (given_up_ || !kernels().write_flags || !can_run_branchless(situation)) return false;
    if (rows_) return true;
    const RowsView& rows = situation.examples.rows;
    const std::size_t bytes = rows.examples * row_bytes(rows);
    const bool pays = situation.epoch > 0 && situation.plan.order == Order::shuffle &&
                      mistake_rate(situation) >= kMinRate && 2 * situation.members >= rows.examples &&
                      bytes >= kCacheBytes && rows.examples <= situation.memory_limit &&
                      situation.epochs_left() >= kMinEpochsLeft;
    if (!pays && !forced_) return false;
    FlagLayout layout = find_flags(rows);
    const std::size_t needed = rows.examples * layout.stride;
    const bool shorter = kMinSaving * static_cast<double>(needed) <= static_cast<double>(bytes);
    given_up_ = !forced_ && (!shorter || needed > situation.memory_limit);
    if (given_up_) return false;
    try {
        rows_.emplace(std::move(layout), rows.examples);
    } catch (const std::bad_alloc&) {
        given_up_ = true;  // the run goes on without a copy
        return false;
    }
    return true;
}

std::uint64_t Flags::prepare(const Examples& examples, const Problem&) {
    const RowsView& rows = examples.rows;
    const std::size_t begin = rows_->written();
    if (begin == rows.examples) return 0;
    const std::size_t end = std::min<std::size_t>(rows.examples, begin + kPreparationWork / rows.features + 1);
    given_up_ = !kernels().write_flags(rows, begin, end, *rows_->view());  // a column has a third value
    rows_->wrote_until(end);
    return (end - begin) * rows.features;
}

Pass Flags::pass() {
    state_ = {rows_->view(), 1.0, true};
    return {kernels().branchless, &state_};
}

}  // namespace rosenblatt
