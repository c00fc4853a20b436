// What the passes share: fetching rows ahead, and changing a plane.
#pragma once

#include <limits>

#include "rows/rows.hpp"
#include "simd/kernels.hpp"

namespace rosenblatt::ROSENBLATT_ISA {

constexpr double kLargest = std::numeric_limits<double>::max();

// Asks for a row some examples before its turn: far enough ahead to hide the memory, near enough to stay in the cache.
// Dense rows in file order are fetched by the machine itself, but it stops at every mistaken guess; asking helps there too.
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

// y: the label as a number. Looked up, for labels come in no order that a branch could be predicted by.
inline double sign_of(bool positive) {
    static constexpr double kSigns[] = {-1.0, 1.0};
    return kSigns[positive];
}

// The moment at which an example is presented: how many were before it, and their weight.
struct Moment {
    std::uint64_t before;
    double clock;
    double weight;  // of the example itself
};

// The moment of position k; the clock goes on.
inline Moment moment_of(const Examples& examples, const Presentation& at, std::uint64_t k, std::size_t i) {
    const std::uint64_t before = at.presented + (k - at.begin);
    if (!examples.weights) return {before, static_cast<double>(before), 1.0};
    const Moment moment{before, *at.clock, examples.weights[i]};
    *at.clock += moment.weight;
    return moment;
}

// The clock goes on for an example that nobody minds.
inline void pass_over(const Examples& examples, const Presentation& at, std::size_t i) {
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

// How far example i moves a plane. A constant step does not pay for the row's length.
template <class Rows>
double scale_of(const Rows& rows, const Examples& examples, const Rule& rule, std::size_t i, double agreement,
                double planes_changed) {
    const double step = examples.steps ? examples.steps[i] : rule.eta0;
    if (rule.step == Step::constant) return step;
    const double squared = planes_changed * (rows.squared_length(i) + (rule.fit_intercept ? 1.0 : 0.0));
    return rule.scale(step, agreement, squared);
}

// Counts an update of `problem` and tells who listens.
inline void count_update(Problem& problem, const Presentation& at, std::size_t which, std::size_t i, double agreement,
                         double scale, const Moment& moment) {
    problem.epoch_loss += agreement < 0 ? -agreement : 0.0;
    problem.epoch_mistakes += 1;
    problem.mistakes += 1;
    problem.last_change = moment.before + 1;
    problem.run_begin = moment.clock + moment.weight;
    if (at.listener && at.listener->updated) at.listener->updated(at.listener->self, which, i, moment.before + 1, scale);
}

// Offers the present weights to the pocket, if their run of right examples is longer than the pocket's.
inline void offer_to_pocket(const Problem& problem, const Presentation& at, std::size_t c, const Moment& moment) {
    const double run = moment.clock - problem.run_begin;
    if (run > problem.pocket_run) at.listener->long_run(at.listener->self, c, run, moment.before);
}

}  // namespace rosenblatt::ROSENBLATT_ISA
