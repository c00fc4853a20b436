#include "compat/compat_run.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "util/exactness.hpp"

namespace rosenblatt {

const std::uint32_t* CompatOrder::next() {
    if (order_.empty()) {
        order_.resize(n_);
        std::iota(order_.begin(), order_.end(), 0u);
        // Marsaglia's xorshift (2003) with shifts 13, 17, 5, reduced to 31 bits; a state of zero would stay zero.
        std::uint32_t state = seed_ ? seed_ : 1;
        for (std::uint32_t i = 0; i + 1 < n_; ++i) {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            std::swap(order_[i], order_[i + (state & 0x7FFFFFFFu) % (n_ - i)]);
        }
        return order_.data();
    }
    if (permutation_.empty()) {
        permutation_ = order_;
        before_.resize(n_);
    }
    before_.swap(order_);
    for (std::uint32_t i = 0; i < n_; ++i) order_[i] = before_[permutation_[i]];
    return order_.data();
}

namespace {

std::uint64_t bytes_of_a_row(const RowsView& rows) {
    const bool narrow = rows.storage == Storage::dense32 || rows.storage == Storage::csr32_i32 ||
                        rows.storage == Storage::csr32_i64;
    const std::uint64_t value = narrow ? sizeof(float) : sizeof(double);
    if (is_dense(rows.storage)) return value * rows.features;
    return (value + sizeof(std::int32_t)) * (stored_values(rows) / std::max<std::size_t>(rows.examples, 1));
}

}  // namespace

CompatRun::CompatRun(const CompatExamples& examples, const CompatPlan& plan, const std::vector<CompatStart>& problems,
                     const double* start, const double* averages, double t)
    : examples_(examples),
      plan_(plan),
      states_(problems.size()),
      order_(static_cast<std::uint32_t>(examples.rows.examples), plan.seed) {
    constexpr std::uint64_t kShared = 1 << 18;  // stays in the second-level cache, with the weights
    constexpr std::uint64_t kAlone = 4096;      // examples after which the bound on the weights is recomputed
    const RowsView& rows = examples.rows;
    const std::uint64_t row = std::max<std::uint64_t>(bytes_of_a_row(rows), 1);
    stretch_ = problems.size() > 1 ? std::clamp<std::uint64_t>(kShared / row, 32, kAlone) : kAlone;
    example_work_ = row / sizeof(double) + 32;
    for (std::size_t c = 0; c < problems.size(); ++c) {
        const CompatStart& given = problems[c];
        stores_.emplace_back(rows.storage, 1, rows.features).set(0, start + c * rows.features, given.offset);
        applied_penalties_.emplace_back(truncates(plan.penalty) ? rows.features : 0, 0.0);
        averages_.emplace_back();
        if (averages) averages_[c].assign(averages + c * rows.features, averages + (c + 1) * rows.features);
    }
    for (std::size_t c = 0; c < problems.size(); ++c) {
        CompatProblem problem{problems[c].positive, problems[c].positive_weight, problems[c].negative_weight,
                              stores_[c].view()};
        problem.sq_norm = problems[c].sq_norm;
        problem.l1_norm = problems[c].l1_norm;
        problem.applied_penalty = applied_penalties_[c].data();
        problem.eta = plan.eta0;
        problem.t = t;
        problem.average = averages ? averages_[c].data() : nullptr;
        problem.average_offset = problems[c].average_offset;
        problems_.push_back(problem);
    }
}

CompatPause CompatRun::advance(std::uint64_t work, bool pause_at_epoch) {
    const std::uint64_t n = examples_.rows.examples;
    std::uint64_t done = 0;
    while (true) {
        const auto left = std::count_if(states_.begin(), states_.end(),
                                        [](const State& state) { return state.ending == CompatEnding::running; });
        if (left == 0) return CompatPause::done;
        if (!in_epoch_) begin_epoch();
        while (position_ < n) {
            if (done >= work) return CompatPause::slice;
            const std::uint64_t end = std::min(n, position_ + stretch_);
            for (std::size_t c = 0; c < problems_.size(); ++c) {
                if (!running(c)) continue;
                if (is_dense(examples_.rows.storage)) refresh(c);
                const Presentation stretch{presentation_, position_, end, 0, nullptr, nullptr};
                kernels().compat(examples_, stretch, plan_, problems_[c]);
            }
            done += (end - position_) * example_work_ * static_cast<std::uint64_t>(left);
            position_ = end;
        }
        in_epoch_ = false;
        for (std::size_t c = 0; c < problems_.size(); ++c)
            if (running(c)) finish_epoch(c);
        if (plan_.early_stopping || pause_at_epoch) return CompatPause::epoch;
    }
}

void CompatRun::begin_epoch() {
    if (plan_.shuffle) presentation_ = order_.next();
    position_ = 0;
    in_epoch_ = true;
    for (std::size_t c = 0; c < problems_.size(); ++c) {
        if (!running(c)) continue;
        problems_[c].epoch_wrong = problems_[c].epoch_mistakes = 0;
        problems_[c].epoch_objective = 0;
        if (states_[c].epochs == 0) refresh(c);
    }
}

void CompatRun::finish_epoch(std::size_t c) {
    CompatProblem& problem = problems_[c];
    State& state = states_[c];
    state.epochs += 1;
    if (!std::isfinite(problem.weights.offsets[0]) || !refresh(c)) {
        end(c, CompatEnding::not_finite);
        return;
    }
    // An average and an adaptive rate change also in an epoch without an update.
    state.clean = problem.epoch_wrong == 0 && plan_.penalty == Penalty::none && plan_.average == 0 &&
                  plan_.rate != Rate::adaptive;
    if (!plan_.early_stopping) apply_stopping_rules(c, problem.epoch_objective / plan_.examples_of_objective);
}

void CompatRun::set_score(std::size_t c, double score) { apply_stopping_rules(c, score); }

// Ends the problem if the objective or the score of this epoch meets a stopping rule.
void CompatRun::apply_stopping_rules(std::size_t c, double value) {
    State& state = states_[c];
    compare(state, value);
    if (state.clean) {
        // All later epochs are equal to this one: they are counted instead of run. From the second one on, the comparison
        // gives the same result.
        std::uint64_t same = 0;
        while (state.without_improvement < plan_.n_iter_no_change && state.epochs < plan_.max_iter) {
            const std::uint64_t before = state.without_improvement;
            state.epochs += 1;
            compare(state, value);
            same += 1;
            if (same > 1 && state.without_improvement <= before) state.epochs = plan_.max_iter;
        }
        end(c, CompatEnding::separated);
    } else if (state.without_improvement >= plan_.n_iter_no_change && !lower_rate(c)) {
        end(c, plan_.early_stopping ? CompatEnding::early_stopped : CompatEnding::stalled);
    } else if (state.epochs >= plan_.max_iter) {
        end(c, CompatEnding::max_iter);
    }
}

// The adaptive rate is divided by five instead of ending the problem, down to 1e-6.
bool CompatRun::lower_rate(std::size_t c) {
    CompatProblem& problem = problems_[c];
    if (plan_.rate != Rate::adaptive || problem.eta <= 1e-6) return false;
    problem.eta /= 5;
    states_[c].without_improvement = 0;
    return true;
}

void CompatRun::compare(State& state, double value) const {
    const bool watches = plan_.tol > -std::numeric_limits<double>::infinity();
    const bool no_better = plan_.early_stopping ? value < state.best_score + plan_.tol
                                                : value > state.best_objective - plan_.tol;
    state.without_improvement = watches && no_better ? state.without_improvement + 1 : 0;
    if (value > state.best_score) state.best_score = value;
    if (value < state.best_objective) state.best_objective = value;
}

// Recomputes the bound on the weights; false if a weight is not finite.
bool CompatRun::refresh(std::size_t c) {
    CompatProblem& problem = problems_[c];
    const double* w = problem.weights.data;
    double largest = 0;
    bool finite = true;
    for (std::size_t j = 0; j < examples_.rows.features; ++j) {
        const double size = std::fabs(w[j]);
        finite &= size <= std::numeric_limits<double>::max();
        largest = std::max(largest, size);
    }
    problem.largest = finite ? largest : std::numeric_limits<double>::infinity();
    return finite;
}

// Publishes the weights themselves, scale times w, and the average.
void CompatRun::end(std::size_t c, CompatEnding ending) {
    states_[c].ending = ending;
    CompatProblem& problem = problems_[c];
    if (problem.average) fold_average(plan_, narrow(), examples_.rows.features, problem);
    for (std::size_t j = 0; j < examples_.rows.features; ++j) {
        double& w = problem.weights.data[j];
        w = narrow() ? static_cast<double>(static_cast<float>(w) * static_cast<float>(problem.scale)) : w * problem.scale;
    }
    problem.scale = 1;
}

bool CompatRun::narrow() const {
    const Storage storage = examples_.rows.storage;
    return storage == Storage::dense32 || storage == Storage::csr32_i32 || storage == Storage::csr32_i64;
}

}  // namespace rosenblatt
