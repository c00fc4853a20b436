// The cost model (benchmarks/workloads/accelerators.py). Computing the matrix costs as much as n / 2 epochs. The run first
// waits for as many epochs, and at least as many must be left: so it never takes twice the time without the matrix.
#include "accelerate/gram/gram.hpp"

#include <algorithm>

namespace rosenblatt {

namespace {

// Maximum number of examples: the matrix stays in the second-level cache.
constexpr std::size_t kMaxExamples = 512;
static_assert(kMaxExamples <= kMaxKept);
// Maximum mistakes per epoch and feature: below it, adding rows of the matrix costs less than the dot products saved.
constexpr double kMaxMistakes = 0.5;
// The matrix is dropped if the examples scored in full exceed the maximum by this factor.
constexpr double kTolerance = 2;

}  // namespace

bool Gram::consider(const Situation& situation) {
    const RowsView& rows = situation.examples.rows;
    if (situation.planes > 1 || !is_dense(rows.storage) || situation.plan.batch || situation.plan.joint) return false;
    if (rows.examples > kMaxExamples) return false;
    if (situation.epoch < next_decision_) return scores_.has_value();
    const std::uint64_t wait = rows.examples / 2 + 1;
    const double limit = kMaxMistakes * static_cast<double>(wait * (rows.features + kExampleWork));
    const std::uint64_t total = situation.problems[0].mistakes;
    const auto mistakes = static_cast<double>(total - mistakes_decided_);
    next_decision_ = situation.epoch + wait;
    mistakes_decided_ = total;
    if (scores_) {
        if (forced_ || static_cast<double>(scores_->take_scored()) <= kTolerance * limit) return true;
        next_decision_ = kNoLimit;
        return false;
    }
    if (!forced_ && (situation.epoch == 0 || mistakes >= limit || situation.plan.limits.max_iter - situation.epoch < wait))
        return false;
    fit_intercept_ = situation.plan.rule.fit_intercept;
    scores_.emplace(rows, kernels().largest(rows, rows.examples * rows.features));
    return true;
}

std::uint64_t Gram::prepare(const Examples& examples, const Problem& problem) {
    const RowsView& rows = examples.rows;
    const std::size_t begin = scores_->written();
    if (begin == rows.examples) return 0;
    const std::size_t row_work = rows.examples * (rows.features + kExampleWork);
    const std::size_t end = std::min<std::size_t>(rows.examples, begin + kPreparationWork / row_work + 1);
    kernels().write_gram(rows, examples.labels, problem.positive, fit_intercept_, begin, end, *scores_->view());
    scores_->wrote_until(end);
    return (end - begin) * row_work;
}

}  // namespace rosenblatt
