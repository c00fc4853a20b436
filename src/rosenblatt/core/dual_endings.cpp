// How the problems of a dual run end, and what is written down of each epoch.
#include <algorithm>
#include <cmath>

#include "dual_run.hpp"
#include "stalling.hpp"

namespace rosenblatt {

void DualRun::ask(Question question, std::size_t problem) {
    question_ = question;
    asking_ = problem;
}

void DualRun::finish_epoch() {
    in_epoch_ = false;
    if (complete_from_ > 0) {
        // Of a blind run's scores only the last window's are those of now. Had the state come back, they would be as
        // they were.
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

// The future of a cyclic run follows from the scores and the offset: have they come back? (Brent 1980, as cycle.hpp.)
void DualRun::compare() {
    for (Live& live : live_) {
        live.period = 0;
        if (plan_.pulled || problems_[live.id].epoch_mistakes == 0) continue;
        if (same_as_kept(live, 0))
            live.period = epoch_ - live.kept_at;
        else if (epoch_ >= live.keep_next)
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
    live.kept_at = epoch_;
    live.keep_next = 2 * epoch_;
}

// In a random order a state that comes back tells nothing of the future. But where no addition was rounded, the examples
// of the mistakes in between, weighted by their steps, add up to something that is orthogonal to every example: for the
// Gram matrix K as it was computed, symmetric, there is then no separator.
void DualRun::conclude() {
    for (Live& live : live_) {
        const Problem& problem = problems_[live.id];
        if (live.period && plan_.order != Order::cyclic &&
            !additions_exact(*gram_grid_, steps_grid_, Grid{}, problem.mistakes))
            live.period = 0;
        if (problem.epoch_errors < live.best_errors) {
            live.best_errors = problem.epoch_errors;
            live.best_epoch = epoch_;
        }
    }
    settle(true);
    close_row();
}

void DualRun::settle(bool at_epoch_end) {
    std::vector<bool> ended(live_.size());
    for (std::size_t k = 0; k < live_.size(); ++k) {
        const Ending ending = ending_of(live_[k], at_epoch_end);
        if (ending == Ending::stalled && plan_.limits.ask_before_stall && !live_[k].separable) {
            ask(Question::stall, live_[k].id);
        } else if (ending != Ending::running) {
            retire(live_[k], ending);
            ended[k] = true;
        }
    }
    drop(ended);
}

Ending DualRun::ending_of(const Live& live, bool at_epoch_end) const {
    const Problem& problem = problems_[live.id];
    const Limits& limits = plan_.limits;
    if (at_epoch_end) {
        const double errors = static_cast<double>(problem.epoch_errors);
        const bool right = plan_.order == Order::misclassified ? misclassified_.empty() : problem.epoch_mistakes == 0;
        if (right) return Ending::separated;
        if (live.period) return Ending::cycled;
        if (errors <= limits.max_error * static_cast<double>(count_)) return Ending::error_reached;
    }
    if (presented_ - problem.last_change >= limits.patience) return Ending::unchanged;
    if (at_epoch_end && limits.may_stall && has_stalled(work_, epoch_, live.best_epoch, live.separable))
        return Ending::stalled;
    if (problem.mistakes >= limits.max_updates) return Ending::max_updates;
    if (presented_ >= limits.max_steps) return Ending::max_steps;
    if (at_epoch_end && epoch_ >= limits.max_iter) return Ending::max_iter;
    return Ending::running;
}

void DualRun::answer_stall(bool go_on, Ending otherwise) {
    question_.reset();
    std::vector<bool> ended(live_.size());
    for (std::size_t k = 0; k < live_.size(); ++k) {
        if (live_[k].id != asking_) continue;
        live_[k].separable = go_on;
        if (go_on) continue;
        retire(live_[k], otherwise);
        ended[k] = true;
    }
    drop(ended);
    settle(true);  // other problems may have the same question
    close_row();
}

// Writes down how a problem ended; drop() then takes it out.
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
