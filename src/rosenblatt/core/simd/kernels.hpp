// The kernels of one instruction set as a table of functions.
#pragma once

#include <cstddef>
#include <cstdint>

#include "accelerate/flags/packed_flags.hpp"
#include "accelerate/float32/float32_view.hpp"
#include "accelerate/gram/gram_view.hpp"
#include "accelerate/quantized/quantized_view.hpp"
#ifndef ROSENBLATT_NO_THREADS
#include "accelerate/speculative/speculative_view.hpp"
#endif
#include "compat/compat.hpp"
#include "inference/float32_argmax.hpp"
#include "passes/problem.hpp"
#include "passes/rule.hpp"
#include "products/product_kernels.hpp"
#include "rows/views.hpp"

namespace rosenblatt {

// Callbacks for the mistakes of a run; null if not needed. They are plain functions, because kernels must not use templates of
// the standard library (kernels.cpp).
struct Listener {
    // Called for an update with the problem (under the joint rule, once for each rival class), the example, the number of
    // examples presented, this one included, the factor of y * x, and the clock before the example.
    void (*updated)(void* self, std::size_t problem, std::size_t example, std::uint64_t presented, double scale,
                    double clock);
    // Called before an update if the weights had a longer run of correct examples than the pocket.
    void (*long_run)(void* self, std::size_t problem, double run, std::uint64_t presented);
    void* self;
};

// The planes of a run.
struct Planes {
    Weights weights;  // score the examples
    Weights changes;  // changed by an update: the weights, or in batch mode the sum that is added after the epoch
    // The sum of each change times the clock before it, from which the average is computed. Null without averaging.
    const Weights* delayed;
    std::size_t count;
};

// The labelled examples that a pass presents.
struct Examples {
    RowsView rows;
    const std::int32_t* labels;  // class codes, one per example
    const double* steps;         // eta0 times the weight of the example, or null if all weights are one
    const double* weights;       // the weights, if averages or the pocket use them; else null
};

// The examples of a stretch: order[begin..end), or begin..end if order is null.
struct Presentation {
    const std::uint32_t* order;
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t presented;  // examples presented earlier in the run
    double* clock;            // their total weight, if examples have weights
    const Listener* listener;
};

// State of the branchless pass (branchless_pass.hpp).
struct BranchlessState {
    const PackedFlags* flags = nullptr;  // the same rows in fewer bytes, or null
    double mistake_rate = 0;             // mistakes per example in the epoch before
    bool always = false;                 // if false, it alternates with the plain pass by the mistake rate
};

// Maximum number of features whose weights stay in registers.
constexpr std::size_t kBranchlessFeatures = 64;

// One stretch of a run over the examples, for all its problems. Returns the position after the last example presented: `end`, or
// an earlier one if a problem has reached its limit of updates. `scores` has score_room(planes.count) elements. `state`
// belongs to the accelerator of the pass; else it is null.
using PassFunction = std::uint64_t (*)(const Examples&, const Presentation&, const Rule&, const Planes&, Problem* problems,
                                       double* scores, void* state);

struct Pass {
    PassFunction function;
    void* state;
};

struct Kernels {
    const char* name;
    std::size_t width;  // doubles in a register

    PassFunction online;  // online_pass.hpp
    PassFunction joint;   // joint_pass.hpp: all planes are one problem, and a label is the index of a plane

    // The passes of the accelerators, each with its own state.
    PassFunction float32;     // Float32View; null if the registers are too narrow
    PassFunction quantized;   // QuantizedView
    PassFunction gram;        // GramView
    PassFunction branchless;  // BranchlessState; null if the registers are too narrow

    // out[(i - begin) * count + c] = w_c . x_i + offset_c for begin <= i < end; `scores` has
    // score_room(count) elements.
    void (*scores)(const RowsView&, std::size_t begin, std::size_t end, const Weights&, std::size_t count,
                   double* scores, double* out);

    // The same for few rows, with weights as in NumPy: one row of `features` per plane, without a tail.
    void (*scores_in_place)(const RowsView&, const double* w, const double* offsets, std::size_t planes, double* out);

    // The class of the largest score of the dense rows begin <= i < end, or kUndecidedClass (float32_argmax.hpp). `scratch` has
    // float32_room(...) elements.
    void (*float32_argmax)(const RowsView&, std::size_t begin, std::size_t end, const Float32Planes&, float* scratch,
                         std::int32_t* codes);

    // w_c += scale * x_i, without the offset.
    void (*add_row)(const RowsView&, std::size_t i, double scale, const Weights&, std::size_t c);

    // Whether the column indices of the CSR rows begin <= i < end are in range.
    bool (*indices_fit)(const RowsView&, std::size_t begin, std::size_t end);

    // Quantizes the dense rows begin <= i < end.
    void (*encode_rows)(const Examples&, std::size_t begin, std::size_t end, QuantizedView&);

    // The number of pairs of a quantized row and a problem that the codes leave undecided.
    std::uint64_t (*count_undecided)(const Examples&, const Rule&, const Weights&, const Problem*, std::size_t planes,
                                     QuantizedView&);

    // Packs the flags of the dense rows begin <= i < end; false if a column has a third value. Null if the registers are too
    // narrow.
    bool (*write_flags)(const RowsView&, std::size_t begin, std::size_t end, PackedFlags&);

#ifndef ROSENBLATT_NO_THREADS
    // The two halves of the speculative pass (speculative_pass.hpp), for one problem.
    void (*prove_segment)(const Examples&, const Segment&, const Weights&, const ProofTask&, float* allowances);
    std::uint64_t (*present_segment)(const Examples&, const Presentation&, const Segment&, const Rule&, const Planes&, Problem&,
                                     const float* allowances, float moved, SegmentResult&);
#endif

    // Writes rows and columns begin <= k < end of a Gram matrix, up to index k.
    void (*write_gram)(const RowsView&, const std::int32_t* labels, std::int32_t positive, bool fit_intercept,
                       std::size_t begin, std::size_t end, const GramView&);

    // The largest magnitude of all values; NaN or infinity if one is not finite.
    double (*largest)(const RowsView&, std::size_t stored);

    // A uniform permutation of 0, ..., n - 1, drawn from the stream with this state (random.hpp).
    void (*shuffle)(std::uint64_t state, std::uint32_t n, std::uint32_t* order);

    // One stretch of scikit-learn's perceptron, for one problem (compat_pass.hpp).
    void (*compat)(const CompatExamples&, const Presentation&, const CompatRule&, CompatProblem& problem);

    // to[j] += scale * from[j]: adds a row of the Gram matrix to the scores of a dual run.
    void (*add_scaled)(const double* from, double scale, double* to, std::size_t count);

    // Kernel values k(x, x').
    ProductKernels products;
};

// The table for this machine (dispatch.hpp).
const Kernels& kernels();

// The order of n examples in a shuffled epoch.
void epoch_order(std::uint64_t seed, std::uint64_t epoch, std::uint32_t n, std::uint32_t* order);

}  // namespace rosenblatt
