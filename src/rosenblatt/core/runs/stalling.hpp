// When a run without a limit of epochs is getting nowhere.
#pragma once

#include <algorithm>
#include <cstdint>

namespace rosenblatt {

// The work below which no run is called stalled, in touched values.
constexpr double kStallWork = 2e8;
// The same for a problem that is known to have a separator: a margin can be too small for anybody's patience.
constexpr double kSeparableStallWork = 1e10;
constexpr std::uint64_t kStallEpochs = 10;

// Much work, and no better epoch for half the run.
inline bool has_stalled(double work, std::uint64_t epoch, std::uint64_t best_epoch, bool separable) {
    return work > (separable ? kSeparableStallWork : kStallWork) &&
           epoch - best_epoch >= std::max(kStallEpochs, epoch / 2);
}

}  // namespace rosenblatt
