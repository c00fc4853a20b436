// Detects that the weights at the end of an epoch equal those of an earlier epoch (Brent 1980).
//
// A copy of the weights is kept after epochs 0, 1, 2, 4, 8, ..., and every later epoch is compared with the copy. The
// comparison is exact and takes O(d) per epoch. Once the copy lies on the cycle, the first match gives the period.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "rows/views.hpp"
#include "util/buffer.hpp"

namespace rosenblatt {

// The epochs after which a copy is kept.
struct BrentSchedule {
    std::uint64_t kept_at = 0;    // epoch of the present copy
    std::uint64_t keep_next = 0;  // first epoch at which it is replaced

    bool is_due(std::uint64_t epoch) const { return epoch >= keep_next; }

    void keep(std::uint64_t epoch) {
        kept_at = epoch;
        keep_next = epoch ? 2 * epoch : 1;
    }
};

class CycleWatch {
   public:
    CycleWatch() = default;
    // Continues a watch that was saved.
    CycleWatch(Buffer<double> copy, BrentSchedule schedule) : copy_(std::move(copy)), schedule_(schedule) {}

    // Compares the weights of `planes` planes after `epoch` epochs (0 is the start) with the copy. Returns the number of
    // epochs since the copy if they are equal, else 0. No copy is kept where `more_epochs` is false.
    std::uint64_t observe(std::uint64_t epoch, const Weights& weights, std::size_t plane, std::size_t planes,
                          std::size_t features, bool more_epochs = true) {
        if (copy_.size() && equals_copy(weights, plane, planes, features)) return epoch - schedule_.kept_at;
        if (!more_epochs || !schedule_.is_due(epoch)) return 0;
        if (!copy_.size()) copy_ = Buffer<double>(planes * (features + 1));
        double* kept = copy_.data();
        for (std::size_t c = plane; c < plane + planes; ++c, kept += features) {
            *kept++ = weights.offsets[c];
            if (const double* w = weights.vector(c))
                std::copy_n(w, features, kept);
            else
                for (std::size_t j = 0; j < features; ++j) kept[j] = weights.at(c, j);
        }
        schedule_.keep(epoch);
        return 0;
    }

    const Buffer<double>& copy() const { return copy_; }
    const BrentSchedule& schedule() const { return schedule_; }

   private:
    bool equals_copy(const Weights& weights, std::size_t plane, std::size_t planes, std::size_t features) const {
        const double* kept = copy_.data();
        for (std::size_t c = plane; c < plane + planes; ++c) {
            if (*kept++ != weights.offsets[c]) return false;
            for (std::size_t j = 0; j < features; ++j)
                if (*kept++ != weights.at(c, j)) return false;
        }
        return true;
    }

    Buffer<double> copy_;  // uninitialised memory: it can be large, and most runs end before it is filled
    BrentSchedule schedule_;
};

}  // namespace rosenblatt
