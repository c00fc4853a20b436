// The class with the largest score, found in single precision where the rounding error cannot change it.
//
// With many classes, prediction is limited by multiply-adds. In single precision, several rows and classes at once, they cost
// a quarter. The largest score is certain if it exceeds all others by more than the error of both. For u = 2^-24, rows of d
// values and weights of norm at most W, the error of a score is at most (d + 16) u |x| W plus terms for underflow and the
// offset (Higham 2002, section 3.1; |x||w| bounds the sum of |x_j w_j|). Rows without such a lead are scored again in double
// precision, so the predicted class does not depend on the machine.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rosenblatt {

constexpr std::int32_t kUndecidedClass = -1;

// Rows and weights are padded with zeros to a multiple of this, the values of the widest register.
constexpr std::size_t kFloat32Pad = 16;
constexpr std::size_t float32_width(std::size_t features) {
    return (features + kFloat32Pad - 1) / kFloat32Pad * kFloat32Pad;
}

// The number of rows scored at once, and the size of the scratch array for them.
constexpr std::size_t kFloat32Rows = 4;
constexpr std::size_t float32_room(std::size_t features, std::size_t planes) {
    return kFloat32Rows * (float32_width(features) + planes);
}

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
        constexpr double kLargest = 1ull << 60;  // products of smaller values do not overflow
        constexpr std::size_t kLongest = 1 << 20;
        const auto count = static_cast<double>(features);
        double norm = 0, offset = 0;
        for (std::size_t c = 0; c < planes; ++c) {
            double squared = 0;
            for (std::size_t j = 0; j < features; ++j) squared += w[c * features + j] * w[c * features + j];
            norm = std::fmax(norm, std::sqrt(squared));
            offset = std::fmax(offset, std::fabs(offsets[c]));
            usable_ = usable_ && squared <= kLargest * kLargest && std::fabs(offsets[c]) <= kLargest;
        }
        usable_ = usable_ && features < kLongest;
        if (!usable_) return;
        for (std::size_t c = 0; c < planes; ++c) {
            offsets_[c] = static_cast<float>(offsets[c]);
            float* const to = w_.data() + c * float32_width(features);
            for (std::size_t j = 0; j < features; ++j) to[j] = static_cast<float>(w[c * features + j]);
        }
        const double u = std::ldexp(1.0, -24), root = std::sqrt(count);
        const double relative = 1.2 * (count + 16) * u * norm;
        per_norm_ = static_cast<float>(2.2 * (relative + root * std::ldexp(1.0, -147)));
        // Underflow: a vanishing square hides a value of at most 2^-70, a vanishing product is at most 2^-149.
        at_least_ = static_cast<float>(2.2 * (16 * u * offset + relative * root * std::ldexp(1.0, -70) +
                                              (count + 1) * std::ldexp(1.0, -146) * (1 + root * norm)) +
                                       std::ldexp(1.0, -120));
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
