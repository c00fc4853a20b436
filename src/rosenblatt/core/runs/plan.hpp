// The plan of a run: the update rule, the order of the examples, the weights to keep, and the limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "passes/rule.hpp"
#include "runs/endings.hpp"

namespace rosenblatt {

enum class Order : std::uint8_t {
    cyclic,
    shuffle,
    // L2: every step draws one of M, the examples that are misclassified under the present weights, and updates it. An
    // epoch is n steps; the last one ends as soon as M is empty or the errors are few enough (online_drawing.cpp).
    misclassified,
};

// The cost of an example beyond its values, in touched values.
constexpr std::uint64_t kExampleWork = 32;

struct Plan {
    Rule rule;
    bool joint = false;    // all planes learn as one problem (joint_pass.hpp)
    bool batch = false;    // the updates of an epoch are summed and applied at its end (L2)
    bool average = false;  // also compute the mean of the weights over all examples presented
    bool pocket = false;   // also keep the weights with the longest run of correct examples (L0)
    bool ratchet = false;  // ... and only if they make fewer training errors than those in the pocket (Gallant 1990)
    bool record = false;   // keep every update
    Order order = Order::cyclic;
    std::uint64_t seed = 0;
    std::uint64_t first_epoch = 0;  // number of epochs of this order in earlier runs
    Limits limits;
    // Early stopping: examples that are scored after each epoch and never trained on.
    std::vector<std::uint32_t> validation;

    // The largest multiple of a row that one update adds to the weights of `planes` classes.
    std::uint64_t rows_per_update(std::size_t planes) const {
        return joint && rule.rivals == Rivals::all ? planes - 1 : 1;
    }
};

}  // namespace rosenblatt
