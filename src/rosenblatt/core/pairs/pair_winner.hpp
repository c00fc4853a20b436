// The class with the most votes of one-vs-one, from few of its pairs.
//
// A knock-out tournament over the classes finds a strong one in n - 1 pairs; its remaining pairs give its number of losses. Any
// other class is left as soon as it has more losses than the best class so far, which a wrong class has after a few pairs. So about
// n times (2 + losses of the winner) pairs are scored instead of n (n - 1) / 2. The result is that of count_votes() and the first
// largest: votes differ by at least one half less the terms from the summed scores, which are compared only between classes with
// equally many losses; if such a term is near its bound, where rounding could matter, all pairs are scored.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace rosenblatt {

class PairWinner {
   public:
    explicit PairWinner(std::size_t classes) : losses_(classes), terms_(classes) {}

    // `score(a, b)` is the score of the pair a < b; `positive(score)` says whether b wins.
    template <class Score, class Positive>
    std::size_t of(const Score& score, const Positive& positive) {
        const std::size_t n = losses_.size();
        const auto beaten = [&](std::size_t c, std::size_t other) {
            return c < other ? positive(score(c, other)) : !positive(score(other, c));
        };
        losses_.assign(n, 0);
        std::size_t strong = 0;
        for (std::size_t c = 1; c < n; ++c) {
            const bool lost = beaten(strong, c);
            ++losses_[lost ? strong : c];
            if (lost) strong = c;
        }
        std::size_t fewest = count_losses(strong, n, beaten);
        losses_[strong] = fewest;
        for (std::size_t c = 0; c < n; ++c) {
            if (c == strong || losses_[c] > fewest) continue;
            losses_[c] = count_losses(c, fewest, beaten);
            if (losses_[c] < fewest) fewest = losses_[c];
        }
        return among_equals(fewest, score, positive);
    }

   private:
    // The number of pairs that class c loses; stops when they are more than `limit`.
    template <class Beaten>
    std::size_t count_losses(std::size_t c, std::size_t limit, const Beaten& beaten) const {
        std::size_t losses = 0;
        for (std::size_t other = 0; other < losses_.size() && losses <= limit; ++other)
            if (other != c && beaten(c, other)) ++losses;
        return losses;
    }

    template <class Score, class Positive>
    std::size_t among_equals(std::size_t fewest, const Score& score, const Positive& positive) {
        constexpr double kNearBound = 0.49;
        std::size_t best = losses_.size();
        for (std::size_t c = 0; c < losses_.size(); ++c) {
            if (losses_[c] != fewest) continue;
            terms_[c] = term_of(c, score);
            if (terms_[c] < -kNearBound) return from_all(score, positive);
            if (best == losses_.size() || votes_of(c) > votes_of(best)) best = c;
        }
        return best;
    }

    template <class Score, class Positive>
    std::size_t from_all(const Score& score, const Positive& positive) {
        const std::size_t n = losses_.size();
        const auto beaten = [&](std::size_t c, std::size_t other) {
            return c < other ? positive(score(c, other)) : !positive(score(other, c));
        };
        std::size_t best = 0;
        for (std::size_t c = 0; c < n; ++c) {
            losses_[c] = count_losses(c, n, beaten);
            terms_[c] = term_of(c, score);
            if (votes_of(c) > votes_of(best)) best = c;
        }
        return best;
    }

    // The term of the summed scores, in the order of summation of count_votes().
    template <class Score>
    double term_of(std::size_t c, const Score& score) const {
        double sum = 0;
        for (std::size_t a = 0; a < c; ++a) sum += score(a, c);
        for (std::size_t b = c + 1; b < losses_.size(); ++b) sum -= score(c, b);
        return sum / (2 * (std::fabs(sum) + 1));
    }

    double votes_of(std::size_t c) const { return static_cast<double>(losses_.size() - 1 - losses_[c]) + terms_[c]; }

    std::vector<std::size_t> losses_;  // known losses, a lower bound
    std::vector<double> terms_;
};

}  // namespace rosenblatt
