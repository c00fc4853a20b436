// One binary problem of a run: some class against others, as a pass over the examples sees it.
#pragma once

#include <cstdint>

namespace rosenblatt {

struct Problem {
    std::int32_t positive;      // examples of this class are +1, all others -1
    std::uint64_t mistakes;     // of the whole run
    std::uint64_t max_updates;  // the pass returns once `mistakes` has reached it
    std::uint64_t last_change;  // how many examples had been presented, the changing one included
    bool not_finite;            // a score was NaN or infinite: the example is, or the weights have grown too large

    // Of the present epoch, as met online:
    std::uint64_t epoch_mistakes;
    std::uint64_t epoch_errors;
    double epoch_loss;  // sum of -y * score over the mistakes
};

}  // namespace rosenblatt
