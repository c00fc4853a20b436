// A dual run: epochs, orders and updates.
#include "runs/dual/dual_run.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "simd/kernels.hpp"

namespace rosenblatt {

DualRun::DualRun(const DualExamples& examples, const Plan& plan, const std::vector<std::int32_t>& positives,
                 bool external_scores, bool external_coef)
    : examples_(examples),
      count_(examples.count),
      plan_(plan),
      external_scores_(external_scores),
      external_coef_(external_coef),
      planes_(positives.size()),
      planes_each_(plan.joint ? positives.size() : 1),
      offsets_(planes_),
      delayed_offsets_(planes_),
      outcomes_(plan.joint ? 1 : positives.size()),
      order_(examples.count) {
    if (!external_coef) {
        scores_.resize(planes_ * count_);
        coef_.resize(planes_ * count_);
        delayed_.resize(planes_ * count_);
    }
    for (std::size_t id = 0; id < outcomes_.size(); ++id) {
        Problem& problem = problems_.emplace_back();
        problem.positive = positives[id];
        problem.max_updates = plan.limits.max_updates;
        Live& live = live_.emplace_back();
        live.id = id;
        if (!external_coef) live.kept.resize(planes_each_ * (count_ + 1));  // the start: all zero
    }
    std::iota(order_.begin(), order_.end(), 0u);
    if (examples.steps)
        for (std::uint64_t i = 0; i < count_; ++i) steps_grid_.add(examples.steps[i]);
    else
        steps_grid_.add(plan.rule.eta0);
}

DualPause DualRun::advance(const double* gram, std::uint64_t work, bool pause_at_epoch) {
    const Space space{scores_.data(), static_cast<std::size_t>(count_), gram};
    const double enough = work_ + static_cast<double>(work);
    while (!live_.empty() && !not_finite_) {
        if (question_) return DualPause::question;
        if (pauses(pause_at_epoch)) return DualPause::epoch;
        if (work_ >= enough) return DualPause::slice;
        if (!in_epoch_) begin_epoch();
        if (!in_epoch_) continue;  // nothing was misclassified
        if (plan_.order == Order::misclassified) {
            draw();
            present_drawn(space, drawn_);
            if (!not_finite_) find_misclassified();
        } else {
            present_stretch(space, count_, false);
            if (!not_finite_ && position_ == count_) finish_epoch();
        }
    }
    return DualPause::done;
}

// Reports the end of each epoch once, also if a question came in between.
bool DualRun::pauses(bool at_epoch) {
    if (!at_epoch || in_epoch_ || epoch_ == reported_epochs_) return false;
    reported_epochs_ = epoch_;
    return true;
}

void DualRun::begin_epoch() {
    in_epoch_ = true;
    position_ = 0;
    complete_from_ = 0;
    row_ = {epoch_ + 1, 0, 0, 0, 0.0};
    row_open_ = true;
    for (const Live& live : live_) {
        Problem& problem = problems_[live.id];
        problem.epoch_mistakes = problem.epoch_errors = 0;
        problem.epoch_loss = 0;
    }
    if (plan_.order == Order::shuffle)
        epoch_order(plan_.seed, epoch_, static_cast<std::uint32_t>(count_), order_.data());
    ++epoch_;
    if (plan_.order != Order::misclassified) return;
    draws_ = Stream(plan_.seed, Purpose::sample, epoch_ - 1);
    if (epoch_ == 1) find_misclassified();
}

DualRun::Standing DualRun::standing(std::size_t problem, std::size_t i, const double* scores, std::size_t stride,
                                    std::size_t at) const {
    const auto score = [&](std::size_t plane) { return scores[plane * stride + at] + offsets_[plane]; };
    if (!plan_.joint) {
        const bool positive = examples_.labels[i] == problems_[problem].positive;
        return {positive ? score(problem) : -score(problem), positive, 0};
    }
    const auto truth = static_cast<std::size_t>(examples_.labels[i]);
    std::size_t rival = truth == 0 ? 1 : 0;
    double sum = 0;  // not finite if one of them is not
    for (std::size_t c = 0; c < planes_; ++c) {
        if (c != truth && score(c) > score(rival)) rival = c;
        sum += score(c);
    }
    const double agreement = score(truth) - score(rival);
    return {std::isfinite(sum) ? agreement : sum, true, rival};
}

bool DualRun::is_mistake(const Standing& standing) const {
    return plan_.joint ? !(standing.agreement > 0) : plan_.rule.is_mistake(standing.agreement, standing.positive);
}

// Whether an example is a mistake for some problem, or a score is not finite.
bool DualRun::any_mistake(std::size_t i, const double* scores, std::size_t stride, std::size_t at) const {
    for (const Live& live : live_) {
        const Standing found = standing(live.id, i, scores, stride, at);
        if (!std::isfinite(found.agreement) || is_mistake(found)) return true;
    }
    return false;
}

// Presents example i, which has index `at` in the space. Returns whether a problem has reached its limit of updates.
bool DualRun::present(std::size_t i, const Space& space, std::size_t at) {
    bool limit_reached = false;
    for (const Live& live : live_) {
        Problem& problem = problems_[live.id];
        const Standing found = standing(live.id, i, space.scores, space.size, at);
        if (!std::isfinite(found.agreement)) {
            not_finite_ = epoch_;
            return true;
        }
        problem.epoch_errors +=
            plan_.joint ? !(found.agreement > 0) : plan_.rule.is_error(found.agreement, found.positive);
        if (!is_mistake(found)) continue;
        update(live.id, i, found, space, at);
        limit_reached |= problem.mistakes >= problem.max_updates;
    }
    work_ += kExampleWork;
    presented_ += 1;
    if (examples_.weights) clock_ += examples_.weights[i];
    return limit_reached;
}

void DualRun::update(std::size_t id, std::size_t i, const Standing& found, const Space& space, std::size_t at) {
    const double step = examples_.steps ? examples_.steps[i] : plan_.rule.eta0;
    if (plan_.joint) {
        const auto truth = static_cast<std::size_t>(examples_.labels[i]);
        find_rivals(truth, found.rival, space, at);
        change(truth, i, step * static_cast<double>(rivals_.size()), space, at);
        for (const std::size_t rival : rivals_) change(rival, i, -step, space, at);
    } else {
        change(id, i, found.positive ? step : -step, space, at);
    }
    Problem& problem = problems_[id];
    problem.epoch_loss += found.agreement < 0 ? -found.agreement : 0.0;
    problem.epoch_mistakes += 1;
    problem.mistakes += 1;
    problem.last_change = presented_ + 1;
    if (!plan_.record) return;
    const auto note = [&](std::size_t which) {
        updates_.push_back({presented_ + 1, static_cast<std::uint32_t>(which), static_cast<std::uint32_t>(i)});
        clocks_.push_back(clock());
    };
    if (plan_.joint)
        for (const std::size_t rival : rivals_) note(rival);
    else
        note(id);
}

// The classes that an update of the example with index `at` punishes; `best` is the best of the other classes.
void DualRun::find_rivals(std::size_t truth, std::size_t best, const Space& space, std::size_t at) {
    const auto score = [&](std::size_t plane) { return space.scores[plane * space.size + at] + offsets_[plane]; };
    rivals_.clear();
    for (std::size_t c = 0; c < planes_; ++c)
        if (c != truth && plan_.rule.punishes(score(truth) - score(c), c == best)) rivals_.push_back(c);
}

void DualRun::change(std::size_t plane, std::size_t i, double scale, const Space& space, std::size_t at) {
    if (external_coef_) return;
    coef_[plane * count_ + i] += scale;
    delayed_[plane * count_ + i] += scale * clock();
    if (plan_.rule.fit_intercept) {
        offsets_[plane] += scale;
        delayed_offsets_[plane] += scale * clock();
    }
    kernels().add_scaled(space.gram + at * space.size, scale, space.scores + plane * space.size, space.size);
    work_ += static_cast<double>(count_);
    if (space.scores == scores_.data()) return;
    if (changed_.empty() || changed_.back() != i) {
        changed_.push_back(static_cast<std::uint32_t>(i));
        changes_.resize(changes_.size() + planes_);
    }
    changes_[changes_.size() - planes_ + plane] += scale;
}

// The position, at most `end`, up to which no limit of steps and no patience can be exceeded.
std::uint64_t DualRun::stretch_end(std::uint64_t end) const {
    const Limits& limits = plan_.limits;
    std::uint64_t left = std::min(end - position_, limits.max_steps - presented_);
    if (limits.patience != kNoLimit)
        for (const Live& live : live_)
            left = std::min(left, problems_[live.id].last_change + limits.patience - presented_);
    return position_ + left;
}

// Presents positions up to `end`. In a local space an example has its index in the window.
void DualRun::present_stretch(const Space& space, std::uint64_t end, bool local) {
    const std::uint64_t stop = stretch_end(end);
    bool limit_reached = false;
    while (position_ < stop && !limit_reached && !not_finite_) {
        const std::uint32_t i = order_[position_];
        limit_reached = present(i, space, local ? position_ - window_begin_ : i);
        ++position_;
    }
    if (!not_finite_ && position_ < count_) settle(false);
}

// Finds M (L2) under the present weights, the errors and the loss, and whether the epoch is over.
void DualRun::find_misclassified() {
    misclassified_.clear();
    const std::size_t id = live_[0].id;
    Problem& problem = problems_[id];
    problem.epoch_errors = 0;
    problem.epoch_loss = 0;
    for (std::uint32_t i = 0; i < count_; ++i) {
        const Standing found = standing(id, i, scores_.data(), count_, i);
        if (!std::isfinite(found.agreement)) {
            not_finite_ = epoch_;
            return;
        }
        problem.epoch_errors +=
            plan_.joint ? !(found.agreement > 0) : plan_.rule.is_error(found.agreement, found.positive);
        if (!is_mistake(found)) continue;
        misclassified_.push_back(i);
        problem.epoch_loss += std::max(0.0, -found.agreement);
    }
    position_ = count_;
    work_ += kExampleWork * static_cast<double>(count_);
    const bool few = static_cast<double>(problem.epoch_errors) <= plan_.limits.max_error * static_cast<double>(count_);
    if (misclassified_.empty() || few || problem.epoch_mistakes == count_)
        finish_epoch();
    else
        settle(false);
}

// Draws the next example of M; returns the same one until it has been presented.
void DualRun::draw() {
    if (!has_draw_) drawn_ = misclassified_[draws_.below(misclassified_.size())];
    has_draw_ = true;
}

void DualRun::present_drawn(const Space& space, std::size_t at) {
    present(drawn_, space, at);
    has_draw_ = false;
}

}  // namespace rosenblatt
