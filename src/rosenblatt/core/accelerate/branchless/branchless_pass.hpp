// The stretch of online_pass.hpp on the same path, for one problem with unpredictable mistakes. On noisy data a mispredicted
// branch costs more than scoring the example. This loop has no branch to predict: every example updates the weights, a
// correct one by -0, which leaves each weight unchanged. The weights stay in registers.
#pragma once

#include "accelerate/flags/packed_rows.hpp"
#include "passes/online_pass.hpp"

namespace rosenblatt::ROSENBLATT_ISA {

// The weights in registers: complete blocks, and the tail, or the last block where there is no tail.
template <std::size_t Blocks>
using PlaneRegisters = Register[Blocks][kRegisters];

// Where block b of the weights is.
template <std::size_t Blocks>
ROSENBLATT_INLINE double* block_of(const Weights& weights, std::size_t features, std::size_t b) {
    if (b + 1 < Blocks) return weights.data + b * kLanes;
    return has_tail(features) ? tail_of(weights.data, features) : weights.data + features - kLanes;
}

template <std::size_t Blocks>
ROSENBLATT_INLINE void load_plane(const Weights& weights, std::size_t features, PlaneRegisters<Blocks>& registers) {
    ROSENBLATT_UNROLL
    for (std::size_t b = 0; b < Blocks; ++b)
        ROSENBLATT_UNROLL
        for (std::size_t p = 0; p < kRegisters; ++p)
            registers[b][p] = load(block_of<Blocks>(weights, features, b) + p * kWidth);
}

template <std::size_t Blocks>
ROSENBLATT_INLINE void store_plane(const PlaneRegisters<Blocks>& registers, const Weights& weights, std::size_t features) {
    ROSENBLATT_UNROLL
    for (std::size_t b = 0; b < Blocks; ++b)
        ROSENBLATT_UNROLL
        for (std::size_t p = 0; p < kRegisters; ++p)
            put(registers[b][p], block_of<Blocks>(weights, features, b) + p * kWidth);
    if (!has_tail(features)) return;
    const double* tail = tail_of(weights.data, features);
    for (std::size_t l = tail_begin(features); l < kLanes; ++l) weights.data[features - kLanes + l] = tail[l];
}

template <std::size_t Blocks>
ROSENBLATT_INLINE double dot_of(const PlaneRegisters<Blocks>& w, const PlaneRegisters<Blocks>& x) {
    Register sums[kRegisters];
    ROSENBLATT_UNROLL
    for (std::size_t p = 0; p < kRegisters; ++p) sums[p] = x[0][p] * w[0][p];
    ROSENBLATT_UNROLL
    for (std::size_t b = 1; b < Blocks; ++b)
        ROSENBLATT_UNROLL
        for (std::size_t p = 0; p < kRegisters; ++p) sums[p] += x[b][p] * w[b][p];
    return fold(sums);
}

// w += scale * x if the agreement is negative. `kept` is 1 in the lanes of the last block that no other has, else 0.
template <std::size_t Blocks>
ROSENBLATT_INLINE void add_if_negative(const Register& agreement, const Register& scale, const PlaneRegisters<Blocks>& x,
                                       const Register (&kept)[kRegisters], PlaneRegisters<Blocks>& w) {
    ROSENBLATT_UNROLL
    for (std::size_t b = 0; b < Blocks; ++b)
        ROSENBLATT_UNROLL
        for (std::size_t p = 0; p < kRegisters; ++p)
            w[b][p] += if_negative(agreement, (b + 1 < Blocks ? scale : scale * kept[p]) * x[b][p]);
}

// Presents examples. Returns the position of the first tie or non-finite score, which `present_example` handles; or the position
// after the last allowed mistake; or the end.
template <std::size_t Blocks, bool Averaged, class Source>
std::uint64_t present_branchless(const Source& source, const std::int32_t* labels, std::size_t features,
                                 const Presentation& at, const Rule& rule, const Planes& planes, Problem& problem) {
    // Local copies, which no call can change, stay in registers.
    const Source local_source = source;
    const Presentation stretch = at;
    const std::int32_t positive = problem.positive;
    const double eta0 = rule.eta0;
    const bool fit_intercept = rule.fit_intercept;
    PlaneRegisters<Blocks> w, delayed;
    load_plane<Blocks>(planes.weights, features, w);
    Register offset = all(planes.weights.offsets[0]);
    Register delayed_offset = Register{};
    if (Averaged) {
        load_plane<Blocks>(*planes.delayed, features, delayed);
        delayed_offset = all(planes.delayed->offsets[0]);
    }
    Register kept[kRegisters];
    ROSENBLATT_UNROLL
    for (std::size_t p = 0; p < kRegisters; ++p) {
        double lanes[kWidth];
        for (std::size_t l = 0; l < kWidth; ++l)
            lanes[l] = !has_tail(features) || p * kWidth + l >= tail_begin(features);
        kept[p] = load(lanes);
    }
    Tally tally(problem);
    Register loss = all(tally.loss);
    std::uint64_t k = stretch.begin;
    while (k < stretch.end && !tally.is_full()) {
        prefetch_ahead(local_source, labels, stretch, k);
        const std::size_t i = stretch.order ? stretch.order[k] : k;
        PlaneRegisters<Blocks> x;
        local_source.take(i, x);
        const double sign = sign_of(labels[i] == positive);
        const Register agreement = all(sign) * (all(dot_of<Blocks>(w, x)) + offset);
        const double first = first_lane(agreement);
        if (!((first != 0) & (first >= -kLargest) & (first <= kLargest))) break;
        const std::uint64_t before = stretch.presented + (k - stretch.begin);
        const double step = sign * eta0;
        add_if_negative<Blocks>(agreement, all(step), x, kept, w);
        offset += if_negative(agreement, all(fit_intercept ? step : -0.0));
        if (Averaged) {
            const double later = step * static_cast<double>(before);
            add_if_negative<Blocks>(agreement, all(later), x, kept, delayed);
            delayed_offset += if_negative(agreement, all(fit_intercept ? later : -0.0));
        }
        loss = loss - if_negative(agreement, agreement);
        // Written so that compilers do not generate a branch.
        const std::uint64_t mistaken = sign_bit(first);
        tally.last_change ^= (tally.last_change ^ (before + 1)) & (0 - mistaken);
        tally.mistakes += mistaken;
        ++k;
    }
    tally.loss = first_lane(loss);
    tally.flush();
    store_plane<Blocks>(w, planes.weights, features);
    planes.weights.offsets[0] = first_lane(offset);
    if (Averaged) {
        store_plane<Blocks>(delayed, *planes.delayed, features);
        planes.delayed->offsets[0] = first_lane(delayed_offset);
    }
    return k;
}

// `source` has the values of `rows`.
template <std::size_t Blocks, class Source, class Rows>
std::uint64_t branchless_pass_over(const Source& source, const Rows& rows, const Examples& examples,
                                   const Presentation& at, const Rule& rule, const Planes& planes, Problem& problem) {
    const auto present = planes.delayed ? present_branchless<Blocks, true, Source>
                                        : present_branchless<Blocks, false, Source>;
    Presentation rest = at;
    while (true) {
        const std::uint64_t before = problem.mistakes;
        const std::uint64_t k = present(source, examples.labels, rows.features(), rest, rule, planes, problem);
        if (k == at.end || reached_limit(problem, before)) return k;
        const std::size_t i = at.order ? at.order[k] : k;
        const Verdict verdict = present_example(rows, examples, at, rule, planes, &problem, 0, i, rows.score(i, planes.weights),
                             moment_of(examples, at, k, i));
        if (verdict == Verdict::not_finite || (verdict == Verdict::mistake && problem.mistakes >= problem.max_updates)) return k + 1;
        rest.presented += k + 1 - rest.begin;
        rest.begin = k + 1;
    }
}

template <std::size_t Blocks, class Rows>
std::uint64_t branchless_turn(const Rows& rows, const Examples& examples, const Presentation& at, const Rule& rule,
                              const Planes& planes, Problem& problem, const PackedFlags* flags) {
    if (!flags) return branchless_pass_over<Blocks>(rows, rows, examples, at, rule, planes, problem);
    const PackedRows<typename Rows::Number> packed(*flags);
    return branchless_pass_over<Blocks>(packed, rows, examples, at, rule, planes, problem);
}

// One plane of dense rows: branchless while mistakes are frequent, as measured over the epoch before and then over the
// examples just presented; else the plain loop.
template <class Rows>
std::uint64_t branchless_pass(const Rows& rows, const Examples& examples, const Presentation& at, const Rule& rule,
                              const Planes& planes, Problem& problem, const BranchlessState& state) {
    constexpr std::uint64_t kTurn = 8192;
    constexpr double kMinRate = 0.18;  // mistakes per example at which both loops take the same time
    constexpr std::size_t kMaxRegisters = 24;  // more would be spilled to memory
    const std::size_t blocks = (rows.features() + kLanes - 1) / kLanes;
    const bool fits = blocks * kRegisters * (planes.delayed ? 2 : 1) <= kMaxRegisters;
    const auto pays = [&](double rate) { return state.always || (fits && rate > kMinRate); };
    bool branchless = pays(state.mistake_rate);
    Presentation turn = at;
    while (turn.begin < at.end) {
        turn.end = at.end - turn.begin < kTurn ? at.end : turn.begin + kTurn;
        const std::uint64_t mistakes = problem.mistakes;
        const auto pass = blocks == 1   ? branchless_turn<1, Rows>
                          : blocks == 2 ? branchless_turn<2, Rows>
                          : blocks == 3 ? branchless_turn<3, Rows>
                                        : branchless_turn<4, Rows>;
        const std::uint64_t reached = branchless
                                          ? pass(rows, examples, turn, rule, planes, problem, state.flags)
                                          : online_pass_of_one(rows, examples, turn, rule, planes, problem);
        if (problem.not_finite || reached_limit(problem, mistakes)) return reached;
        branchless = pays(static_cast<double>(problem.mistakes - mistakes) / static_cast<double>(turn.end - turn.begin));
        turn.presented += turn.end - turn.begin;
        turn.begin = turn.end;
    }
    return at.end;
}

}  // namespace rosenblatt::ROSENBLATT_ISA
