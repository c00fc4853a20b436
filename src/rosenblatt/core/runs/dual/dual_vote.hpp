// The votes of all weight vectors of a dual run (Freund and Schapire 1999). Each differs from the one before by one example,
// so their scores on x are running sums of kernel values. A vote is weighted by the examples that its vector survived.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rosenblatt {

struct Voters {
    std::size_t count;             // updates; there is one vector more
    const std::uint32_t* columns;  // the support vector of each update
    const double* scales;          // its coefficient
    const double* survival;        // count + 1 entries
    double constant;               // 1 with an offset, else 0: added to each kernel value
};

// Sum of survival * sign(score).
inline double vote(const Voters& voters, const double* kernel_values, bool tie_is_positive) {
    double score = 0;
    double balance = tie_is_positive ? voters.survival[0] : -voters.survival[0];
    for (std::size_t k = 0; k < voters.count; ++k) {
        score += voters.scales[k] * (kernel_values[voters.columns[k]] + voters.constant);
        const bool positive = score > 0 || (score == 0 && tie_is_positive);
        balance += positive ? voters.survival[k + 1] : -voters.survival[k + 1];
    }
    return balance;
}

// Under the joint rule a vector votes for the class of its largest score, the first of equals. `won` has one entry per
// class; update k adds its example to class truths[k] and subtracts it from class rivals[k].
inline void vote_jointly(const Voters& voters, const std::uint32_t* truths, const std::uint32_t* rivals,
                         const double* kernel_values, std::vector<double>& scores, double* won) {
    std::fill(scores.begin(), scores.end(), 0.0);
    std::fill(won, won + scores.size(), 0.0);
    won[0] += voters.survival[0];
    for (std::size_t k = 0; k < voters.count; ++k) {
        const double change = voters.scales[k] * (kernel_values[voters.columns[k]] + voters.constant);
        scores[truths[k]] += change;
        scores[rivals[k]] -= change;
        won[std::max_element(scores.begin(), scores.end()) - scores.begin()] += voters.survival[k + 1];
    }
}

}  // namespace rosenblatt
