// When an example is a mistake, and the size of the update: the choices on which the lectures differ.
#pragma once

#include <cstdint>

namespace rosenblatt {

// The meaning of a score of exactly zero.
enum class Tie : std::uint8_t {
    mistake,   // always a mistake
    positive,  // counts as a positive prediction
    negative,  // counts as a negative prediction
};

constexpr bool tie_is_wrong(Tie tie, bool positive_example) {
    return tie == Tie::mistake || (tie == Tie::positive) != positive_example;
}

// The size of an update. A passive-aggressive step (Crammer, Dekel, Keshet, Shalev-Shwartz, Singer 2006) is the smallest one
// that reaches the margin; PA-I limits it by `aggressiveness`, PA-II regularises it.
enum class Step : std::uint8_t { constant, pa, pa1, pa2 };

// Which classes a mistake of the joint rule punishes: the best of the other classes, or every class over which the true one
// does not lead by more than the margin (Kesler's construction: one update for each violated pair of classes).
enum class Rivals : std::uint8_t { best, all };

// A loss below this share of the margin is rounding and causes no passive-aggressive step.
constexpr double kPassive = 1.0 / (1ull << 32);

struct Rule {
    double eta0 = 1;
    Tie tie = Tie::mistake;
    Tie error_tie = Tie::mistake;  // the tie rule for reported errors (L1, eq. 4)
    bool fit_intercept = true;
    double margin = 0;  // an update is due when y * score <= margin
    Step step = Step::constant;
    double aggressiveness = 1;
    Rivals rivals = Rivals::best;  // under the joint rule

    // Whether y * score = agreement calls for an update.
    bool is_mistake(double agreement, bool positive_example) const {
        if (step != Step::constant) return margin - agreement > kPassive * margin;
        if (margin > 0) return agreement <= margin;
        return agreement < 0 || (agreement == 0 && tie_is_wrong(tie, positive_example));
    }

    // Whether a mistake of the joint rule punishes a class, by the lead of the true class over it. `is_best` marks the first of
    // the other classes with the largest score.
    bool punishes(double lead, bool is_best) const { return rivals == Rivals::best ? is_best : !(lead > margin); }

    bool is_error(double agreement, bool positive_example) const {
        return agreement < 0 || (agreement == 0 && tie_is_wrong(error_tie, positive_example));
    }

    // The factor of y * x: `step_size` is eta0 times the weight of the example, `squared` the squared length of the update.
    double scale(double step_size, double agreement, double squared) const {
        const double loss = margin - agreement;
        switch (step) {
            case Step::constant: return step_size;
            case Step::pa: return squared > 0 ? step_size * (loss / squared) : 0;
            case Step::pa1: {
                const double needed = squared > 0 ? loss / squared : 0;
                return step_size * (needed < aggressiveness ? needed : aggressiveness);
            }
            default: return step_size * (loss / (squared + 1 / (2 * aggressiveness)));
        }
    }
};

}  // namespace rosenblatt
