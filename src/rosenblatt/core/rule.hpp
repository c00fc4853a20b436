// When an example is a mistake, and what a mistake does: the choices that the lectures make differently.
#pragma once

#include <cstdint>

namespace rosenblatt {

// What a score of exactly zero is.
enum class Tie : std::uint8_t {
    mistake,   // always wrong
    positive,  // counts as a positive prediction
    negative,  // counts as a negative prediction
};

constexpr bool tie_is_wrong(Tie tie, bool positive_example) {
    return tie == Tie::mistake || (tie == Tie::positive) != positive_example;
}

struct Rule {
    double eta0;
    Tie tie;
    Tie error_tie;  // the tie rule of the errors that are reported, where that differs (L1, eq. 4)
    bool fit_intercept;
};

}  // namespace rosenblatt
