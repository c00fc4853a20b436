// The engine for WebAssembly: the runs of the core behind a C interface, for a page that has no server.
//
// Guarantee: the same bits as the native core, since the same sources are compiled, without fused multiply-adds and with
// the baseline kernels, whose order of summation is that of every instruction set.
//
// All arrays belong to the caller, which allocates them with `engine_allocate`. A handle keeps pointers to the arrays of its
// examples, which must outlive it. Counts are size_t; limits and seeds are doubles, which hold them exactly. Nothing is
// checked here: `engine.js` checks its arguments. A failure ends the module by a trap.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <vector>

#include "inference/inference.hpp"
#include "products/kernel_values.hpp"
#include "runs/dual/dual_run.hpp"
#include "runs/online/online_run.hpp"
#include "simd/kernels.hpp"
#include "theory/min_norm.hpp"
#include "util/random.hpp"

namespace {

using namespace rosenblatt;

// The fields of a plan in the order of `PLAN_FIELDS` of engine.js. A limit below zero is none.
struct PlanReader {
    const double* next;

    double number() { return *next++; }
    bool flag() { return *next++ != 0; }
    std::uint64_t limit() {
        const double value = *next++;
        return value < 0 ? kNoLimit : static_cast<std::uint64_t>(value);
    }
    template <class Enum>
    Enum choice() {
        return static_cast<Enum>(static_cast<int>(*next++));
    }
};

Plan plan_from(const double* fields) {
    PlanReader reader{fields};
    Plan plan;
    plan.rule.eta0 = reader.number();
    plan.rule.tie = reader.choice<Tie>();
    plan.rule.error_tie = reader.choice<Tie>();
    plan.rule.fit_intercept = reader.flag();
    plan.rule.margin = reader.number();
    plan.rule.step = reader.choice<Step>();
    plan.rule.aggressiveness = reader.number();
    plan.rule.rivals = reader.choice<Rivals>();
    plan.joint = reader.flag();
    plan.batch = reader.flag();
    plan.average = reader.flag();
    plan.pocket = reader.flag();
    plan.ratchet = reader.flag();
    plan.record = reader.flag();
    plan.order = reader.choice<Order>();
    plan.seed = static_cast<std::uint64_t>(reader.number());
    plan.limits.max_iter = reader.limit();
    plan.limits.max_steps = reader.limit();
    plan.limits.patience = reader.limit();
    plan.limits.max_error = reader.number();
    plan.limits.may_stall = reader.flag();
    plan.limits.ask_before_stall = reader.flag();
    return plan;
}

RowsView dense_rows(const double* values, std::size_t examples, std::size_t features) {
    return {Storage::dense64, examples, features, values, static_cast<std::ptrdiff_t>(features), nullptr, nullptr};
}

void write_outcome(const Outcome& outcome, double* out) {
    const double values[] = {static_cast<double>(outcome.ending),    static_cast<double>(outcome.epochs),
                             static_cast<double>(outcome.mistakes),  static_cast<double>(outcome.presented),
                             static_cast<double>(outcome.period),    outcome.pocket_run,
                             outcome.pocket_errors};
    std::copy(std::begin(values), std::end(values), out);
}

void write_updates(const std::vector<Update>& updates, std::uint32_t* presented, std::uint32_t* problem,
                   std::uint32_t* example) {
    for (const Update& update : updates) {
        *presented++ = static_cast<std::uint32_t>(update.presented);
        *problem++ = update.problem;
        *example++ = update.example;
    }
}

}  // namespace

