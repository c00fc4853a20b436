#include "runs/endings.hpp"

#include <algorithm>

namespace rosenblatt {

namespace {

bool has_stalled(const EpochFacts& facts, const Limits& limits) {
    return facts.work > (facts.separable ? kSeparableStallWork : limits.stall_work) &&
           facts.epoch - facts.best_epoch >= std::max(kStallEpochs, facts.epoch / 2);
}

}  // namespace

Ending decide(const EpochFacts& facts, const Limits& limits) {
    if (facts.epoch_ended) {
        const double allowed = limits.max_error * static_cast<double>(facts.examples);
        if (facts.no_mistake) return Ending::separated;
        if (facts.period) return Ending::cycled;
        if (static_cast<double>(facts.epoch_errors) <= allowed) return Ending::error_reached;
    }
    if (facts.presented - facts.last_change >= limits.patience) return Ending::unchanged;
    if (facts.epoch_ended) {
        if (facts.validated_epoch && facts.epoch - facts.validated_epoch >= limits.n_iter_no_change)
            return Ending::early_stopped;
        if (limits.may_stall && has_stalled(facts, limits)) return Ending::stalled;
    }
    if (facts.mistakes >= limits.max_updates) return Ending::max_updates;
    if (facts.presented >= limits.max_steps) return Ending::max_steps;
    if (facts.epoch_ended && facts.epoch >= limits.max_iter) return Ending::max_iter;
    return Ending::running;
}

}  // namespace rosenblatt
