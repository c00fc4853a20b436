// The accelerators of an online run in order of precedence.
#pragma once

#include <memory>
#include <vector>

#include "accelerate/accelerator.hpp"

namespace rosenblatt {

// Those that the environment variable ROSENBLATT_ACCELERATOR allows: `auto` (or unset) gives all, `none` gives none, and a
// name gives that one alone, used wherever it is able to run. Throws std::invalid_argument for any other value.
std::vector<std::unique_ptr<Accelerator>> make_accelerators();

}  // namespace rosenblatt
