// Checks that the bindings of all runs share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runs/plan.hpp"

namespace rosenblatt {

// Throws std::invalid_argument where the plan does not fit the classes and labels.
void check_plan(const Plan& plan, const std::vector<std::int32_t>& positives, const std::int32_t* labels,
                std::size_t examples);

}  // namespace rosenblatt
