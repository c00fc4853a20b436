// The class with the largest score, found in single precision where the rounding error cannot change it.
//
// With many classes, prediction is limited by multiply-adds. In single precision, several rows and classes at once, they cost
// a quarter. The largest score is certain if it exceeds all others by more than the error of both (float32_bound.hpp). Rows without
// such a lead are scored again in double precision, so the predicted class does not depend on the machine.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rows/float32_bound.hpp"

namespace rosenblatt {

constexpr std::int32_t kUndecidedClass = -1;

// Weights of all classes in single precision: those of class c begin at w + c * float32_width(features).
struct Float32Planes {
    const float* w;
    const float* offsets;
    std::size_t count;
    // The errors of two scores of row x sum to at most per_norm * |x| + at_least.
    float per_norm;
    float at_least;
};

class Float32PlaneStore {
   public:
    // `w` has one row of weights per plane.
    Float32PlaneStore(const double* w, const double* offsets, std::size_t planes, std::size_t features)
        : w_(planes * float32_width(features), 0.0f), offsets_(planes, 0.0f) {
        const auto count = static_cast<double>(features);
        double norm = 0, offset = 0;
        for (std::size_t c = 0; c < planes; ++c) {
            double squared = 0;
            for (std::size_t j = 0; j < features; ++j) squared += w[c * features + j] * w[c * features + j];
            norm = std::fmax(norm, std::sqrt(squared));
            offset = std::fmax(offset, std::fabs(offsets[c]));
            usable_ = usable_ && squared <= kFloat32Largest * kFloat32Largest && std::fabs(offsets[c]) <= kFloat32Largest;
        }
        usable_ = usable_ && features < kFloat32Features;
        if (!usable_) return;
        for (std::size_t c = 0; c < planes; ++c) {
            offsets_[c] = static_cast<float>(offsets[c]);
            float* const to = w_.data() + c * float32_width(features);
            for (std::size_t j = 0; j < features; ++j) to[j] = static_cast<float>(w[c * features + j]);
        }
        const Float32Error error = float32_error(norm, offset, count, std::sqrt(count));
        per_norm_ = static_cast<float>(2 * error.per_norm);
        at_least_ = static_cast<float>(2 * error.at_least);
    }

    bool usable() const { return usable_; }
    Float32Planes view() const { return {w_.data(), offsets_.data(), offsets_.size(), per_norm_, at_least_}; }

   private:
    std::vector<float> w_;
    std::vector<float> offsets_;
    float per_norm_ = 0;
    float at_least_ = 0;
    bool usable_ = true;
};

}  // namespace rosenblatt
