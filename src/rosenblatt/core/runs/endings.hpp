// How a problem ends: the one rule for the online run, the dual run and, bound to Python, a run on a cluster.
#pragma once

#include <cstdint>
#include <limits>

namespace rosenblatt {

// In order of precedence where several conditions hold at once.
enum class Ending : std::int8_t {
    running = -1,
    separated,
    cycled,
    error_reached,
    unchanged,
    early_stopped,
    inseparable,
    stalled,
    max_updates,
    max_steps,
    max_iter,
};

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

// A run stalls after this much work, in touched values, if its errors have not improved for half of its epochs.
constexpr double kStallWork = 2e8;
// The same for a problem that is known to be separable: its margin can still be too small to wait for.
constexpr double kSeparableStallWork = 1e10;
// Epochs without improvement that a stall needs at least.
constexpr std::uint64_t kStallEpochs = 10;

struct Limits {
    std::uint64_t max_iter = kNoLimit;
    std::uint64_t max_steps = kNoLimit;         // examples presented
    std::uint64_t max_updates = kNoLimit;       // mistakes
    std::uint64_t patience = kNoLimit;          // examples presented without a change of the weights
    std::uint64_t n_iter_no_change = kNoLimit;  // epochs without a better validation score
    double max_error = 0;                       // share of the examples
    bool may_stall = false;
    double stall_work = kStallWork;
    bool ask_before_stall = false;  // the run pauses after kStallWork, and its caller decides
};

// The state of a problem at the end of an epoch, or within one.
struct EpochFacts {
    bool epoch_ended = false;
    std::uint64_t epoch = 0;            // epochs begun
    std::uint64_t examples = 0;         // examples of the problem
    std::uint64_t presented = 0;        // examples presented in the whole run
    std::uint64_t mistakes = 0;         // mistakes in the whole run
    std::uint64_t last_change = 0;      // value of `presented` at the last change of the weights
    std::uint64_t epoch_errors = 0;     // errors of this epoch
    bool no_mistake = false;            // this epoch made no mistake
    std::uint64_t period = 0;           // of a proven cycle, in epochs; 0 without one
    std::uint64_t best_epoch = 0;       // the epoch with the fewest errors
    std::uint64_t validated_epoch = 0;  // the epoch with the best validation score; 0 without validation
    double work = 0;                    // touched values of the whole run
    bool separable = false;             // the problem is known to be separable
};

Ending decide(const EpochFacts& facts, const Limits& limits);

}  // namespace rosenblatt
