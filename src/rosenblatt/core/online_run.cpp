#include "online_run.hpp"

#include <algorithm>
#include <cmath>

namespace rosenblatt {

namespace {

// A kernel call is short enough for a caller to break in, long enough that calling it costs nothing.
constexpr std::uint64_t kStretchWork = 1 << 24;

// What an example costs beyond its values, in the same unit; and the work below which no run is called stalled.
constexpr std::uint64_t kExampleWork = 32;
constexpr double kStallWork = 2e8;
constexpr std::uint64_t kStallEpochs = 10;

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

bool all_finite(const Outcome& outcome) {
    const auto finite = [](double value) { return std::isfinite(value); };
    return std::all_of(outcome.offsets.begin(), outcome.offsets.end(), finite) &&
           std::all_of(outcome.w.begin(), outcome.w.end(), finite);
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
      scores_(score_room(positives.size())),
      recorder_{&OnlineRun::note, this},
      outcomes_(plan.joint ? 1 : positives.size()) {
    epoch_work_ = kExampleWork * count_;
    if (is_dense(examples.rows.storage) || !chosen) {
        epoch_work_ += is_dense(examples.rows.storage) ? count_ * examples.rows.features : stored_values(examples.rows);
    } else {
        for (const std::uint32_t i : chosen_) epoch_work_ += row_entries(examples.rows, i);
    }
    const std::size_t features = examples.rows.features;
    for (std::size_t c = 0; c < positives.size(); ++c) {
        weights_.set(c, start + c * features, start_offsets[c]);
        for (std::size_t j = 0; j < features; ++j) start_grid_.add(start[c * features + j]);
        start_grid_.add(start_offsets[c]);
    }
    for (std::size_t c = 0; c < outcomes_.size(); ++c) {
        problems_.push_back({positives[c], 0, plan.limits.max_updates, 0, false, 0, 0, 0.0});
        live_.emplace_back().id = c;
        live_[c].watch.see(0, weights_.view(), c, planes_, features);
    }
    if (examples.steps)
        for (std::uint64_t k = 0; k < count_; ++k) steps_grid_.add(examples.steps[example_at(k)]);
    else
        steps_grid_.add(plan.rule.eta0);
}

void OnlineRun::note(void* self, std::size_t problem, std::size_t example, std::uint64_t presented) {
    auto* run = static_cast<OnlineRun*>(self);
    const std::size_t id = run->plan_.joint ? problem : run->live_[problem].id;
    run->updates_.push_back({presented, static_cast<std::uint32_t>(id), static_cast<std::uint32_t>(example)});
}

Pause OnlineRun::advance(std::uint64_t work, bool pause_at_epoch) {
    std::uint64_t done = 0;
    while (!live_.empty() && !not_finite_) {
        if (question_) return Pause::question;
        if (done >= work) return Pause::slice;
        if (!in_epoch_) begin_epoch();
        if (plan_.order != Order::misclassified)
            done += present_stretch();
        else
            done += scoring_ ? score_stretch() : draw_stretch();
        if (pause_at_epoch && !in_epoch_ && !live_.empty() && !question_) return Pause::epoch;
    }
    return Pause::done;
}

void OnlineRun::begin_epoch() {
    in_epoch_ = true;
    position_ = 0;
    row_ = {epoch_ + 1, 0, 0, 0, 0.0};
    row_open_ = true;
    for (Problem& problem : problems_) {
        problem.epoch_mistakes = problem.epoch_errors = 0;
        problem.epoch_loss = 0;
    }
    const std::uint64_t counter = plan_.first_epoch + epoch_;
    presentation_ = chosen_.empty() ? nullptr : chosen_.data();
    if (plan_.order == Order::shuffle) {
        epoch_order(plan_.seed, counter, static_cast<std::uint32_t>(count_), order_);
        if (!chosen_.empty())
            for (std::uint32_t& i : order_) i = chosen_[i];
        presentation_ = order_.data();
    } else if (plan_.order == Order::misclassified) {
        misclassified_.clear();
        draws_ = Stream(plan_.seed, Purpose::sample, counter);
        scoring_ = true;
    }
    ++epoch_;
}

// How many examples may be presented before some problem's patience could run out.
std::uint64_t OnlineRun::patience_deadline() const {
    if (plan_.limits.patience == kNoLimit) return kNoLimit;
    std::uint64_t oldest = kNoLimit;
    for (const Problem& problem : problems_) oldest = std::min(oldest, problem.last_change);
    return oldest + plan_.limits.patience - presented_;
}

std::uint64_t OnlineRun::present_stretch() {
    const std::uint64_t example_work = epoch_work_ / count_;
    const std::uint64_t stretch = std::max<std::uint64_t>(1, kStretchWork / (example_work * weights_.planes()));
    const std::uint64_t end = position_ + std::min({count_ - position_, stretch, plan_.limits.max_steps - presented_,
                                                    patience_deadline()});
    const std::uint64_t reached = present({presentation_, position_, end, presented_, nullptr});
    const std::uint64_t work = (reached - position_) * example_work * weights_.planes();
    presented_ += reached - position_;
    position_ = reached;
    if (any_not_finite()) return work;
    if (position_ == count_) {
        work_ += static_cast<double>(epoch_work_);
        finish_epoch();
    } else {
        settle(false);
    }
    return work;
}

std::uint64_t OnlineRun::present(Presentation stretch) {
    if (plan_.record) stretch.recorder = &recorder_;
    return plan_.joint ? kernels().joint(examples_, stretch, plan_.rule, weights_.view(), problems_[0],
                                         weights_.planes(), scores_.data())
                       : kernels().online(examples_, stretch, plan_.rule, weights_.view(), problems_.data(),
                                          problems_.size(), scores_.data());
}

bool OnlineRun::any_not_finite() {
    for (const Problem& problem : problems_)
        if (problem.not_finite) not_finite_ = epoch_;
    return not_finite_ != 0;
}

std::uint64_t OnlineRun::score_stretch() {
    const std::uint64_t example_work = epoch_work_ / count_;
    const std::uint64_t end =
        position_ + std::min(count_ - position_, std::max<std::uint64_t>(1, kStretchWork / example_work));
    Problem& problem = problems_[0];
    const std::uint64_t work = (end - position_) * example_work;
    for (; position_ < end; ++position_) {
        const std::size_t i = example_at(position_);
        double loss = 0;
        bool error = false;
        const bool mistake = is_mistake(i, loss, error);
        problem.epoch_errors += error;
        if (!mistake) continue;
        misclassified_.push_back(static_cast<std::uint32_t>(i));
        problem.epoch_loss += loss;
    }
    if (any_not_finite() || position_ < count_) return work;
    work_ += static_cast<double>(epoch_work_);
    scoring_ = false;
    if (misclassified_.empty() ||
        static_cast<double>(problem.epoch_errors) <= plan_.limits.max_error * static_cast<double>(count_)) {
        in_epoch_ = false;
        retire(0, misclassified_.empty() ? Ending::separated : Ending::error_reached);
        drop_ended();
    }
    return work;
}

// Whether example i is a mistake of the only problem, and an error as errors are reported; and its share of the loss.
bool OnlineRun::is_mistake(std::size_t i, double& loss, bool& error) {
    const std::size_t planes = weights_.planes();
    std::vector<double>& scores = row_scores_;
    scores.resize(planes);
    kernels().scores(examples_.rows, i, i + 1, weights_.view(), planes, scores_.data(), scores.data());
    for (const double score : scores) problems_[0].not_finite |= !std::isfinite(score);
    if (plan_.joint) {
        const auto truth = static_cast<std::size_t>(examples_.labels[i]);
        double rival = -std::numeric_limits<double>::infinity();
        for (std::size_t c = 0; c < planes; ++c)
            if (c != truth) rival = std::max(rival, scores[c]);
        loss = rival - scores[truth];
        return error = !(scores[truth] > rival);
    }
    const bool positive = examples_.labels[i] == problems_[0].positive;
    loss = positive ? -scores[0] : scores[0];
    error = loss > 0 || (loss == 0 && tie_is_wrong(plan_.rule.error_tie, positive));
    return loss > 0 || (loss == 0 && tie_is_wrong(plan_.rule.tie, positive));
}

// How many validation examples each problem has right now; the best weights are kept.
void OnlineRun::validate() {
    std::vector<std::uint64_t> right(live_.size());
    const std::size_t planes = weights_.planes();
    std::vector<double> scores(planes);
    for (const std::uint32_t i : plan_.validation) {
        kernels().scores(examples_.rows, i, i + 1, weights_.view(), planes, scores_.data(), scores.data());
        if (plan_.joint) {
            const auto best = std::max_element(scores.begin(), scores.end()) - scores.begin();
            right[0] += best == examples_.labels[i];
            continue;
        }
        for (std::size_t c = 0; c < live_.size(); ++c) {
            const bool predicted = scores[c] > 0 || (scores[c] == 0 && plan_.rule.tie == Tie::positive);
            right[c] += predicted == (examples_.labels[i] == problems_[c].positive);
        }
    }
    for (std::size_t c = 0; c < live_.size(); ++c) {
        Live& live = live_[c];
        if (live.validated_epoch && right[c] <= live.validated) continue;
        live.validated = right[c];
        live.validated_epoch = epoch_;
        live.best = now(c);
    }
}

std::uint64_t OnlineRun::draw_stretch() {
    std::uint64_t work = 0;
    while (work < kStretchWork) {
        if (misclassified_.empty() || problems_[0].epoch_mistakes == count_) {
            finish_epoch();
            return work;
        }
        const std::uint64_t drawn = draws_.below(misclassified_.size());
        const std::uint32_t i = misclassified_[drawn];
        const double scored_loss = problems_[0].epoch_loss;
        const std::uint64_t scored_errors = problems_[0].epoch_errors;
        const std::uint64_t before = problems_[0].mistakes;
        present({&i, 0, 1, presented_, nullptr});
        if (any_not_finite()) return work;
        // Error and loss are those of the scoring pass, over all examples; the draws do not add to them.
        problems_[0].epoch_loss = scored_loss;
        problems_[0].epoch_errors = scored_errors;
        presented_ += 1;
        if (problems_[0].mistakes == before) {
            misclassified_[drawn] = misclassified_.back();
            misclassified_.pop_back();
        }
        const std::uint64_t touched = row_entries(examples_.rows, i) + kExampleWork;
        work += touched;
        work_ += static_cast<double>(touched);
        settle(false);
        if (live_.empty()) return work;
    }
    return work;
}

void OnlineRun::finish_epoch() {
    in_epoch_ = false;
    for (std::size_t c = 0; c < live_.size(); ++c) {
        if (problems_[c].epoch_errors < live_[c].best_errors) {
            live_[c].best_errors = problems_[c].epoch_errors;
            live_[c].best_epoch = epoch_;
        }
        live_[c].period = problems_[c].epoch_mistakes ? live_[c].watch.see(epoch_, weights_.view(), c, planes_,
                                                                           examples_.rows.features)
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
    if (!rows_grid_) rows_grid_ = grid_of(examples_.rows);
    return additions_exact(*rows_grid_, steps_grid_, start_grid_, problems_[c].mistakes);
}

void OnlineRun::settle(bool at_epoch_end) {
    for (std::size_t c = 0; c < live_.size(); ++c) {
        const Ending ending = ending_of(c, at_epoch_end);
        if (ending == Ending::stalled && plan_.limits.ask_before_stall) {
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
    const bool scored_online = plan_.order != Order::misclassified;
    if (at_epoch_end) {
        if (problem.epoch_mistakes == 0) return Ending::separated;
        if (live_[c].period) return Ending::cycled;
        if (scored_online && errors <= limits.max_error * static_cast<double>(count_)) return Ending::error_reached;
    }
    if (presented_ - problem.last_change >= limits.patience) return Ending::unchanged;
    if (at_epoch_end && live_[c].validated_epoch && epoch_ - live_[c].validated_epoch >= plan_.n_iter_no_change)
        return Ending::early_stopped;
    if (at_epoch_end && stalls(live_[c])) return Ending::stalled;
    if (problem.mistakes >= limits.max_updates) return Ending::max_updates;
    if (presented_ >= limits.max_steps) return Ending::max_steps;
    if (at_epoch_end && epoch_ >= limits.max_iter) return Ending::max_iter;
    return Ending::running;
}

bool OnlineRun::stalls(const Live& live) const {
    return plan_.limits.may_stall && !live.never_stalls && work_ > kStallWork &&
           epoch_ - live.best_epoch >= std::max(kStallEpochs, epoch_ / 2);
}

void OnlineRun::answer(bool go_on, Ending otherwise) {
    std::size_t c = 0;
    while (live_[c].id != *question_) ++c;
    question_.reset();
    if (go_on) {
        live_[c].never_stalls = true;
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
    if (!all_finite(outcome)) not_finite_ = epoch_;
    if (live.validated_epoch) {
        outcome.validated = live.validated;
        if (ending != Ending::separated) {
            outcome.w = live.best.w;
            outcome.offsets = live.best.offsets;
        }
    }
    if (row_open_) add_to_row(problems_[c]);
    live.ended = true;
}

void OnlineRun::drop_ended() {
    std::vector<std::size_t> kept;
    for (std::size_t c = 0; c < live_.size(); ++c) {
        if (live_[c].ended) continue;
        if (kept.size() != c) {
            live_[kept.size()] = std::move(live_[c]);
            problems_[kept.size()] = problems_[c];
        }
        kept.push_back(c);
    }
    if (kept.size() == live_.size()) return;
    live_.resize(kept.size());
    problems_.resize(kept.size());
    if (!plan_.joint) weights_.keep(kept);
    if (live_.empty()) close_row();
}

Outcome OnlineRun::now(std::size_t c) const {
    const std::size_t features = examples_.rows.features;
    Outcome state;
    state.epochs = epoch_;
    state.mistakes = problems_[c].mistakes;
    state.presented = presented_;
    state.w.resize(planes_ * features);
    for (std::size_t plane = 0; plane < planes_; ++plane) {
        weights_.get(c + plane, state.w.data() + plane * features);
        state.offsets.push_back(weights_.offset(c + plane));
    }
    return state;
}

Outcome OnlineRun::outcome(std::size_t id) const {
    for (std::size_t c = 0; c < live_.size(); ++c)
        if (live_[c].id == id) return now(c);
    return outcomes_[id];
}

}  // namespace rosenblatt
