// Has the state at the start of an epoch come back? Exact, in O(d) an epoch and one copy of the weights (Brent 1980):
// the state is kept at epochs 0, 1, 2, 4, 8, ... and each later one is compared with the copy. Once the copy lies on
// the cycle, the first match is the period.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "views.hpp"

namespace rosenblatt {

class CycleWatch {
   public:
    // Tells the state after `epoch` epochs (0 is the start). Returns the number of epochs since the same state, or 0.
    std::uint64_t see(std::uint64_t epoch, const Weights& weights, std::size_t problem, std::size_t features,
                      double offset) {
        if (!copy_.empty() && same(weights, problem, features, offset)) return epoch - kept_at_;
        if (epoch < keep_next_) return 0;
        copy_.resize(features + 1);
        for (std::size_t j = 0; j < features; ++j) copy_[j] = weights.at(problem, j);
        copy_[features] = offset;
        kept_at_ = epoch;
        keep_next_ = epoch ? 2 * epoch : 1;
        return 0;
    }

   private:
    bool same(const Weights& weights, std::size_t problem, std::size_t features, double offset) const {
        if (copy_[features] != offset) return false;
        for (std::size_t j = 0; j < features; ++j)
            if (copy_[j] != weights.at(problem, j)) return false;
        return true;
    }

    std::vector<double> copy_;
    std::uint64_t kept_at_ = 0;
    std::uint64_t keep_next_ = 0;
};

}  // namespace rosenblatt
