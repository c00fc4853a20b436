// Shared by the passes: prefetching of rows, the clock of a run, and the update of a plane.
#pragma once

#include <limits>

#include "rows/rows.hpp"
#include "simd/kernels.hpp"

namespace rosenblatt::ROSENBLATT_ISA {

constexpr double kLargest = std::numeric_limits<double>::max();

// Prefetches a row some examples ahead: early enough to hide the latency of memory, late enough that it stays in the cache.
// The hardware prefetches dense rows in file order, but stops at every mispredicted branch; so prefetching helps there too.
template <class Rows>
ROSENBLATT_INLINE void prefetch_ahead(const Rows& rows, const std::int32_t* labels, const Presentation& at,
                                      std::uint64_t k) {
    constexpr std::uint64_t kAhead = Rows::kDense ? 12 : 8;
    constexpr std::uint64_t kInOrder = Rows::kDense ? 32 : 16;
    if (!at.order) {
        if (k + kInOrder < at.end) rows.prefetch(k + kInOrder);
    } else if (k + 2 * kAhead < at.end) {
        rows.prefetch_place(at.order[k + 2 * kAhead]);
        const std::uint32_t next = at.order[k + kAhead];
        rows.prefetch(next);
        ROSENBLATT_PREFETCH(labels + next);
    }
}

// y = +1 or -1. A table lookup, because a branch on labels could not be predicted.
inline double sign_of(bool positive) {
    static constexpr double kSigns[] = {-1.0, 1.0};
    return kSigns[positive];
}

// When an example is presented: how many examples came before, and their total weight (the clock).
struct Moment {
    std::uint64_t before;
    double clock;
    double weight;  // weight of the example itself
};

// The moment of position k. Advances the clock.
inline Moment moment_of(const Examples& examples, const Presentation& at, std::uint64_t k, std::size_t i) {
    const std::uint64_t before = at.presented + (k - at.begin);
    if (!examples.weights) return {before, static_cast<double>(before), 1.0};
    const Moment moment{before, *at.clock, examples.weights[i]};
    *at.clock += moment.weight;
    return moment;
}

// Advances the clock past a correctly classified example.
inline void advance_clock(const Examples& examples, const Presentation& at, std::size_t i) {
    if (examples.weights) *at.clock += examples.weights[i];
}

// w_c += scale * x_i and w0_c += scale.
template <class Rows>
ROSENBLATT_INLINE void add_to_plane(const Rows& rows, const Rule& rule, const Planes& planes, std::size_t c, std::size_t i,
                                    double scale, const Moment& moment) {
    rows.add(i, scale, planes.changes, c);
    if (rule.fit_intercept) planes.changes.offsets[c] += scale;
    if (!planes.delayed) return;
    const double delayed = scale * moment.clock;
    rows.add(i, delayed, *planes.delayed, c);
    if (rule.fit_intercept) planes.delayed->offsets[c] += delayed;
}

// The step by which example i changes a plane. The length of the row is computed only for passive-aggressive steps.
template <class Rows>
double scale_of(const Rows& rows, const Examples& examples, const Rule& rule, std::size_t i, double agreement,
                double planes_changed) {
    const double step = examples.steps ? examples.steps[i] : rule.eta0;
    if (rule.step == Step::constant) return step;
    const double squared = planes_changed * (rows.squared_length(i) + (rule.fit_intercept ? 1.0 : 0.0));
    return rule.scale(step, agreement, squared);
}

// Tells the listener of an update.
inline void note_update(const Presentation& at, std::size_t which, std::size_t i, double scale, const Moment& moment) {
    if (at.listener && at.listener->updated)
        at.listener->updated(at.listener->self, which, i, moment.before + 1, scale, moment.clock);
}

// Counts an update of `problem`.
inline void count_update(Problem& problem, double agreement, const Moment& moment) {
    problem.epoch_loss += agreement < 0 ? -agreement : 0.0;
    problem.epoch_mistakes += 1;
    problem.mistakes += 1;
    problem.last_change = moment.before + 1;
    problem.run_begin = moment.clock + moment.weight;
}

// Offers the present weights to the pocket if their run of correct examples is longer than that of the pocket.
inline void offer_to_pocket(const Problem& problem, const Presentation& at, std::size_t c, const Moment& moment) {
    const double run = moment.clock - problem.run_begin;
    if (run > problem.pocket_run) at.listener->long_run(at.listener->self, c, run, moment.before);
}

}  // namespace rosenblatt::ROSENBLATT_ISA
