// The names that Python gives the choices of rule.hpp.
#pragma once

#include <stdexcept>
#include <string>

#include "rule.hpp"

namespace rosenblatt {

inline Tie tie_named(const std::string& name) {
    if (name == "mistake") return Tie::mistake;
    if (name == "positive") return Tie::positive;
    if (name == "negative") return Tie::negative;
    throw std::invalid_argument("unknown tie: " + name);
}

inline Step step_named(const std::string& name) {
    if (name == "constant") return Step::constant;
    if (name == "pa") return Step::pa;
    if (name == "pa1") return Step::pa1;
    if (name == "pa2") return Step::pa2;
    throw std::invalid_argument("unknown step: " + name);
}

}  // namespace rosenblatt
