// Enumerations by the names that Python uses.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace rosenblatt {

// The value whose name stands at its position in `names`. `what` names the enumeration in the error message.
template <class Enumeration, std::size_t N>
Enumeration enumerator(const char* const (&names)[N], const char* what, const std::string& name) {
    for (std::size_t k = 0; k < N; ++k)
        if (name == names[k]) return static_cast<Enumeration>(k);
    throw std::invalid_argument("unknown " + std::string(what) + ": " + name);
}

}  // namespace rosenblatt
