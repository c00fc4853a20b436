// The Python names of the enumerations of a run.
#pragma once

#include <cstddef>
#include <string>

#include "bindings/enumerator.hpp"
#include "runs/online/online_run.hpp"

namespace rosenblatt {

inline constexpr const char* kTies[] = {"mistake", "positive", "negative"};
inline constexpr const char* kOrders[] = {"cyclic", "shuffle", "misclassified"};
inline constexpr const char* kSteps[] = {"constant", "pa", "pa1", "pa2"};
inline constexpr const char* kRivals[] = {"best", "all"};

inline Tie tie_named(const std::string& name) { return enumerator<Tie>(kTies, "tie", name); }
inline Order order_named(const std::string& name) { return enumerator<Order>(kOrders, "order", name); }
inline Step step_named(const std::string& name) { return enumerator<Step>(kSteps, "step", name); }
inline Rivals rivals_named(const std::string& name) { return enumerator<Rivals>(kRivals, "rivals", name); }

inline constexpr const char* kEndings[] = {"separated", "cycled",      "error_reached", "unchanged", "early_stopped",
                                    "inseparable", "stalled", "max_updates",   "max_steps", "max_iter"};

inline const char* name_of(Ending ending) {
    return ending == Ending::running ? "running" : kEndings[static_cast<std::size_t>(ending)];
}

inline Ending ending_named(const std::string& name) { return enumerator<Ending>(kEndings, "ending", name); }

inline const char* name_of(Pause pause) {
    constexpr const char* names[] = {"slice", "epoch", "question", "done"};
    return names[static_cast<std::size_t>(pause)];
}

}  // namespace rosenblatt
