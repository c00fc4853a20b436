// An accelerator makes the epochs of an online run cheaper and leaves its path unchanged, bit for bit.
//
// A run owns one object of each accelerator, in order of precedence (factories.hpp), and uses at most one at a time. At the
// beginning of every epoch it calls `consider` of each in that order; the first that returns true is prepared, in slices,
// and then supplies the pass over the examples. Each accelerator has a folder with its proof, its cost model and its pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "passes/problem.hpp"
#include "runs/plan.hpp"
#include "simd/kernels.hpp"

namespace rosenblatt {

class SharedQuantizedRows;

// The state of a run at the beginning of an epoch. `problems` still have the counts of the epoch before.
struct Situation {
    const Examples& examples;
    const Plan& plan;
    const Weights& weights;
    std::size_t planes;
    std::span<const Problem> problems;
    std::uint64_t members;     // examples that take part
    std::span<const std::uint32_t> chosen;  // their indices; empty if all take part
    std::uint64_t epoch;       // epochs completed
    std::size_t memory_limit;  // bytes that copies of the examples may take
    unsigned threads;          // maximum number of threads of the run
    const std::shared_ptr<SharedQuantizedRows>& shared;  // between the runs of one fit; null for a single run

    double epochs_left() const { return static_cast<double>(plan.limits.max_iter - epoch); }

    double pairs() const { return static_cast<double>(members * planes); }

    // Mistakes of the epoch before, over all problems.
    std::uint64_t mistakes() const {
        std::uint64_t sum = 0;
        for (const Problem& problem : problems) sum += problem.epoch_mistakes;
        return sum;
    }
};

class Accelerator {
   public:
    virtual ~Accelerator() = default;

    virtual const char* name() const = 0;

    // Called once per epoch, also while the accelerator is not in use: true starts or keeps it for the coming epoch, false
    // drops it. `release` is called when it stops being used.
    virtual bool consider(const Situation& situation) = 0;

    // Does a bounded slice of preparation and returns its work in touched values; 0 when the pass is ready. After a failed
    // preparation `failed` is true and the run goes on without the accelerator.
    virtual std::uint64_t prepare(const Examples&, const Problem&) { return 0; }
    virtual bool failed() const { return false; }

    virtual Pass pass() = 0;

    // Whether the pass has used the accelerator in the present epoch; it may also run the plain pass.
    virtual bool has_run() const { return true; }

    // Frees everything that `consider` and `prepare` have allocated.
    virtual void release() {}
};

// The number of epochs that an accelerator ran.
struct AcceleratorUse {
    const char* name;
    std::uint64_t epochs;
};

// Values that a slice of preparation touches: short enough for an interrupt, long enough that the call costs nothing.
constexpr std::uint64_t kPreparationWork = 1 << 24;

}  // namespace rosenblatt
