// Dot products in sixteen interleaved partial sums (lanes), with the same result on every instruction set.
//
// The sum of a row is defined by its lanes, not by the registers: value j of a complete block of sixteen goes to lane
// j mod 16, the last incomplete block is aligned to the right, and the lanes are folded in halves. So every instruction
// set gives the same bits.
#pragma once

#include <cstddef>
#include <cstring>

#include "rows/views.hpp"
#include "simd/simd_register.hpp"

namespace rosenblatt::ROSENBLATT_ISA {

constexpr std::size_t kRegisters = kLanes / kWidth;

// Folds one register in halves.
template <class Fold>
double folded(const Register& pack, Fold fold) {
    double lane[kWidth];
    std::memcpy(lane, &pack, sizeof lane);
    for (std::size_t half = kWidth / 2; half > 0; half /= 2)
        for (std::size_t l = 0; l < half; ++l) lane[l] = fold(lane[l], lane[l + half]);
    return lane[0];
}

#if defined(__SSE2__) && defined(__GNUC__)
// In registers, because every score ends with this sum; through memory it would take as long as the rest of a short row.
inline double total_of(__m128d two) { return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two))); }
#if defined(__AVX__)
inline double total_of(__m256d four) {
    return total_of(_mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1)));
}
#endif
#if defined(__AVX512F__)
inline double total_of(__m512d eight) {
    // The intrinsics without a mask cause warnings in a header of GCC 12.
    return total_of(_mm256_add_pd(_mm512_maskz_extractf64x4_pd(0xF, eight, 0),
                                  _mm512_maskz_extractf64x4_pd(0xF, eight, 1)));
}
#endif
inline double total(const Register& pack) { return total_of(pack); }
#else
inline double total(const Register& pack) {
    return folded(pack, [](double a, double b) { return a + b; });
}
#endif

inline double largest(const Register& pack) {
    return folded(pack, [](double a, double b) { return a > b ? a : b; });
}

// Folds the lanes in halves: 16 -> 8 -> 4 -> 2 -> 1. Always inlined: a call would pass the sums through memory.
ROSENBLATT_INLINE double fold(const Register* lanes) {
    Register packs[kRegisters];
    ROSENBLATT_UNROLL
    for (std::size_t p = 0; p < kRegisters; ++p) packs[p] = lanes[p];
    for (std::size_t half = kRegisters / 2; half > 0; half /= 2)
        for (std::size_t p = 0; p < half; ++p) packs[p] += packs[p + half];
    return total(packs[0]);
}

// w . x for one row and one plane, of at least kLanes features; views.hpp defines the tail.
template <class Value>
ROSENBLATT_INLINE double dot(const Value* x, const double* w, const double* tail, std::size_t features) {
    Register sums[kRegisters];
    for (std::size_t p = 0; p < kRegisters; ++p) sums[p] = Register{};
    std::size_t j = 0;
    for (; j + kLanes <= features; j += kLanes)
        for (std::size_t p = 0; p < kRegisters; ++p) sums[p] += load(x + j + p * kWidth) * load(w + j + p * kWidth);
    if (j < features) {
        const Value* last = x + features - kLanes;
        for (std::size_t p = 0; p < kRegisters; ++p) sums[p] += load(last + p * kWidth) * load(tail + p * kWidth);
    }
    return fold(sums);
}

template <class Value>
ROSENBLATT_INLINE double dot(const Value* x, const double* w, std::size_t features) {
    return dot(x, w, tail_of(w, features), features);
}

// out[r * Planes + c] = w_c . x_r for a few rows and planes at once: a loaded value is used for several sums.
// `Together` registers of each sum are accumulated in one sweep, so that all sums stay in registers; a narrow instruction set
// needs more sweeps. Each lane adds the same products in the same order, whatever the number of sweeps.
template <std::size_t RowCount, std::size_t Planes, std::size_t Together, class Value>
void tile(const Value* const* x, const double* w, std::size_t stride, std::size_t features, double* out) {
    Register lanes[RowCount][Planes][kRegisters];
    for (std::size_t first = 0; first < kRegisters; first += Together) {
        Register sums[RowCount][Planes][Together] = {};
        const auto take = [&](std::size_t at, const double* weights, std::size_t weights_stride) {
            for (std::size_t p = 0; p < Together; ++p) {
                const std::size_t offset = (first + p) * kWidth;
                Register values[RowCount];
                for (std::size_t r = 0; r < RowCount; ++r) values[r] = load(x[r] + at + offset);
                for (std::size_t c = 0; c < Planes; ++c) {
                    const Register weight = load(weights + c * weights_stride + offset);
                    for (std::size_t r = 0; r < RowCount; ++r) sums[r][c][p] += values[r] * weight;
                }
            }
        };
        std::size_t j = 0;
        for (; j + kLanes <= features; j += kLanes) take(j, w + j, stride);
        if (j < features) take(features - kLanes, tail_of(w, features), stride);
        for (std::size_t r = 0; r < RowCount; ++r)
            for (std::size_t c = 0; c < Planes; ++c)
                for (std::size_t p = 0; p < Together; ++p) lanes[r][c][first + p] = sums[r][c][p];
    }
    for (std::size_t r = 0; r < RowCount; ++r)
        for (std::size_t c = 0; c < Planes; ++c) out[r * Planes + c] = fold(lanes[r][c]);
}

// The same sum for rows of fewer than kLanes values: each lane holds one product at most.
template <class Value>
double short_dot(const Value* x, const double* w, std::size_t count) {
    double lanes[kLanes];
    for (std::size_t l = 0; l < count; ++l) lanes[l] = static_cast<double>(x[l]) * w[l];
    for (std::size_t half = kLanes / 2; half > 0; half /= 2)
        for (std::size_t l = 0; l + half < count && l < half; ++l) lanes[l] += lanes[l + half];
    return count ? lanes[0] : 0.0;
}

}  // namespace rosenblatt::ROSENBLATT_ISA
