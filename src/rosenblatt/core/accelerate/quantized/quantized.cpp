// The cost model (benchmarks/accelerators.py). A copy takes an eighth to a quarter of the memory of X, and at most as much
// again for the residual bytes. It pays where rows are read often and few of them are mistakes: every mistake quantizes the
// weights of its problem again.
#include "accelerate/quantized/quantized.hpp"

#include <memory>
#include <new>

namespace rosenblatt {

namespace {

// When encoding pays: the largest share of mistakes among the presented examples, and the epochs that must be left, which
// grow with that share. One problem in file order has least to gain, because sequential memory is fast.
struct BreakEven {
    double mistakes;
    double epochs;
    double epochs_per_mistake;
};
constexpr BreakEven kInFileOrder{0.05, 4, 200};
constexpr BreakEven kShuffled{0.10, 2, 25};
constexpr BreakEven kSeveralProblems{0.05, 2, 0};  // of one run, or of runs that share one copy

constexpr std::size_t kMinRowBytes = 768;                 // minimum row size for one problem in file order
constexpr std::size_t kCacheBytes = std::size_t{1} << 25;  // below this total size, shuffled short rows fit in the cache
constexpr std::size_t kMaxFeatures = std::size_t{1} << 22;  // sums of more products could leave 32 bits
constexpr double kTolerance = 2;  // by this factor the rows read in full may exceed the share before the copy is dropped
// Of all rows encoded, the fraction that must take part; pairs of classes may share one copy.
constexpr std::uint64_t kMinMembers = 2;
constexpr std::uint64_t kMinMembersShared = 16;

BreakEven break_even_of(const Situation& situation) {
    if (situation.planes == 1 && situation.plan.order == Order::shuffle) return kShuffled;
    return situation.planes > 1 || situation.shared ? kSeveralProblems : kInFileOrder;
}

}  // namespace

bool Quantized::can_run(const Situation& situation) const {
    const RowsView& rows = situation.examples.rows;
    if (!is_dense(rows.storage) || situation.plan.joint || situation.epoch == 0) return false;
    if (rows.features < kLanes || rows.features > kMaxFeatures) return false;
    if (forced_) return true;
    const std::uint64_t most = (situation.shared ? kMinMembersShared : kMinMembers) * situation.members;
    return !given_up_ && rows.examples <= most;
}

bool Quantized::consider(const Situation& situation) {
    if (!can_run(situation)) return false;
    const RowsView& rows = situation.examples.rows;
    const BreakEven limit = break_even_of(situation);
    const auto scored = static_cast<double>(situation.members * situation.planes);
    const double per_example = static_cast<double>(situation.mistakes()) / static_cast<double>(situation.members);
    if (state_) {
        state_->set_mistake_rate(per_example);
        given_up_ = static_cast<double>(state_->take_read()) > kTolerance * limit.mistakes * scored && !forced_;
        return !given_up_;
    }
    const double share = static_cast<double>(situation.mistakes()) / scored;
    const bool one_shuffled = situation.planes == 1 && situation.plan.order == Order::shuffle;
    const bool long_rows = situation.planes > 1 || row_bytes(rows) >= kMinRowBytes ||
                           (one_shuffled && situation.members * row_bytes(rows) >= kCacheBytes);
    const bool pays = share < limit.mistakes &&
                      situation.epochs_left() >= limit.epochs + limit.epochs_per_mistake * share && long_rows &&
                      rows.examples * code_stride(rows.features) <= situation.memory_limit;
    if (!pays && !forced_) return false;
    const double* reference = options_.reference && situation.planes == 1 ? situation.weights.vector(0) : nullptr;
    try {
        state_.emplace(situation.shared ? situation.shared->rows(rows) : std::make_shared<QuantizedRows>(rows, reference),
                       rows.examples, rows.features, situation.planes, options_.residuals);
        state_->set_mistake_rate(per_example);
    } catch (const std::bad_alloc&) {
        given_up_ = true;  // the run goes on without a copy
        return false;
    }
    ready_ = false;
    return true;
}

std::uint64_t Quantized::prepare(const Examples& examples, const Problem&) {
    constexpr std::size_t kPartWork = kPreparationWork / 16;  // so short that runs that encode together end together
    if (ready_) return 0;
    QuantizedRows& rows = state_->rows();
    QuantizedView& view = *state_->view();
    const QuantizedRows::Part part = rows.take(kPartWork / examples.rows.features + 1);
    if (part.begin == part.end) {
        view.longest = rows.wait();
        ready_ = true;
        return 0;
    }
    kernels().encode_rows(examples, part.begin, part.end, view);
    rows.wrote(part, view.longest);
    return (part.end - part.begin) * examples.rows.features;
}

}  // namespace rosenblatt
