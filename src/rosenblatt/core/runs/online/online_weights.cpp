// Weights during an online run: their scores, the pocket, the best on validation examples, and the average.
#include <algorithm>
#include <cmath>
#include <utility>

#include "runs/online/online_run.hpp"

namespace rosenblatt {

const std::vector<double>& OnlineRun::scores_of(std::size_t i) {
    row_scores_.resize(weights_.planes());
    kernels().scores(examples_.rows, i, i + 1, weights_.view(), weights_.planes(), scratch_.data(), row_scores_.data());
    return row_scores_;
}

// y * score of example i in problem c; under the joint rule the true class's score minus the best of the others.
double OnlineRun::agreement_of(std::size_t c, std::size_t i) { return agreement_of(c, i, scores_of(i).data()); }

double OnlineRun::agreement_of(std::size_t c, std::size_t i, const double* scores) const {
    if (!plan_.joint) return examples_.labels[i] == problems_[c].positive ? scores[c] : -scores[c];
    return scores[examples_.labels[i]] - scores[rival_of(i, scores)];
}

// The best of the other classes, the first of equals.
std::size_t OnlineRun::rival_of(std::size_t i, const double* scores) const {
    const auto truth = static_cast<std::size_t>(examples_.labels[i]);
    std::size_t rival = truth == 0 ? 1 : 0;
    for (std::size_t plane = 0; plane < planes_; ++plane)
        if (plane != truth && scores[plane] > scores[rival]) rival = plane;
    return rival;
}

// The classes that an update with example i punishes, given its scores.
std::vector<std::size_t> OnlineRun::rivals_of(std::size_t i, const double* scores) const {
    const auto truth = static_cast<std::size_t>(examples_.labels[i]);
    const std::size_t best = rival_of(i, scores);
    std::vector<std::size_t> rivals;
    for (std::size_t c = 0; c < planes_; ++c)
        if (c != truth && plan_.rule.punishes(scores[truth] - scores[c], c == best)) rivals.push_back(c);
    return rivals;
}

// Training errors of problem c's present weights; stops counting at `enough`.
double OnlineRun::training_errors(std::size_t c, double enough) {
    double errors = 0;
    for (std::uint64_t k = 0; k < count_ && errors < enough; ++k) {
        const std::size_t i = example_at(k);
        const double agreement = agreement_of(c, i);
        const bool error = plan_.joint ? !(agreement > 0)
                                       : plan_.rule.is_error(agreement, examples_.labels[i] == problems_[c].positive);
        if (error) errors += examples_.weights ? examples_.weights[i] : 1.0;
        live_[c].scored += 1;
    }
    return errors;
}

// L0's pocket: weights with a longer run of correct examples enter it. With the ratchet they must also make fewer training
// errors; this is checked only while earlier checks have cost no more than the run itself.
void OnlineRun::offer(void* self, std::size_t c, double run, std::uint64_t presented) {
    auto& it = *static_cast<OnlineRun*>(self);
    Live& live = it.live_[c];
    if (it.plan_.ratchet) {
        if (live.scored > presented + it.count_) return;
        const double errors = it.training_errors(c, live.pocket_errors);
        if (errors >= live.pocket_errors) return;
        live.pocket_errors = errors;
    }
    Snapshot entering = it.snapshot(c);
    // An equal vector leaves the pocket unchanged.
    if (entering.w != live.pocket.w || entering.offsets != live.pocket.offsets) live.pocket_changed = presented + 1;
    live.pocket = std::move(entering);
    live.pocket_updates = it.problems_[c].mistakes;
    it.problems_[c].pocket_run = run;
}

// The comparison at the end, which does not change the length of the pocket's run. Weights that separate always enter.
void OnlineRun::close_pocket(std::size_t c, Outcome& outcome) {
    Live& live = live_[c];
    bool enters = outcome.ending == Ending::separated;
    if (plan_.ratchet) {
        const double errors = training_errors(c, live.pocket_errors);
        if (errors < live.pocket_errors) {
            enters = true;
            live.pocket_errors = errors;
        }
    } else {
        enters |= clock() - problems_[c].run_begin > problems_[c].pocket_run;
    }
    if (enters) {
        live.pocket = snapshot(c);
        live.pocket_updates = problems_[c].mistakes;
    }
    outcome.pocket = live.pocket;
    outcome.pocket_updates = live.pocket_updates;
    if (!plan_.ratchet) {  // then the errors of the pocket are not known yet; the problem's own weights are no longer needed
        const std::size_t features = examples_.rows.features;
        for (std::size_t plane = 0; plane < planes_; ++plane)
            weights_.set(c + plane, live.pocket.w.data() + plane * features, live.pocket.offsets[plane]);
        live.pocket_errors = training_errors(c, kInfinity);
    }
    outcome.pocket_run = problems_[c].pocket_run;
    outcome.pocket_errors = live.pocket_errors;
    outcome.scored = live.scored;
}

// Counts the validation examples that each problem classifies correctly, and keeps the best weights.
void OnlineRun::validate() {
    std::vector<std::uint64_t> right(live_.size());
    for (const std::uint32_t i : plan_.validation) {
        const std::vector<double>& scores = scores_of(i);
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
        live.best = snapshot(c);
    }
}

Snapshot OnlineRun::snapshot_of(const WeightStore& store, std::size_t c) const {
    const std::size_t features = examples_.rows.features;
    Snapshot state;
    state.w.resize(planes_ * features);
    for (std::size_t plane = 0; plane < planes_; ++plane) {
        store.get(c + plane, state.w.data() + plane * features);
        state.offsets.push_back(store.offset(c + plane));
    }
    return state;
}

// The mean of the weights over all examples presented, weighted by the examples' weights. An update at clock t is part of the
// weights for the last T - t of the clock T. So the sum is T w minus the sum of t times each update, which is `delayed_`.
Snapshot OnlineRun::average_of(std::size_t c) const {
    Snapshot mean = snapshot(c);
    if (presented_ == 0) return mean;
    const double total = clock();
    std::vector<double> delayed(examples_.rows.features);
    for (std::size_t plane = 0; plane < planes_; ++plane) {
        delayed_->get(c + plane, delayed.data());
        double* w = mean.w.data() + plane * delayed.size();
        for (std::size_t j = 0; j < delayed.size(); ++j) w[j] = (total * w[j] - delayed[j]) / total;
        mean.offsets[plane] = (total * mean.offsets[plane] - delayed_->offset(c + plane)) / total;
    }
    return mean;
}

Outcome OnlineRun::now(std::size_t c) const {
    Outcome state;
    state.epochs = epoch_;
    state.mistakes = problems_[c].mistakes;
    state.presented = presented_;
    state.clock = clock();
    state.last = snapshot(c);
    state.epoch_errors = problems_[c].epoch_errors;
    state.epoch_loss = problems_[c].epoch_loss;
    state.last_change = problems_[c].last_change;
    if (delayed_) {
        state.average = average_of(c);
        state.delayed = snapshot_of(*delayed_, c);
    }
    return state;
}

std::optional<std::size_t> OnlineRun::running(std::size_t id) const {
    for (std::size_t c = 0; c < live_.size(); ++c)
        if (live_[c].id == id) return c;
    return std::nullopt;
}

Outcome OnlineRun::outcome(std::size_t id) const {
    const std::optional<std::size_t> c = running(id);
    return c ? now(*c) : outcomes_[id];
}

const Outcome* OnlineRun::ended(std::size_t id) const { return running(id) ? nullptr : &outcomes_[id]; }

}  // namespace rosenblatt
