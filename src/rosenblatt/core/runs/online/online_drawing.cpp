// Order::misclassified, L2's "for every step, we sample (x_i, y_i) from M", and the scores that define M.
//
// Every step needs the scores of all n examples under the new weights. If all scores are exact (exactness.hpp), a step adds a
// row of the Gram matrix to them. A row costs n dot products when its example is drawn for the first time; rows are kept up to
// a memory limit. Otherwise every step scores all examples again: a score updated by rows would be rounded differently, and
// the path must not depend on the memory.
#include <algorithm>
#include <cmath>

#include "runs/online/online_run.hpp"

namespace rosenblatt {

namespace {

constexpr std::size_t kGramRowsBytes = std::size_t{1} << 28;

}  // namespace

std::uint64_t OnlineRun::score_stretch() {
    const std::uint64_t example_work = epoch_work_ / count_ * weights_.planes();
    const std::uint64_t end =
        known_until_ + std::min(count_ - known_until_, std::max<std::uint64_t>(1, kStretchWork / example_work));
    known_.resize(count_ * weights_.planes());
    score_members(weights_.view(), weights_.planes(), known_until_, end, known_.data());
    const std::uint64_t work = (end - known_until_) * example_work;
    known_until_ = end;
    if (known_until_ == count_) find_misclassified();
    return work;
}

// Row k of `out` has the scores of the example at position k.
void OnlineRun::score_members(const Weights& weights, std::size_t planes, std::uint64_t begin, std::uint64_t end,
                              double* out) {
    while (begin < end) {
        const std::size_t first = example_at(begin);
        std::uint64_t next = begin + 1;
        while (next < end && example_at(next) == first + (next - begin)) ++next;
        kernels().scores(examples_.rows, first, first + (next - begin), weights, planes, scratch_.data(),
                         out + begin * planes);
        begin = next;
    }
}

// Finds M under the present weights, the errors and the loss, and whether the epoch is over.
void OnlineRun::find_misclassified() {
    Problem& problem = problems_[0];
    misclassified_.clear();
    problem.epoch_errors = 0;
    problem.epoch_loss = 0;
    for (std::uint64_t k = 0; k < count_; ++k) {
        const std::size_t i = example_at(k);
        const double agreement = agreement_of(0, i, known_.data() + k * weights_.planes());
        const bool positive = plan_.joint || examples_.labels[i] == problem.positive;
        problem.not_finite |= !std::isfinite(agreement);
        problem.epoch_errors += plan_.joint ? !(agreement > 0) : plan_.rule.is_error(agreement, positive);
        const bool mistake = plan_.joint && plan_.rule.step == Step::constant
                                 ? !(agreement > plan_.rule.margin)
                                 : plan_.rule.is_mistake(agreement, positive);
        if (!mistake) continue;
        misclassified_.push_back(static_cast<std::uint32_t>(k));
        problem.epoch_loss += std::max(0.0, -agreement);
    }
    position_ = count_;  // the errors are a share of all examples
    if (any_not_finite()) return;
    const bool few = static_cast<double>(problem.epoch_errors) <= plan_.limits.max_error * static_cast<double>(count_);
    if (misclassified_.empty() || few || problem.epoch_mistakes == count_)
        finish_epoch();
    else
        settle(false);
}

std::uint64_t OnlineRun::draw() {
    const std::uint32_t position = misclassified_[draws_.below(misclassified_.size())];
    const auto i = static_cast<std::uint32_t>(example_at(position));
    const std::size_t planes = weights_.planes();
    const std::size_t truth = plan_.joint ? static_cast<std::size_t>(examples_.labels[i]) : 0;
    std::vector<std::size_t> rivals;
    if (plan_.joint) rivals = rivals_of(i, known_.data() + position * planes);
    present({&i, 0, 1, presented_, &clock_, &listener_});
    presented_ += 1;
    if (any_not_finite()) return epoch_work_;
    known_until_ = 0;
    const bool exact = scores_are_exact();
    work_ += static_cast<double>(exact ? count_ * kExampleWork : epoch_work_ * planes);  // independent of the memory
    const bool met_before = gram_rows_.count(position) > 0;
    const std::vector<double>* row = exact ? gram_row(position) : nullptr;
    if (!row) return 0;  // score_stretch() comes next
    const double step = examples_.steps ? examples_.steps[i] : plan_.rule.eta0;
    const double scale = plan_.joint || examples_.labels[i] == problems_[0].positive ? step : -step;
    const double times = plan_.joint ? static_cast<double>(rivals.size()) : 1.0;
    for (std::uint64_t k = 0; k < count_; ++k) {
        known_[k * planes + truth] += scale * times * (*row)[k];
        for (const std::size_t rival : rivals) known_[k * planes + rival] -= scale * (*row)[k];
    }
    known_until_ = count_;
    find_misclassified();
    return met_before ? count_ * kExampleWork : epoch_work_;
}

bool OnlineRun::scores_are_exact() {
    if (plan_.rule.step != Step::constant) return false;
    if (!rows_grid_) rows_grid_ = grid_of(examples_.rows);
    return scores_exact(*rows_grid_, steps_grid_, start_grid_,
                        problems_[0].mistakes * plan_.rows_per_update(planes_), examples_.rows.features);
}

// The change of all scores by an update with this example and step 1. Null beyond the memory limit, or if accelerators are
// switched off.
const std::vector<double>* OnlineRun::gram_row(std::uint32_t position) {
    const auto found = gram_rows_.find(position);
    if (found != gram_rows_.end()) return &found->second;
    const std::size_t room = std::min(memory_limit_, kGramRowsBytes) / sizeof(double);
    if (!keeps_gram_rows_ || (gram_rows_.size() + 1) * count_ > room) return nullptr;
    if (!gram_plane_) gram_plane_.emplace(examples_.rows.storage, 1, examples_.rows.features);
    const Weights plane = gram_plane_->view();
    plane.offsets[0] = plan_.rule.fit_intercept ? 1.0 : 0.0;
    std::vector<double>& row = gram_rows_[position];
    row.resize(count_);
    kernels().add_row(examples_.rows, example_at(position), 1.0, plane, 0);
    score_members(plane, 1, 0, count_, row.data());
    kernels().add_row(examples_.rows, example_at(position), -1.0, plane, 0);  // back to zero
    return &row;
}

}  // namespace rosenblatt
