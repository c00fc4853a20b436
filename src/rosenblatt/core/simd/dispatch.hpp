// The instruction sets of this machine. kernels() uses the widest one, or the one that the environment variable
// ROSENBLATT_ISA names (baseline, v3, v4, vnni). Kept apart from kernels.hpp, which must not need the standard library.
#pragma once

#include <vector>

#include "simd/kernels.hpp"

namespace rosenblatt {

// One table for each instruction set, the widest last.
std::vector<const Kernels*> available_kernels();

}  // namespace rosenblatt
