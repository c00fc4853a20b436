// The kernels of one instruction set, as a table of functions, and the choice among the tables at run time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "accelerate/flags/packed_flags.hpp"
#include "accelerate/gram/gram_view.hpp"
#include "accelerate/quantized/quantized_view.hpp"
#include "compat/compat.hpp"
#include "inference/float32_argmax.hpp"
#include "passes/problem.hpp"
#include "passes/rule.hpp"
#include "products/product_kernels.hpp"
#include "rows/views.hpp"

namespace rosenblatt {

// Listens to the mistakes of a run. Plain functions, for a kernel may not use what the library shares; null where
// nobody listens.
struct Listener {
    // After an update: of which problem (under the joint rule, away from which class), by which example, and how many
    // had been presented, it included; and what multiplied y * x.
    void (*updated)(void* self, std::size_t problem, std::size_t example, std::uint64_t presented, double scale);
    // Before an update, if the weights had a longer run of right examples than the pocket's.
    void (*long_run)(void* self, std::size_t problem, double run, std::uint64_t presented);
    void* self;
};

// The planes of a run.
struct Planes {
    Weights weights;  // what scores the examples
    Weights changes;  // what an update changes: the weights; or, in a batch, the sum that is added after the epoch
    // Each change times the clock before it, summed; the average of the weights follows from it. Null
    // where none is asked for.
    const Weights* delayed;
    std::size_t count;
};

// The labelled examples that a pass presents.
struct Examples {
    RowsView rows;
    const std::int32_t* labels;  // class codes, one an example of `rows`
    const double* steps;         // eta0 times the example's weight, or null where every weight is one
    const double* weights;       // the weight itself, where averages and runs count by it; else null
};

// Which examples, and where the pass is: order[begin..end), or begin..end itself where order is null.
struct Presentation {
    const std::uint32_t* order;
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t presented;  // examples presented before, in the whole run
    double* clock;            // their weights, summed, where examples have weights
    const Listener* listener;
};

// What the branchless pass reads besides the examples (branchless_pass.hpp).
struct BranchlessState {
    const PackedFlags* flags = nullptr;  // the same rows in fewer bytes, or null
    double mistake_rate = 0;             // of the epoch before, per example
    bool always = false;                 // else it alternates with the plain pass as the mistake rate changes
};

// A plane of more features does not stay in registers.
constexpr std::size_t kBranchlessFeatures = 64;

// One stretch of a run over the examples, for as many problems as there are planes. Returns the position after the last
// example presented: `end`, or sooner if a problem has reached its limit of updates. `scores` has room for
// score_room(planes.count). `state` belongs to the accelerator whose pass it is; else it is null.
using PassFunction = std::uint64_t (*)(const Examples&, const Presentation&, const Rule&, const Planes&, Problem* problems,
                                       double* scores, void* state);

struct Pass {
    PassFunction function;
    void* state;
};

struct Kernels {
    const char* name;

    PassFunction online;  // online_pass.hpp
    PassFunction joint;   // joint_pass.hpp: all planes are one problem, and a label is the number of a plane

    // The passes of the accelerators, each with its own state.
    PassFunction quantized;   // QuantizedView
    PassFunction gram;        // GramView
    PassFunction branchless;  // BranchlessState; null where registers are too narrow to gain by it

    // out[(i - begin) * count + c] = w_c . x_i + offset_c for begin <= i < end; `scores` has room for
    // score_room(count).
    void (*scores)(const RowsView&, std::size_t begin, std::size_t end, const Weights&, std::size_t count,
                   double* scores, double* out);

    // The same for few rows, by weights as NumPy has them: one row of `features` a plane, without a tail.
    void (*scores_in_place)(const RowsView&, const double* w, const double* offsets, std::size_t planes, double* out);

    // The class of the largest score of the dense rows begin <= i < end, or kUndecidedClass (float32_argmax.hpp); `scratch` has room for
    // float32_room.
    void (*float32_argmax)(const RowsView&, std::size_t begin, std::size_t end, const Float32Planes&, float* scratch,
                         std::int32_t* codes);

    // w_c += scale * x_i, without the offset.
    void (*add_row)(const RowsView&, std::size_t i, double scale, const Weights&, std::size_t c);

    // Whether the column indices of the rows begin <= i < end, of a CSR matrix, are those of features.
    bool (*indices_fit)(const RowsView&, std::size_t begin, std::size_t end);

    // Quantizes the dense rows begin <= i < end.
    void (*encode_rows)(const Examples&, std::size_t begin, std::size_t end, QuantizedView&);

    // Writes the dense rows begin <= i < end with flags; false if a column that had two values has a third. Null where the
    // instruction set gains nothing by them.
    bool (*write_flags)(const RowsView&, std::size_t begin, std::size_t end, PackedFlags&);

    // Writes rows and columns begin <= k < end of a Gram matrix, as far as those before them.
    void (*write_gram)(const RowsView&, const std::int32_t* labels, std::int32_t positive, bool fit_intercept,
                       std::size_t begin, std::size_t end, const GramView&);

    // The largest magnitude of all values; NaN or infinity where there is one.
    double (*largest)(const RowsView&, std::size_t stored);

    // A uniform permutation of 0, ..., n - 1, by the draws of the stream that stands at `state` (random.hpp).
    void (*shuffle)(std::uint64_t state, std::uint32_t n, std::uint32_t* order);

    // One stretch of scikit-learn's perceptron, for one problem (compat_pass.hpp).
    void (*compat)(const CompatExamples&, const Presentation&, const CompatRule&, CompatProblem& problem);

    // to[j] += scale * from[j]: how a row of the Gram matrix changes the scores of a dual run.
    void (*add_scaled)(const double* from, double scale, double* to, std::size_t count);

    // Kernel values k(x, x').
    ProductKernels products;
};

// The best table for this machine; the environment variable ROSENBLATT_ISA (baseline, v3, v4, vnni) may lower it.
const Kernels& kernels();

// The order of an epoch that presents n examples in a random order.
void epoch_order(std::uint64_t seed, std::uint64_t epoch, std::uint32_t n, std::uint32_t* order);

}  // namespace rosenblatt
