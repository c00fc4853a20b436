// When an example is a mistake, and how far a mistake moves the weights: the choices that the lectures make differently.
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

// How far an update goes. Passive-aggressive steps (Crammer, Dekel, Keshet, Shalev-Shwartz, Singer 2006) go just as far
// as the example's margin asks; PA-I at most `aggressiveness`, PA-II softened by it.
enum class Step : std::uint8_t { constant, pa, pa1, pa2 };

// The smallest share of the margin that a passive-aggressive step cares for; what is less is rounding.
constexpr double kPassive = 1.0 / (1ull << 32);

struct Rule {
    double eta0 = 1;
    Tie tie = Tie::mistake;
    Tie error_tie = Tie::mistake;  // the tie rule of the errors that are reported, where that differs (L1, eq. 4)
    bool fit_intercept = true;
    double margin = 0;  // an update is due when y * score <= margin
    Step step = Step::constant;
    double aggressiveness = 1;

    // Whether y * score = agreement calls for an update.
    bool is_mistake(double agreement, bool positive_example) const {
        if (step != Step::constant) return margin - agreement > kPassive * margin;
        if (margin > 0) return agreement <= margin;
        return agreement < 0 || (agreement == 0 && tie_is_wrong(tie, positive_example));
    }

    bool is_error(double agreement, bool positive_example) const {
        return agreement < 0 || (agreement == 0 && tie_is_wrong(error_tie, positive_example));
    }

    // What multiplies y * x: `step` is eta0 times the example's weight, `squared` the squared length of what changes.
    double scale(double step_size, double agreement, double squared) const {
        const double loss = margin - agreement;
        switch (step) {
            case Step::constant: return step_size;
            case Step::pa: return squared > 0 ? step_size * (loss / squared) : 0;
            case Step::pa1: {
                const double wish = squared > 0 ? loss / squared : 0;
                return step_size * (wish < aggressiveness ? wish : aggressiveness);
            }
            default: return step_size * (loss / (squared + 1 / (2 * aggressiveness)));
        }
    }
};

}  // namespace rosenblatt
