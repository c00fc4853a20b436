// One problem of a run, some class against others or all classes jointly, as a pass over the examples sees it.
#pragma once

#include <cstdint>
#include <limits>

namespace rosenblatt {

struct Problem {
    std::int32_t positive = 1;      // examples of this class are +1, all others -1
    std::uint64_t max_updates = 0;  // the pass returns once `mistakes` has reached it
    std::uint64_t mistakes = 0;     // of the whole run
    std::uint64_t last_change = 0;  // how many examples had been presented, the changing one included
    double run_begin = 0;           // the clock when the present run of right examples began
    double pocket_run = std::numeric_limits<double>::infinity();  // a longer run is offered to the pocket
    bool not_finite = false;  // a score was NaN or infinite: the example is, or the weights have grown too large

    // Of the present epoch, as met online:
    std::uint64_t epoch_mistakes = 0;
    std::uint64_t epoch_errors = 0;
    double epoch_loss = 0;  // sum of -y * score over the mistakes
};

}  // namespace rosenblatt
