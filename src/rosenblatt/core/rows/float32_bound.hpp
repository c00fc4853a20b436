// Scores in single precision, with a bound on their error: what prediction (inference/float32_argmax.hpp) and training
// (accelerate/float32/) share.
//
// For u = 2^-24, rows of d values and weights of norm W, the error of a score is at most (d + 16) u |x| W plus terms for underflow
// and the offset (Higham 2002, section 3.1; |x||w| bounds the sum of |x_j w_j|). It also covers the roundings of x and w to single
// precision and the much smaller error of the score in double precision.
#pragma once

#include <cstddef>

#include "rows/views.hpp"

namespace rosenblatt {

// Rows and weights are padded with zeros to a multiple of this, the values of the widest register.
constexpr std::size_t kFloat32Pad = 16;
constexpr std::size_t float32_width(std::size_t features) {
    return (features + kFloat32Pad - 1) / kFloat32Pad * kFloat32Pad;
}

// The number of rows scored at once, how many rows ahead of them are prefetched, and the size of the scratch array for them.
constexpr std::size_t kFloat32Rows = 4, kFloat32Ahead = 8;
constexpr std::size_t float32_room(std::size_t features, std::size_t planes) {
    return kFloat32Rows * (float32_width(features) + planes);
}

// Longer rows and larger weights have no bound. Products of values up to kFloat32Largest do not overflow.
constexpr std::size_t kFloat32Features = 1 << 20;
constexpr double kFloat32Largest = 0x1p60;

// The error of a score of row x is at most per_norm * |x| + at_least.
struct Float32Error {
    double per_norm;
    double at_least;
};

// `norm` is that of the weights, `root` the square root of the number of features.
ROSENBLATT_INLINE Float32Error float32_error(double norm, double offset, double features, double root) {
    constexpr double u = 0x1p-24;
    const double relative = 1.2 * (features + 16) * u * norm;
    // Underflow: a vanishing square hides a value of at most 2^-70, a vanishing product is at most 2^-149.
    return {1.1 * (relative + root * 0x1p-147),
            1.1 * (16 * u * offset + relative * root * 0x1p-70 + (features + 1) * 0x1p-146 * (1 + root * norm)) + 0x1p-121};
}

}  // namespace rosenblatt
