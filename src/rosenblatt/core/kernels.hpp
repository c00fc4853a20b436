// The kernels of one instruction set, as a table of functions, and the choice among the tables at run time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "compat.hpp"
#include "problem.hpp"
#include "rule.hpp"
#include "views.hpp"

namespace rosenblatt {

// Listens to the updates of a run. A plain function, for a kernel may not use what the library shares.
struct Recorder {
    void (*note)(void* self, std::size_t problem, std::size_t example, std::uint64_t presented);
    void* self;
};

// The labelled examples that a pass presents.
struct Examples {
    RowsView rows;
    const std::int32_t* labels;  // class codes, one an example of `rows`
    const double* steps;         // eta0 times the example's weight, or null where every weight is one
};

// Which examples, and where the pass is: order[begin..end), or begin..end itself where order is null.
struct Presentation {
    const std::uint32_t* order;
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t presented;  // examples presented before, in the whole run
    const Recorder* recorder; // is told every update, or null
};

struct Kernels {
    const char* name;

    // One stretch of the online perceptron for `count` problems at once. Returns the position after the last
    // example presented: `end`, or sooner if a problem has reached its limit of updates.
    std::uint64_t (*online)(const Examples&, const Presentation&, const Rule&, const Weights&, Problem* problems,
                            std::size_t count, double* scores);

    // The same for `count` classes that learn jointly, as one problem; a label is a plane.
    std::uint64_t (*joint)(const Examples&, const Presentation&, const Rule&, const Weights&, Problem& problem,
                           std::size_t count, double* scores);

    // out[(i - begin) * count + c] = w_c . x_i + offset_c for begin <= i < end; `scores` has room for
    // score_room(count).
    void (*scores)(const RowsView&, std::size_t begin, std::size_t end, const Weights&, std::size_t count,
                   double* scores, double* out);

    // The largest magnitude of all values; NaN or infinity where there is one.
    double (*largest)(const RowsView&, std::size_t stored);

    // One stretch of scikit-learn's perceptron, for one problem (compat_pass.hpp).
    void (*compat)(const CompatExamples&, const Presentation&, const CompatRule&, CompatProblem& problem);
};

// The best table for this machine; the environment variable ROSENBLATT_ISA (baseline, v3, v4) may lower it.
const Kernels& kernels();

}  // namespace rosenblatt
