// The end of an epoch of an online run: cycles, endings and history.
#include <algorithm>
#include <cmath>

#include "runs/online/online_run.hpp"

namespace rosenblatt {

namespace {

bool all_finite(const Snapshot& state) {
    bool finite = true;  // no branch in the loop: the weights may be many
    for (const std::vector<double>* values : {&state.offsets, &state.w})
        for (const double value : *values) finite &= std::isfinite(value);
    return finite;
}

void count_use(std::vector<AcceleratorUse>& uses, const char* name) {
    const auto same = [&](const AcceleratorUse& use) { return use.name == name; };
    const auto found = std::find_if(uses.begin(), uses.end(), same);
    if (found == uses.end())
        uses.push_back({name, 1});
    else
        found->epochs += 1;
}

}  // namespace

void OnlineRun::finish_epoch() {
    in_epoch_ = false;
    if (accelerator_ && accelerator_->has_run()) count_use(uses_, accelerator_->name());
    if (changes_) weights_.take(*changes_);
    for (std::size_t c = 0; c < live_.size(); ++c) {
        if (problems_[c].epoch_errors < live_[c].best_errors) {
            live_[c].best_errors = problems_[c].epoch_errors;
            live_[c].best_epoch = epoch_;
        }
        const bool last = epoch_ >= plan_.limits.max_iter;
        live_[c].period = problems_[c].epoch_mistakes ? live_[c].watch.observe(epoch_, weights_.view(), c, planes_,
                                                                           examples_.rows.features, !last)
                                                      : 0;
        if (live_[c].period && plan_.order != Order::cyclic && !returned(c)) live_[c].period = 0;
    }
    if (!plan_.validation.empty()) validate();
    settle(true);
    close_row();
}

// In a random order a state that comes back does not determine the future. But if no addition was rounded, the updates in
// between add up to zero, which proves that there is no separator.
bool OnlineRun::returned(std::size_t c) {
    if (plan_.rule.step != Step::constant) return false;
    if (!rows_grid_) rows_grid_ = grid_of(examples_.rows);
    return additions_exact(*rows_grid_, steps_grid_, start_grid_,
                           problems_[c].mistakes * plan_.rows_per_update(planes_));
}

void OnlineRun::settle(bool epoch_ended) {
    for (std::size_t c = 0; c < live_.size(); ++c) {
        const Ending ending = decide(facts_of(c, epoch_ended), plan_.limits);
        const bool lasts = ending == Ending::running && epoch_ended && plan_.limits.may_stall && work_ > kStallWork;
        if ((lasts || ending == Ending::stalled) && plan_.limits.ask_before_stall && !live_[c].asked) {
            question_ = live_[c].id;
        } else if (ending != Ending::running) {
            retire(c, ending);
        }
    }
    drop_ended();
}

EpochFacts OnlineRun::facts_of(std::size_t c, bool epoch_ended) const {
    const Problem& problem = problems_[c];
    const Live& live = live_[c];
    return {.epoch_ended = epoch_ended,
            .epoch = epoch_,
            .examples = count_,
            .presented = presented_,
            .mistakes = problem.mistakes,
            .last_change = watched_change(c),
            .epoch_errors = problem.epoch_errors,
            .no_mistake = plan_.order == Order::misclassified ? misclassified_.empty() : problem.epoch_mistakes == 0,
            .period = live.period,
            .best_epoch = live.best_epoch,
            .validated_epoch = live.validated_epoch,
            .work = work_,
            .separable = live.separable};
}

void OnlineRun::answer(bool go_on, Ending otherwise) {
    const std::size_t c = *running(*question_);
    question_.reset();
    live_[c].asked = true;
    if (go_on) {
        live_[c].separable = true;
    } else if (otherwise != Ending::stalled) {  // undecided: it goes on until it stalls
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

// Records the outcome of problem c; drop_ended() then removes it.
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
    outcome.accelerators = uses_;
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
    free_memory();
}

}  // namespace rosenblatt
