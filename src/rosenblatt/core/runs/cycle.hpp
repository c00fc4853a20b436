// Has the state at the start of an epoch come back? Exact, in O(d) an epoch and one copy of the weights (Brent 1980):
// the state is kept at epochs 0, 1, 2, 4, 8, ... and each later one is compared with the copy. Once the copy lies on
// the cycle, the first match is the period.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "rows/views.hpp"
#include "util/buffer.hpp"

namespace rosenblatt {

class CycleWatch {
   public:
    // Tells the state after `epoch` epochs (0 is the start), and whether there may be another. Returns the number of epochs
    // since the same state, or 0.
    std::uint64_t see(std::uint64_t epoch, const Weights& weights, std::size_t plane, std::size_t planes,
                      std::size_t features, bool goes_on = true) {
        if (copy_.size() && same(weights, plane, planes, features)) return epoch - kept_at_;
        if (epoch < keep_next_ || !goes_on) return 0;
        if (!copy_.size()) copy_ = Buffer<double>(planes * (features + 1));
        double* kept = copy_.data();
        for (std::size_t c = plane; c < plane + planes; ++c, kept += features) {
            *kept++ = weights.offsets[c];
            if (const double* w = weights.vector(c))
                std::copy_n(w, features, kept);
            else
                for (std::size_t j = 0; j < features; ++j) kept[j] = weights.at(c, j);
        }
        kept_at_ = epoch;
        keep_next_ = epoch ? 2 * epoch : 1;
        return 0;
    }

   private:
    bool same(const Weights& weights, std::size_t plane, std::size_t planes, std::size_t features) const {
        const double* kept = copy_.data();
        for (std::size_t c = plane; c < plane + planes; ++c) {
            if (*kept++ != weights.offsets[c]) return false;
            for (std::size_t j = 0; j < features; ++j)
                if (*kept++ != weights.at(c, j)) return false;
        }
        return true;
    }

    Buffer<double> copy_;  // they may be many, and most runs end soon: memory that is not filled in advance
    std::uint64_t kept_at_ = 0;
    std::uint64_t keep_next_ = 0;
};

}  // namespace rosenblatt
