// What the passes share: fetching rows ahead, and changing a plane.
#pragma once

#include <limits>

#include "kernels.hpp"
#include "rows.hpp"

namespace rosenblatt::ROSENBLATT_ISA {

constexpr double kLargest = std::numeric_limits<double>::max();

// When the order jumps about, asks for a row some examples before its turn: far enough ahead to hide the memory, near
// enough to stay in the cache.
template <class Rows>
ROSENBLATT_INLINE void prefetch_ahead(const Rows& rows, const Examples& examples, const Presentation& at,
                                      std::uint64_t k) {
    constexpr std::uint64_t kAhead = 8;
    if (!at.order || k + kAhead >= at.end) return;
    const std::uint32_t next = at.order[k + kAhead];
    rows.prefetch(next);
    ROSENBLATT_PREFETCH(examples.labels + next);
}

// w_c += scale * x_i and w0_c += scale, when `before` examples had been presented.
template <class Rows>
void add_to_plane(const Rows& rows, const Rule& rule, const Planes& planes, std::size_t c, std::size_t i, double scale,
                  std::uint64_t before) {
    rows.add(i, scale, planes.changes, c);
    if (rule.fit_intercept) planes.changes.offsets[c] += scale;
    if (!planes.delayed) return;
    const double delayed = scale * static_cast<double>(before);
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

// Counts an update of `problem` and tells who listens. `before` examples had been presented.
inline void count_update(Problem& problem, const Presentation& at, std::size_t which, std::size_t i, double agreement,
                         std::uint64_t before) {
    problem.epoch_loss += agreement < 0 ? -agreement : 0.0;
    problem.epoch_mistakes += 1;
    problem.mistakes += 1;
    problem.last_change = before + 1;
    if (at.listener && at.listener->updated) at.listener->updated(at.listener->self, which, i, before + 1);
}

// Offers the present weights to the pocket, if their run of right examples is longer than the pocket's.
inline void offer_to_pocket(const Problem& problem, const Presentation& at, std::size_t c, std::uint64_t before) {
    const std::uint64_t run = before - problem.last_change;
    if (run > problem.pocket_run) at.listener->long_run(at.listener->self, c, run, before);
}

}  // namespace rosenblatt::ROSENBLATT_ISA
