// Epochs, accelerators and stretches of an online run.
#include "runs/online/online_run.hpp"

#include <algorithm>
#include <cmath>

#include "accelerate/factories.hpp"

namespace rosenblatt {

namespace {

std::uint64_t row_entries(const RowsView& rows, std::size_t i) {
    switch (rows.storage) {
        case Storage::dense32:
        case Storage::dense64: return rows.features;
        case Storage::csr32_i32:
        case Storage::csr64_i32: {
            const auto* starts = static_cast<const std::int32_t*>(rows.starts);
            return static_cast<std::uint64_t>(starts[i + 1] - starts[i]);
        }
        default: {
            const auto* starts = static_cast<const std::int64_t*>(rows.starts);
            return static_cast<std::uint64_t>(starts[i + 1] - starts[i]);
        }
    }
}

}  // namespace

OnlineRun::OnlineRun(const Examples& examples, const std::vector<std::uint32_t>* chosen, const Plan& plan,
                     const std::vector<std::int32_t>& positives, const double* start, const double* start_offsets)
    : examples_(examples),
      chosen_(chosen ? *chosen : std::vector<std::uint32_t>{}),
      count_(chosen ? chosen->size() : examples.rows.examples),
      plan_(plan),
      weights_(examples.rows.storage, positives.size(), examples.rows.features),
      planes_(plan.joint ? positives.size() : 1),
      accelerators_(make_accelerators()),
      keeps_gram_rows_(!accelerators_.empty()),
      scores_(score_room(positives.size())),
      scratch_(score_room(positives.size())),
      listener_{plan.record ? &OnlineRun::note : nullptr, &OnlineRun::offer, this},
      outcomes_(plan.joint ? 1 : positives.size()) {
    epoch_work_ = kExampleWork * count_;
    if (!chosen)
        epoch_work_ += stored_values(examples.rows);
    else if (is_dense(examples.rows.storage))
        epoch_work_ += count_ * examples.rows.features;
    else
        for (const std::uint32_t i : chosen_) epoch_work_ += row_entries(examples.rows, i);
    const std::size_t features = examples.rows.features;
    for (std::size_t c = 0; c < positives.size(); ++c) {
        weights_.set(c, start + c * features, start_offsets[c]);
        for (std::size_t j = 0; j < features; ++j) start_grid_.add(start[c * features + j]);
        start_grid_.add(start_offsets[c]);
    }
    if (plan.batch) changes_ = weights_.empty_copy();
    if (plan.average) delayed_ = weights_.empty_copy();
    for (std::size_t c = 0; c < outcomes_.size(); ++c) {
        Problem& problem = problems_.emplace_back();
        problem.positive = positives[c];
        problem.max_updates = plan.limits.max_updates;
        problem.pocket_run = plan.pocket ? 0 : kInfinity;
        Live& live = live_.emplace_back();
        live.id = c;
        live.watch.observe(0, weights_.view(), c, planes_, features);
        if (plan.pocket) live.pocket = snapshot(c);
        if (plan.ratchet) live.pocket_errors = training_errors(c, kInfinity);
    }
    if (examples.steps)
        for (std::uint64_t k = 0; k < count_; ++k) steps_grid_.add(examples.steps[example_at(k)]);
    else
        steps_grid_.add(plan.rule.eta0);
}

void OnlineRun::go_on_from(const Earlier& earlier) {
    presented_ = earlier.presented;
    clock_ = earlier.clock;
    for (std::size_t c = 0; c < problems_.size(); ++c) {
        problems_[c].mistakes = earlier.mistakes[c];
        problems_[c].last_change = earlier.last_changes[c];
    }
    if (!delayed_ || !earlier.delayed) return;
    for (std::size_t plane = 0; plane < weights_.planes(); ++plane)
        delayed_->set(plane, earlier.delayed + plane * examples_.rows.features, earlier.delayed_offsets[plane]);
}

void OnlineRun::note(void* self, std::size_t problem, std::size_t example, std::uint64_t presented, double scale,
                     double clock) {
    auto* run = static_cast<OnlineRun*>(self);
    if (run->updates_.size() >= run->record_limit_) return;
    const std::size_t id = run->plan_.joint ? problem : run->live_[problem].id;
    run->updates_.push_back({presented, static_cast<std::uint32_t>(id), static_cast<std::uint32_t>(example)});
    if (run->plan_.rule.step != Step::constant) run->scales_.push_back(scale);
    if (run->records_clocks_) run->clocks_.push_back(clock);
}

Pause OnlineRun::advance(std::uint64_t work, bool pause_at_epoch) {
    std::uint64_t done = 0;
    while (!live_.empty() && !not_finite_) {
        if (question_) return Pause::question;
        if (done >= work) return Pause::slice;
        if (!in_epoch_) begin_epoch();
        if (accelerator_ && !accelerator_ready_) {
            const std::uint64_t prepared = accelerator_->prepare(examples_, problems_[0]);
            accelerator_ready_ = prepared == 0;
            done += prepared;
            if (accelerator_->failed()) drop_accelerator();
        } else if (plan_.order != Order::misclassified)
            done += present_stretch(work - done);
        else
            done += known_until_ < count_ ? score_stretch() : draw();
        if (pause_at_epoch && !in_epoch_ && !live_.empty() && !question_) return Pause::epoch;
    }
    return Pause::done;
}

void OnlineRun::begin_epoch() {
    in_epoch_ = true;
    position_ = 0;
    row_ = {epoch_ + 1, 0, 0, 0, 0.0};
    row_open_ = true;
    choose_accelerator();
    for (Problem& problem : problems_) {
        problem.epoch_mistakes = problem.epoch_errors = 0;
        problem.epoch_loss = 0;
    }
    const std::uint64_t counter = plan_.first_epoch + epoch_;
    presentation_ = chosen_.empty() ? nullptr : chosen_.data();
    if (plan_.order == Order::shuffle) {
        order_.resize(count_);
        epoch_order(plan_.seed, counter, static_cast<std::uint32_t>(count_), order_.data());
        if (!chosen_.empty())
            for (std::uint32_t& i : order_) i = chosen_[i];
        presentation_ = order_.data();
    } else if (plan_.order == Order::misclassified) {
        draws_ = Stream(plan_.seed, Purpose::sample, counter);
    }
    ++epoch_;
}

// Chooses the first accelerator that accepts the coming epoch; those of lower precedence are not considered.
void OnlineRun::choose_accelerator() {
    if (plan_.order == Order::misclassified) return;
    const Weights weights = weights_.view();
    const Situation situation{examples_, plan_,  weights,       weights_.planes(), problems_,
                              count_,    chosen_, epoch_, memory_limit_, threads_, shared_};
    for (const std::unique_ptr<Accelerator>& candidate : accelerators_) {
        const bool in_use = candidate.get() == accelerator_;
        if (!candidate->consider(situation)) {
            if (in_use) drop_accelerator();
            continue;
        }
        if (!in_use) {
            drop_accelerator();
            accelerator_ = candidate.get();
        }
        break;
    }
}

void OnlineRun::drop_accelerator() {
    if (accelerator_) accelerator_->release();
    accelerator_ = nullptr;
    accelerator_ready_ = false;
}

// Frees memory when all problems have ended: one-against-one keeps the runs of all pairs until the last has ended.
void OnlineRun::free_memory() {
    drop_accelerator();
    accelerators_.clear();
    shared_.reset();
    order_ = std::vector<std::uint32_t>();  // assigning {} would keep the memory
    presentation_ = nullptr;
    known_ = std::vector<double>();
    misclassified_ = std::vector<std::uint32_t>();
    gram_rows_.clear();
    gram_plane_.reset();
}

// The last change of the vector that `patience` watches: w, or the pocket (L0).
std::uint64_t OnlineRun::watched_change(std::size_t c) const {
    return plan_.pocket ? live_[c].pocket_changed : problems_[c].last_change;
}

// The number of examples that can be presented before the patience of some problem may run out.
std::uint64_t OnlineRun::patience_deadline() const {
    if (plan_.limits.patience == kNoLimit) return kNoLimit;
    std::uint64_t oldest = kNoLimit;
    for (std::size_t c = 0; c < live_.size(); ++c) oldest = std::min(oldest, watched_change(c));
    return oldest + plan_.limits.patience - presented_;
}

std::uint64_t OnlineRun::present_stretch(std::uint64_t work) {
    const std::uint64_t example_work = epoch_work_ / count_;
    const std::uint64_t stretch =
        std::max<std::uint64_t>(1, std::min(work, kStretchWork) / (example_work * weights_.planes()));
    const std::uint64_t end = position_ + std::min({count_ - position_, stretch, plan_.limits.max_steps - presented_,
                                                    patience_deadline()});
    const std::uint64_t reached = present({presentation_, position_, end, presented_, &clock_, &listener_});
    const std::uint64_t done = (reached - position_) * example_work * weights_.planes();
    presented_ += reached - position_;
    position_ = reached;
    if (any_not_finite()) return done;
    if (position_ == count_) {
        work_ += static_cast<double>(epoch_work_);
        finish_epoch();
    } else {
        settle(false);
    }
    return done;
}

std::uint64_t OnlineRun::present(const Presentation& stretch) {
    if (delayed_) delayed_view_ = delayed_->view();
    const Planes planes{weights_.view(), changes_ ? changes_->view() : weights_.view(),
                        delayed_ ? &*delayed_view_ : nullptr, weights_.planes()};
    const Pass pass = accelerator_     ? accelerator_->pass()
                      : plan_.joint ? Pass{kernels().joint, nullptr}
                                    : Pass{kernels().online, nullptr};
    return pass.function(examples_, stretch, plan_.rule, planes, problems_.data(), scores_.data(), pass.state);
}

bool OnlineRun::any_not_finite() {
    for (const Problem& problem : problems_)
        if (problem.not_finite) not_finite_ = epoch_;
    return not_finite_ != 0;
}

}  // namespace rosenblatt
