// How a problem ends: the one rule for the online run, the dual run and, through Python, a run on a cluster.
#pragma once

#include <cstdint>
#include <limits>

namespace rosenblatt {

// In order of precedence where several hold at once.
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

struct Limits {
    std::uint64_t max_iter = kNoLimit;
    std::uint64_t max_steps = kNoLimit;
    std::uint64_t max_updates = kNoLimit;
    std::uint64_t patience = kNoLimit;
    std::uint64_t n_iter_no_change = kNoLimit;  // epochs without a better validation score
    double max_error = 0;
    bool may_stall = false;
    bool ask_before_stall = false;  // pause, and let the caller decide
};

// What is known of a problem after an epoch, or within one.
struct EpochFacts {
    bool epoch_ended = false;
    std::uint64_t epoch = 0;           // epochs begun
    std::uint64_t examples = 0;        // that take part
    std::uint64_t presented = 0;       // examples, in the whole run
    std::uint64_t mistakes = 0;        // in the whole run
    std::uint64_t last_change = 0;     // examples presented when the watched weights last changed
    std::uint64_t epoch_errors = 0;    // of this epoch
    bool no_mistake = false;           // no example of this epoch was a mistake
    std::uint64_t period = 0;          // of a proven cycle, in epochs; 0 where there is none
    std::uint64_t best_epoch = 0;      // with the fewest errors
    std::uint64_t validated_epoch = 0;  // with the best validation score; 0 without validation
    double work = 0;                   // touched values of the whole run
    bool separable = false;            // a separator is known to exist
};

Ending decide(const EpochFacts& facts, const Limits& limits);

}  // namespace rosenblatt
