// The cost model (measured in docs/performance-details.md). The second thread pays where scoring takes most of the time, so rows
// must not be short, and where its proofs still hold when the pass arrives, so updates must be rare: at 1% mistakes a quarter of
// the proofs fail, at 6% nearly all. The pipeline itself uses one thread while mistakes are frequent or while it measures no gain;
// here it is ruled out for a whole epoch.
#include "accelerate/speculative/speculative.hpp"

#include <new>

#include "util/exactness.hpp"

namespace rosenblatt {

namespace {

constexpr double kMinRowValues = 48;    // mean number of values of a row
constexpr double kMinEpochValues = 1 << 22;  // waking the second thread takes some ten microseconds
constexpr double kMinFirstEpochValues = 1 << 24;  // starting it takes a tenth of a millisecond, and the first epoch may be the last
constexpr double kMinRowsPerWeight = 16;     // values of an epoch for each weight, which is copied once a stretch
constexpr double kMaxEpochMistakes = 2 * SpeculativePipeline::kMaxMistakes;  // per example of the epoch before

std::uint64_t run_pipeline(const Examples& examples, const Presentation& at, const Rule& rule, const Planes& planes,
                           Problem* problems, double*, void* state) {
    return static_cast<SpeculativePipeline*>(state)->run(examples, at, rule, planes, *problems);
}

}  // namespace

bool Speculative::pays(const Situation& situation) {
    const RowsView& rows = situation.examples.rows;
    const auto members = static_cast<double>(situation.members);
    if (given_up_ || static_cast<double>(situation.mistakes()) > kMaxEpochMistakes * members) return false;
    const auto stored = static_cast<double>(stored_values(rows));
    const double row_values = stored / static_cast<double>(rows.examples);
    const double epoch_values = row_values * members;
    return row_values >= kMinRowValues && epoch_values >= (situation.epoch ? kMinEpochValues : kMinFirstEpochValues) &&
           epoch_values >= kMinRowsPerWeight * static_cast<double>(rows.features) &&
           rows.examples * sizeof(float) <= situation.memory_limit;
}

bool Speculative::consider(const Situation& situation) {
    if (situation.threads < 2 || situation.planes > 1 || situation.plan.joint) return false;
    if (pipeline_) {
        given_up_ = !pipeline_->pays();
        pipeline_->begin_epoch();
    }
    if (!forced_ && !pays(situation)) return false;
    try {
        if (!pipeline_) pipeline_.emplace(situation.examples.rows, forced_);
    } catch (const std::bad_alloc&) {
        given_up_ = true;  // the run goes on in one thread
        return false;
    }
    return true;
}

Pass Speculative::pass() { return {&run_pipeline, &*pipeline_}; }

}  // namespace rosenblatt