extern "C" {

void* engine_allocate(std::size_t bytes) { return std::malloc(bytes); }
void engine_release(void* memory) { std::free(memory); }

// --- the online run: `chosen` lists the examples that take part, and none of them means all.

OnlineRun* online_create(const double* plan, const double* x, std::size_t examples, std::size_t features,
                         const std::int32_t* labels, const std::uint32_t* chosen, std::size_t chosen_count,
                         const std::int32_t* positives, std::size_t planes, const double* start,
                         const double* start_offsets) {
    const std::vector<std::uint32_t> members(chosen, chosen + chosen_count);
    return new OnlineRun(Examples{dense_rows(x, examples, features), labels, nullptr, nullptr},
                         members.empty() ? nullptr : &members, plan_from(plan),
                         std::vector<std::int32_t>(positives, positives + planes), start, start_offsets);
}

void online_destroy(OnlineRun* run) { delete run; }

int online_advance(OnlineRun* run, double work, int pause_at_epoch) {
    return static_cast<int>(run->advance(static_cast<std::uint64_t>(work), pause_at_epoch != 0));
}

std::size_t online_question(const OnlineRun* run) { return run->question(); }

void online_answer(OnlineRun* run, int go_on, int otherwise) { run->answer(go_on != 0, static_cast<Ending>(otherwise)); }

double online_presented(const OnlineRun* run) { return static_cast<double>(run->presented()); }

double online_epochs(const OnlineRun* run) { return static_cast<double>(run->epochs()); }

double online_not_finite(const OnlineRun* run) { return static_cast<double>(run->not_finite()); }

// ending, epochs, mistakes, presented, period, pocket_run, pocket_errors
void online_outcome(const OnlineRun* run, std::size_t problem, double* out) {
    write_outcome(run->outcome(problem), out);
}

// The last (0), average (1) or pocket (2) weights of a problem: all rows of weights, then all offsets.
void online_weights(const OnlineRun* run, std::size_t problem, int which, double* out) {
    const Outcome outcome = run->outcome(problem);
    const Snapshot& state = which == 0 ? outcome.last : which == 1 ? outcome.average : outcome.pocket;
    out = std::copy(state.w.begin(), state.w.end(), out);
    std::copy(state.offsets.begin(), state.offsets.end(), out);
}

std::size_t online_update_count(const OnlineRun* run) { return run->updates().size(); }

void online_updates(const OnlineRun* run, std::uint32_t* presented, std::uint32_t* problem, std::uint32_t* example) {
    write_updates(run->updates(), presented, problem, example);
}

// As many as updates, or none where every update has the same scale.
std::size_t online_scale_count(const OnlineRun* run) { return run->scales().size(); }

void online_scales(const OnlineRun* run, double* out) { std::copy(run->scales().begin(), run->scales().end(), out); }

// --- the dual run, with the whole Gram matrix

DualRun* dual_create(const double* plan, std::size_t examples, const std::int32_t* labels, const std::int32_t* positives,
                     std::size_t planes) {
    return new DualRun(DualExamples{examples, labels, nullptr, nullptr}, plan_from(plan),
                       std::vector<std::int32_t>(positives, positives + planes), false, false);
}

void dual_destroy(DualRun* run) { delete run; }

int dual_advance(DualRun* run, const double* gram, double work) {
    return static_cast<int>(run->advance(gram, static_cast<std::uint64_t>(work), false));
}

double dual_not_finite(const DualRun* run) { return static_cast<double>(run->not_finite()); }

void dual_outcome(const DualRun* run, std::size_t problem, double* out) { write_outcome(run->outcome(problem), out); }

// One row of coefficients per plane, then all offsets.
void dual_coefficients(const DualRun* run, double* out) {
    out = std::copy(run->coef().begin(), run->coef().end(), out);
    std::copy(run->offsets().begin(), run->offsets().end(), out);
}

std::size_t dual_update_count(const DualRun* run) { return run->updates().size(); }

void dual_updates(const DualRun* run, std::uint32_t* presented, std::uint32_t* problem, std::uint32_t* example) {
    write_updates(run->updates(), presented, problem, example);
}

// --- single computations

// k(a_i, b_j), row by row; returns whether all values are finite.
int kernel_matrix(int kernel, double gamma, double coef0, std::size_t degree, const double* a, std::size_t a_rows,
                  const double* b, std::size_t b_rows, std::size_t features, double* out) {
    const KernelFunction function{static_cast<KernelFunction::Name>(kernel), gamma, coef0, degree};
    return dense_kernel_values(function, dense_rows(a, a_rows, features), dense_rows(b, b_rows, features), 1,
                               {out, b_rows});
}

// out[i * planes + c] = w_c . x_i + offset_c
void plane_scores(const double* x, std::size_t examples, std::size_t features, const double* w, const double* offsets,
                  std::size_t planes, double* out) {
    score_rows(dense_rows(x, examples, features), {w, offsets, planes}, false, 1, out);
}

// The order in which epoch `epoch` (from 0) presents n examples.
void shuffled_order(double seed, double epoch, std::size_t n, std::uint32_t* out) {
    epoch_order(static_cast<std::uint64_t>(seed), static_cast<std::uint64_t>(epoch), static_cast<std::uint32_t>(n), out);
}

// Small random weights, as `random_start` of conventions/randomness.py.
void random_weights(double seed, std::size_t size, std::size_t problem, double scale, double* out) {
    Stream stream(static_cast<std::uint64_t>(seed), Purpose::start, problem);
    for (std::size_t k = 0; k < size; ++k) out[k] = scale * ((static_cast<double>(stream.below(1025)) - 512) / 512);
}

// A guess at the point of least norm in the hull of `count` rows: the rows in use and their multipliers. Returns their
// number. The caller proves what follows from it.
std::size_t least_norm_guess(const double* rows, std::size_t count, std::size_t dim, double slack, double work,
                             std::uint32_t* members, double* multipliers) {
    MinNorm solver(dim);
    solver.add(rows, count);
    solver.solve(slack, static_cast<std::uint64_t>(work));
    std::copy(solver.members().begin(), solver.members().end(), members);
    std::copy(solver.multipliers().begin(), solver.multipliers().end(), multipliers);
    return solver.members().size();
}
}
