// The Python names of the enumerations of a run.
#pragma once

#include <cstddef>
#include <iterator>
#include <stdexcept>
#include <string>

#include "runs/online_run.hpp"

namespace rosenblatt {

inline Tie tie_named(const std::string& name) {
    if (name == "mistake") return Tie::mistake;
    if (name == "positive") return Tie::positive;
    if (name == "negative") return Tie::negative;
    throw std::invalid_argument("unknown tie: " + name);
}

inline Order order_named(const std::string& name) {
    if (name == "cyclic") return Order::cyclic;
    if (name == "shuffle") return Order::shuffle;
    if (name == "misclassified") return Order::misclassified;
    throw std::invalid_argument("unknown order: " + name);
}

inline Step step_named(const std::string& name) {
    if (name == "constant") return Step::constant;
    if (name == "pa") return Step::pa;
    if (name == "pa1") return Step::pa1;
    if (name == "pa2") return Step::pa2;
    throw std::invalid_argument("unknown step: " + name);
}

inline Rivals rivals_named(const std::string& name) {
    if (name == "best") return Rivals::best;
    if (name == "all") return Rivals::all;
    throw std::invalid_argument("unknown rivals: " + name);
}

inline constexpr const char* kEndings[] = {"separated", "cycled",      "error_reached", "unchanged", "early_stopped",
                                    "inseparable", "stalled", "max_updates",   "max_steps", "max_iter"};

inline const char* name_of(Ending ending) {
    return ending == Ending::running ? "running" : kEndings[static_cast<std::size_t>(ending)];
}

inline Ending ending_named(const std::string& name) {
    for (std::size_t k = 0; k < std::size(kEndings); ++k)
        if (name == kEndings[k]) return static_cast<Ending>(k);
    throw std::invalid_argument("unknown ending: " + name);
}

inline const char* name_of(Pause pause) {
    constexpr const char* names[] = {"slice", "epoch", "question", "done"};
    return names[static_cast<std::size_t>(pause)];
}

}  // namespace rosenblatt
