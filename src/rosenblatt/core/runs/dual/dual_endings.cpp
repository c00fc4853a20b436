// The end of an epoch of a dual run: cycles, endings and history.
#include <algorithm>
#include <cmath>

#include "runs/dual/dual_run.hpp"
#include "runs/endings.hpp"

namespace rosenblatt {

void DualRun::ask(Question question, std::size_t problem) {
    question_ = question;
    question_problem_ = problem;
}

void DualRun::finish_epoch() {
    in_epoch_ = false;
    if (complete_from_ > 0) {
        // With external scores, only the scores of the last window are current. If these differ from the copy, the state has not
        // come back.
        for (const Live& live : live_)
            if (problems_[live.id].epoch_mistakes && same_as_kept(live, complete_from_))
                return ask(Question::scores, live.id);
        for (Live& live : live_) live.period = 0;
        return conclude();
    }
    compare();
}

void DualRun::answer_scores() {
    question_.reset();
    complete_from_ = 0;
    compare();
}

// Scores and offset determine the future of a cyclic run, so they are the state that is watched (cycle.hpp).
void DualRun::compare() {
    for (Live& live : live_) {
        live.period = 0;
        if (external_coef_ || problems_[live.id].epoch_mistakes == 0) continue;
        if (same_as_kept(live, 0))
            live.period = epoch_ - live.schedule.kept_at;
        else if (live.schedule.is_due(epoch_))
            keep(live);
        if (live.period && plan_.order != Order::cyclic && !gram_grid_) ask(Question::grid, live.id);
    }
    if (!question_) conclude();
}

void DualRun::answer_grid(const Grid& gram) {
    question_.reset();
    gram_grid_ = gram;
    conclude();
}

bool DualRun::same_as_kept(const Live& live, std::uint64_t from) const {
    const double* kept = live.kept.data();
    for (std::size_t c = live.id; c < live.id + planes_each_; ++c, kept += count_ + 1) {
        if (kept[count_] != offsets_[c]) return false;
        const double* scores = scores_.data() + c * count_;
        if (from == 0) {
            if (!std::equal(scores, scores + count_, kept)) return false;
        } else {
            for (std::uint64_t p = from; p < count_; ++p)
                if (scores[order_[p]] != kept[order_[p]]) return false;
        }
    }
    return true;
}

void DualRun::keep(Live& live) {
    double* kept = live.kept.data();
    for (std::size_t c = live.id; c < live.id + planes_each_; ++c, kept += count_ + 1) {
        std::copy_n(scores_.data() + c * count_, count_, kept);
        kept[count_] = offsets_[c];
    }
    live.schedule.keep(epoch_);
}

// In a random order a state that comes back does not determine the future. But if no addition was rounded, the examples of the
// mistakes in between, weighted by their steps, add up to a vector that is orthogonal to every example: for the symmetric Gram
// matrix K as computed, there is then no separator.
void DualRun::conclude() {
    for (Live& live : live_) {
        const Problem& problem = problems_[live.id];
        if (live.period && plan_.order != Order::cyclic &&
            !additions_exact(*gram_grid_, steps_grid_, Grid{},
                             problem.mistakes * plan_.rows_per_update(planes_)))
            live.period = 0;
        if (problem.epoch_errors < live.best_errors) {
            live.best_errors = problem.epoch_errors;
            live.best_epoch = epoch_;
        }
    }
    settle(true);
    close_row();
}

void DualRun::settle(bool epoch_ended) {
    std::vector<bool> ended(live_.size());
    for (std::size_t k = 0; k < live_.size(); ++k) {
        const Ending ending = decide(facts_of(live_[k], epoch_ended), plan_.limits);
        if (ending == Ending::stalled && plan_.limits.ask_before_stall && !live_[k].separable) {
            ask(Question::stall, live_[k].id);
        } else if (ending != Ending::running) {
            retire(live_[k], ending);
            ended[k] = true;
        }
    }
    drop(ended);
}

EpochFacts DualRun::facts_of(const Live& live, bool epoch_ended) const {
    const Problem& problem = problems_[live.id];
    return {.epoch_ended = epoch_ended,
            .epoch = epoch_,
            .examples = count_,
            .presented = presented_,
            .mistakes = problem.mistakes,
            .last_change = problem.last_change,
            .epoch_errors = problem.epoch_errors,
            .no_mistake = plan_.order == Order::misclassified ? misclassified_.empty() : problem.epoch_mistakes == 0,
            .period = live.period,
            .best_epoch = live.best_epoch,
            .work = work_,
            .separable = live.separable};
}

void DualRun::answer_stall(bool go_on, Ending otherwise) {
    question_.reset();
    std::vector<bool> ended(live_.size());
    for (std::size_t k = 0; k < live_.size(); ++k) {
        if (live_[k].id != question_problem_) continue;
        live_[k].separable = go_on;
        if (go_on) continue;
        retire(live_[k], otherwise);
        ended[k] = true;
    }
    drop(ended);
    settle(true);  // other problems may have the same question
    close_row();
}

void DualRun::end_all(Ending ending) {
    for (const Live& live : live_) retire(live, ending);
    drop(std::vector<bool>(live_.size(), true));
}

// Records the outcome of a problem; drop() then removes it.
void DualRun::retire(const Live& live, Ending ending) {
    outcomes_[live.id] = outcome(live.id);
    outcomes_[live.id].ending = ending;
    outcomes_[live.id].period = ending == Ending::cycled && plan_.order == Order::cyclic ? live.period : 0;
    if (row_open_) add_to_row(problems_[live.id]);
}

void DualRun::drop(const std::vector<bool>& ended) {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < live_.size(); ++k) {
        if (ended[k]) continue;
        if (kept != k) live_[kept] = std::move(live_[k]);
        ++kept;
    }
    const bool last = kept == 0 && !live_.empty();
    live_.resize(kept);
    if (last) close_row();
}

void DualRun::add_to_row(const Problem& problem) {
    row_.presented += position_;
    row_.mistakes += problem.epoch_mistakes;
    row_.errors += problem.epoch_errors;
    row_.loss += problem.epoch_loss;
}

void DualRun::close_row() {
    if (question_ || !row_open_) return;
    for (const Live& live : live_) add_to_row(problems_[live.id]);
    history_.add(row_);
    row_open_ = false;
}

Outcome DualRun::outcome(std::size_t problem) const {
    if (outcomes_[problem].ending != Ending::running) return outcomes_[problem];
    Outcome now;
    now.epochs = epoch_;
    now.mistakes = problems_[problem].mistakes;
    now.presented = presented_;
    now.clock = clock();
    return now;
}

std::vector<double> DualRun::average_coef() const {
    std::vector<double> average = coef_;
    for (std::size_t c = 0; c < planes_; ++c) {
        const double clock = outcome(plan_.joint ? 0 : c).clock;
        if (clock == 0) continue;
        for (std::uint64_t i = 0; i < count_; ++i) average[c * count_ + i] -= delayed_[c * count_ + i] / clock;
    }
    return average;
}

std::vector<double> DualRun::average_offsets() const {
    std::vector<double> average = offsets_;
    for (std::size_t c = 0; c < planes_; ++c) {
        const double clock = outcome(plan_.joint ? 0 : c).clock;
        if (clock > 0) average[c] -= delayed_offsets_[c] / clock;
    }
    return average;
}

}  // namespace rosenblatt
