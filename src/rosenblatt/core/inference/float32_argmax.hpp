// The class with the largest score, where single precision is enough to be sure of it.
//
// Scores of many classes cost more multiply-adds than reading the row costs time. In single precision, several rows and
// classes at once, they cost a quarter; and the largest is the largest of the scores proper wherever it leads by more
// than both can be off. For u = 2^-24, rows of d values and weights of norm at most W, a coarse score is off by at
// most (d + 16) u |x| W and what underflow and the offset add (Higham 2002, section 3.1; |x||w| bounds the sum of
// |x_j w_j|). Rows without such a lead are scored again in full, so the class is the same, whatever the machine fuses.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rosenblatt {

constexpr std::int32_t kUndecidedClass = -1;

// Rows and weights go on with zeros to a multiple of this: as many values as the widest register has.
constexpr std::size_t kCoarsePad = 16;
constexpr std::size_t coarse_width(std::size_t features) {
    return (features + kCoarsePad - 1) / kCoarsePad * kCoarsePad;
}

// Rows that are scored at once, and room for them and their scores.
constexpr std::size_t kCoarseRows = 4;
constexpr std::size_t float32_room(std::size_t features, std::size_t planes) {
    return kCoarseRows * (coarse_width(features) + planes);
}

// Weights of all classes in single precision: those of class c begin at w + c * coarse_width(features).
struct Float32Planes {
    const float* w;
    const float* offsets;
    std::size_t count;
    // Two scores of row x are off, together, by at most per_norm * |x| + at_least.
    float per_norm;
    float at_least;
};

class CoarsePlaneStore {
   public:
    // `w` has one row of weights a plane.
    CoarsePlaneStore(const double* w, const double* offsets, std::size_t planes, std::size_t features)
        : w_(planes * coarse_width(features), 0.0f), offsets_(planes, 0.0f) {
        constexpr double kLargest = 1ull << 60;  // no product of what is below it overflows
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
            float* const to = w_.data() + c * coarse_width(features);
            for (std::size_t j = 0; j < features; ++j) to[j] = static_cast<float>(w[c * features + j]);
        }
        const double u = std::ldexp(1.0, -24), root = std::sqrt(count);
        const double relative = 1.2 * (count + 16) * u * norm;
        per_norm_ = static_cast<float>(2.2 * (relative + root * std::ldexp(1.0, -147)));
        // Squares that vanish hide a norm of 2^-70 at most a value; products that do, 2^-149 each.
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
