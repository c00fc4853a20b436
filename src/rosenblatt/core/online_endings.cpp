// How the problems of a run end, and what is written down of each epoch.
#include <algorithm>
#include <cmath>

#include "online_run.hpp"
#include "stalling.hpp"

namespace rosenblatt {

namespace {

bool all_finite(const Snapshot& state) {
    bool finite = true;  // a loop without a branch: the weights may be many
    for (const std::vector<double>* values : {&state.offsets, &state.w})
        for (const double value : *values) finite &= std::isfinite(value);
    return finite;
}

}  // namespace

void OnlineRun::finish_epoch() {
    in_epoch_ = false;
    if (changes_) weights_.take(*changes_);
    for (std::size_t c = 0; c < live_.size(); ++c) {
        if (problems_[c].epoch_errors < live_[c].best_errors) {
            live_[c].best_errors = problems_[c].epoch_errors;
            live_[c].best_epoch = epoch_;
        }
        const bool last = epoch_ >= plan_.limits.max_iter;
        live_[c].period = problems_[c].epoch_mistakes ? live_[c].watch.see(epoch_, weights_.view(), c, planes_,
                                                                           examples_.rows.features, !last)
                                                      : 0;
        if (live_[c].period && plan_.order != Order::cyclic && !returned(c)) live_[c].period = 0;
    }
    if (!plan_.validation.empty()) validate();
    settle(true);
    close_row();
}

// In a random order a state that comes back tells nothing of the future, but where no addition was rounded the updates
// in between add up to zero, and that no separator allows.
bool OnlineRun::returned(std::size_t c) {
    if (plan_.rule.step != Step::constant) return false;
    if (!rows_grid_) rows_grid_ = grid_of(examples_.rows);
    return additions_exact(*rows_grid_, steps_grid_, start_grid_, problems_[c].mistakes);
}

void OnlineRun::settle(bool at_epoch_end) {
    for (std::size_t c = 0; c < live_.size(); ++c) {
        const Ending ending = ending_of(c, at_epoch_end);
        if (ending == Ending::stalled && plan_.limits.ask_before_stall && !live_[c].separable) {
            question_ = live_[c].id;
        } else if (ending != Ending::running) {
            retire(c, ending);
        }
    }
    drop_ended();
}

Ending OnlineRun::ending_of(std::size_t c, bool at_epoch_end) {
    const Problem& problem = problems_[c];
    const Limits& limits = plan_.limits;
    const double errors = static_cast<double>(problem.epoch_errors);
    if (at_epoch_end) {
        const bool right = plan_.order == Order::misclassified ? misclassified_.empty() : problem.epoch_mistakes == 0;
        if (right) return Ending::separated;
        if (live_[c].period) return Ending::cycled;
        if (errors <= limits.max_error * static_cast<double>(count_)) return Ending::error_reached;
    }
    if (presented_ - watched_change(c) >= limits.patience) return Ending::unchanged;
    if (at_epoch_end && live_[c].validated_epoch && epoch_ - live_[c].validated_epoch >= plan_.n_iter_no_change)
        return Ending::early_stopped;
    if (at_epoch_end && stalls(live_[c])) return Ending::stalled;
    if (problem.mistakes >= limits.max_updates) return Ending::max_updates;
    if (presented_ >= limits.max_steps) return Ending::max_steps;
    if (at_epoch_end && epoch_ >= limits.max_iter) return Ending::max_iter;
    return Ending::running;
}

bool OnlineRun::stalls(const Live& live) const {
    return plan_.limits.may_stall && has_stalled(work_, epoch_, live.best_epoch, live.separable);
}

void OnlineRun::answer(bool go_on, Ending otherwise) {
    const std::size_t c = *running(*question_);
    question_.reset();
    if (go_on) {
        live_[c].separable = true;
    } else {
        retire(c, otherwise);
        drop_ended();
    }
    settle(true);  // other problems may have the same question
    close_row();
}

void OnlineRun::end_all(Ending ending) {
    for (std::size_t c = 0; c < live_.size(); ++c) retire(c, ending);
    drop_ended();
}

void OnlineRun::close_row() {
    if (question_ || !row_open_) return;
    for (const Problem& problem : problems_) add_to_row(problem);
    history_.add(row_);
    row_open_ = false;
}

void OnlineRun::add_to_row(const Problem& problem) {
    row_.presented += position_;
    row_.mistakes += problem.epoch_mistakes;
    row_.errors += problem.epoch_errors;
    row_.loss += problem.epoch_loss;
}

// Writes down how problem c ended; drop_ended() then takes it out.
void OnlineRun::retire(std::size_t c, Ending ending) {
    Live& live = live_[c];
    Outcome& outcome = outcomes_[live.id];
    outcome = now(c);
    outcome.ending = ending;
    outcome.period = ending == Ending::cycled && plan_.order == Order::cyclic ? live.period : 0;
    if (!all_finite(outcome.last)) not_finite_ = epoch_;
    if (live.validated_epoch) {
        outcome.validated = live.validated;
        if (ending != Ending::separated) outcome.last = live.best;
    }
    if (plan_.pocket) close_pocket(c, outcome);
    if (row_open_) add_to_row(problems_[c]);
    live.ended = true;
}

void OnlineRun::drop_ended() {
    if (std::none_of(live_.begin(), live_.end(), [](const Live& live) { return live.ended; })) return;
    std::vector<std::size_t> kept;
    for (std::size_t c = 0; c < live_.size(); ++c) {
        if (live_[c].ended) continue;
        if (kept.size() != c) {
            live_[kept.size()] = std::move(live_[c]);
            problems_[kept.size()] = problems_[c];
        }
        kept.push_back(c);
    }
    live_.resize(kept.size());
    problems_.resize(kept.size());
    if (!plan_.joint) {
        weights_.keep(kept);
        if (changes_) changes_->keep(kept);
        if (delayed_) delayed_->keep(kept);
    }
    if (!live_.empty()) return;
    close_row();
    let_go();
}

}  // namespace rosenblatt
