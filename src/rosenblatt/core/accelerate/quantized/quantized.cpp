#include "accelerate/quantized/quantized.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "accelerate/quantized/quantized_cost.hpp"
#include "util/thread_pool.hpp"

namespace rosenblatt {

namespace {

constexpr std::size_t kCacheBytes = std::size_t{1} << 25;   // below this total size, rows fit into the last-level cache
constexpr std::size_t kMaxFeatures = std::size_t{1} << 22;  // sums of more products could leave 32 bits
constexpr double kMinReturn = 1.25;  // time that is expected to be saved, over the time to encode: covers errors of the model
constexpr std::uint64_t kMaxSample = 1024;  // maximum number of rows encoded on trial
constexpr std::uint64_t kSampled = 16;      // one row in this many is encoded on trial
// At least one in this many of the encoded rows must take part; pairs of classes may share one copy.
constexpr std::uint64_t kMinMembers = 2;
constexpr std::uint64_t kMinMembersShared = 16;

QuantizedCost cost_of(const Situation& situation) {
    const RowsView& rows = situation.examples.rows;
    return {rows.features, row_bytes(rows), situation.planes, situation.plan.order == Order::shuffle,
            situation.members * row_bytes(rows) < kCacheBytes, kernels().width == 8};
}

// The share of pairs that the codes leave undecided, by a sample of the rows that take part.
double undecided_share(const Situation& situation, const double* reference) {
    const RowsView& rows = situation.examples.rows;
    const auto count = static_cast<std::size_t>(std::clamp<std::uint64_t>(situation.members / kSampled, 1, kMaxSample));
    const std::size_t bytes = row_bytes(rows), apart = bytes / rows.features * static_cast<std::size_t>(rows.stride);
    Buffer<std::uint8_t> values(count * bytes);
    std::vector<std::int32_t> labels(count);
    for (std::uint64_t k = 0; k < count; ++k) {
        const std::uint64_t at = k * situation.members / count;
        const std::size_t i = situation.chosen.empty() ? at : situation.chosen[at];
        std::memcpy(values.data() + k * bytes, static_cast<const std::uint8_t*>(rows.values) + i * apart, bytes);
        labels[k] = situation.examples.labels[i];
    }
    const RowsView sample{rows.storage, static_cast<std::size_t>(count), rows.features,
                          values.data(), static_cast<std::ptrdiff_t>(rows.features),
                          nullptr, nullptr};
    const Examples examples{sample, labels.data(), nullptr, nullptr};
    QuantizedState state(std::make_shared<QuantizedRows>(sample, reference), rows.features, situation.planes);
    kernels().encode_rows(examples, 0, count, *state.view());
    const std::uint64_t undecided = kernels().count_undecided(examples, situation.plan.rule, situation.weights,
                                                              situation.problems.data(), situation.planes, *state.view());
    return static_cast<double>(undecided) / static_cast<double>(count * situation.planes);
}

}  // namespace

// Whether encoding the rows is expected to pay. After a negative trial, the next one waits until the run is twice as long.
bool Quantized::pays(const Situation& situation, const double* reference) {
    const RowsView& rows = situation.examples.rows;
    if (rows.examples * code_stride(rows.features) > situation.memory_limit) return false;
    const QuantizedCost cost = cost_of(situation);
    const double mistakes = static_cast<double>(situation.mistakes()) / situation.pairs();
    std::uint64_t most = 0;
    for (const Problem& problem : situation.problems) most = std::max(most, problem.epoch_mistakes);
    const double sharing = situation.shared ? situation.shared->pairs() : situation.pairs();
    const double needed = kMinReturn * cost.encode() * static_cast<double>(rows.examples) / sharing;
    const double epochs = std::min(situation.epochs_left(), epochs_expected(situation.epoch, most, situation.members));
    if (situation.epoch < next_trial_ || epochs * cost.saved(mistakes, mistakes) < needed) return false;
    next_trial_ = 2 * situation.epoch;
    return epochs * cost.saved(mistakes, undecided_share(situation, reference)) >= needed;
}

bool Quantized::can_run(const Situation& situation) const {
    if constexpr (std::endian::native != std::endian::little) return false;  // trailers are read as little-endian words
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
    const double per_example = static_cast<double>(situation.mistakes()) / static_cast<double>(situation.members);
    if (state_) {
        state_->set_mistake_rate(per_example);
        const double undecided = static_cast<double>(state_->take_read()) / situation.pairs();
        const double mistakes = static_cast<double>(situation.mistakes()) / situation.pairs();
        given_up_ = cost_of(situation).saved(mistakes, undecided) < 0 && !forced_;
        return !given_up_;
    }
    const bool alone = situation.planes == 1 && !situation.shared;
    threads_ = situation.threads;
    const double* reference = with_reference_ && alone ? situation.weights.vector(0) : nullptr;
    try {
        if (!forced_ && !pays(situation, reference)) return false;
        state_.emplace(situation.shared ? situation.shared->rows(rows) : std::make_shared<QuantizedRows>(rows, reference),
                       rows.features, situation.planes);
        state_->set_mistake_rate(per_example);
    } catch (const std::bad_alloc&) {
        given_up_ = true;  // the run goes on without a copy
        return false;
    }
    ready_ = false;
    return true;
}

std::uint64_t Quantized::prepare(const Examples& examples, const Problem&) {
    constexpr std::size_t kParts = 16;  // of a slice; so short that threads and runs that encode together end together
    if (ready_) return 0;
    QuantizedRows& rows = state_->rows();
    std::atomic<std::uint64_t> encoded{0};
    parallel_for(threads_ > 1 ? kParts : 1, threads_, [&](std::size_t) {
        const QuantizedRows::Part part = rows.take(kPreparationWork / kParts / examples.rows.features + 1);
        QuantizedView view = *state_->view();  // a copy, because encoding changes the bound on the lengths
        kernels().encode_rows(examples, part.begin, part.end, view);
        rows.wrote(part, view.longest);
        encoded += part.end - part.begin;
    });
    if (encoded == 0) {
        state_->view()->longest = rows.wait();
        ready_ = true;
    }
    return encoded * examples.rows.features;
}

}  // namespace rosenblatt
