// The kernels of one instruction set, as a table of functions, and the choice among the tables at run time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "compat.hpp"
#include "flags.hpp"
#include "gram.hpp"
#include "problem.hpp"
#include "products/product_kernels.hpp"
#include "rule.hpp"
#include "shadow.hpp"
#include "sure.hpp"
#include "views.hpp"

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

// Whether a run may take a shortcut that leaves its path as it is: as the run itself finds best, or as somebody wants it
// who compares.
enum class Wish : std::uint8_t { automatic, never, always };

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
    // Shortcuts of dense rows for binary problems, the last two for one problem only; null where there is none.
    Shadow* shadow = nullptr;
    Gram* gram = nullptr;
    const Flags* flags = nullptr;  // the same rows in fewer bytes
};

// Which examples, and where the pass is: order[begin..end), or begin..end itself where order is null.
struct Presentation {
    const std::uint32_t* order;
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t presented;  // examples presented before, in the whole run
    double* clock;            // their weights, summed, where examples have weights
    const Listener* listener;
    bool fetches_ahead = true;  // whether memory is asked for rows before their turn
    Wish branchless = Wish::never;  // whether one plane learns without guessing its mistakes (branchless_pass.hpp)
    double mistakes_before = 0;     // the share of the examples that were mistakes of the first problem, an epoch ago
};

// Whether a pass without branches, which holds the weights of a plane, can make the steps of this rule.
constexpr std::size_t kHeldFeatures = 64;
inline bool may_be_branchless(const Examples& examples, const Rule& rule) {
    const RowsView& rows = examples.rows;
    return is_dense(rows.storage) && rows.features >= kLanes && rows.features <= kHeldFeatures && rule.margin <= 0 &&
           rule.step == Step::constant && !examples.steps && !examples.weights;
}

struct Kernels {
    const char* name;

    // One stretch of the online perceptron, for as many problems as there are planes. Returns the position after the
    // last example presented: `end`, or sooner if a problem has reached its limit of updates. `scores` has room for
    // score_room(planes.count).
    std::uint64_t (*online)(const Examples&, const Presentation&, const Rule&, const Planes&, Problem* problems,
                            double* scores);

    // The same for classes that learn jointly, as one problem; a label is a plane.
    std::uint64_t (*joint)(const Examples&, const Presentation&, const Rule&, const Planes&, Problem* problem,
                           double* scores);

    // out[(i - begin) * count + c] = w_c . x_i + offset_c for begin <= i < end; `scores` has room for
    // score_room(count).
    void (*scores)(const RowsView&, std::size_t begin, std::size_t end, const Weights&, std::size_t count,
                   double* scores, double* out);

    // The same for few rows, by weights as NumPy has them: one row of `features` a plane, without a tail.
    void (*scores_in_place)(const RowsView&, const double* w, const double* offsets, std::size_t planes, double* out);

    // The class of the largest score of the dense rows begin <= i < end, or kUnsure (sure.hpp); `scratch` has room for
    // coarse_room.
    void (*sure_classes)(const RowsView&, std::size_t begin, std::size_t end, const CoarsePlanes&, float* scratch,
                         std::int32_t* codes);

    // Whether the column indices of the rows begin <= i < end, of a CSR matrix, are those of features.
    bool (*indices_fit)(const RowsView&, std::size_t begin, std::size_t end);

    // Writes the coarse rows of the examples begin <= i < end.
    void (*write_shadow)(const Examples&, std::size_t begin, std::size_t end, Shadow&);

    // Writes the dense rows begin <= i < end with flags; false if a column that had two values has a third. Null where the
    // instruction set gains nothing by them.
    bool (*write_flags)(const RowsView&, std::size_t begin, std::size_t end, Flags&);

    // Writes rows and columns begin <= k < end of a Gram matrix, as far as those before them.
    void (*write_gram)(const RowsView&, const std::int32_t* labels, std::int32_t positive, bool fit_intercept,
                       std::size_t begin, std::size_t end, const Gram&);

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
