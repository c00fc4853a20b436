// The state of one problem that a pass reads and updates: one class against others, or all classes jointly.
#pragma once

#include <cstdint>
#include <limits>

namespace rosenblatt {

struct Problem {
    std::int32_t positive = 1;      // examples of this class are +1, all others -1
    std::uint64_t max_updates = 0;  // the pass returns once `mistakes` has reached it
    std::uint64_t mistakes = 0;     // mistakes of the whole run
    std::uint64_t last_change = 0;  // examples presented up to the last update, that one included
    double run_begin = 0;           // clock at the beginning of the present run of correct examples
    double pocket_run = std::numeric_limits<double>::infinity();  // length of the pocket's run; a longer one is offered
    bool not_finite = false;  // a score was NaN or infinite, because of the example or of too large weights

    // Counts of the present epoch:
    std::uint64_t epoch_mistakes = 0;
    std::uint64_t epoch_errors = 0;
    double epoch_loss = 0;  // sum of -y * score over the mistakes
};

}  // namespace rosenblatt
