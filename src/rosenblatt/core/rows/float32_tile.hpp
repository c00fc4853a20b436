// Scores of four rows and several planes at once, in single precision (float32_bound.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "rows/float32_bound.hpp"
#include "simd/simd_register.hpp"

#ifndef ROSENBLATT_ISA
#error "this header is compiled once per instruction set: define ROSENBLATT_ISA"
#endif

#if defined(__GNUC__)

namespace rosenblatt::ROSENBLATT_ISA {

// A register of floats, and the number of planes whose sums for four rows stay in registers: in the first tile, which also sums
// the squares of the rows, and in the others.
#if defined(__AVX512F__)
constexpr std::size_t kFloats = 16, kFirstPlanes = 5, kMorePlanes = 5;
#elif defined(__AVX__)
constexpr std::size_t kFloats = 8, kFirstPlanes = 2, kMorePlanes = 3;
#else
constexpr std::size_t kFloats = 4, kFirstPlanes = 2, kMorePlanes = 3;
#endif
using Floats = float __attribute__((vector_size(kFloats * sizeof(float))));

// One value per row.
using FloatByRow = float __attribute__((vector_size(kFloat32Rows * sizeof(float))));
using IntegerByRow = std::int32_t __attribute__((vector_size(kFloat32Rows * sizeof(std::int32_t))));

template <class Register>
ROSENBLATT_INLINE Register read(const float* values) {
    Register found;
    std::memcpy(&found, values, sizeof found);
    return found;
}

// sums + a * b, fused where the instruction set allows it; the bound covers both.
ROSENBLATT_INLINE Floats with_product(const Floats& sums, const Floats& a, const Floats& b) {
#if defined(__AVX512F__)
    return _mm512_fmadd_ps(a, b, sums);
#elif defined(__FMA__)
    return _mm256_fmadd_ps(a, b, sums);
#else
    return sums + a * b;
#endif
}

// The sum of the lanes of each of four registers.
ROSENBLATT_INLINE FloatByRow totals(const Floats (&sums)[kFloat32Rows]) {
#if defined(__AVX__)
    __m256 half[kFloat32Rows];
    for (std::size_t r = 0; r < kFloat32Rows; ++r) {
#if defined(__AVX512F__)
        half[r] = _mm256_add_ps(_mm512_maskz_extractf32x8_ps(0xFF, sums[r], 0),
                                _mm512_maskz_extractf32x8_ps(0xFF, sums[r], 1));
#else
        half[r] = sums[r];
#endif
    }
    const __m256 pairs = _mm256_hadd_ps(_mm256_hadd_ps(half[0], half[1]), _mm256_hadd_ps(half[2], half[3]));
    return _mm_add_ps(_mm256_castps256_ps128(pairs), _mm256_extractf128_ps(pairs, 1));
#else
    FloatByRow all{};
    for (std::size_t r = 0; r < kFloat32Rows; ++r)
        for (std::size_t l = 0; l < kFloats; ++l) all[r] += sums[r][l];
    return all;
#endif
}

// The row in single precision, padded with zeros: the row itself if it has this form, else a copy in `room`.
ROSENBLATT_INLINE const float* narrow_row(const float* x, std::size_t features, float* room) {
    if (features % kFloat32Pad == 0) return x;
    std::memcpy(room, x, features * sizeof(float));
    return room;
}

ROSENBLATT_INLINE const float* narrow_row(const double* x, std::size_t features, float* room) {
    for (std::size_t j = 0; j < features; ++j) room[j] = static_cast<float>(x[j]);
    return room;
}

// scores[c * kFloat32Rows + r] = w_c . x_r for `Planes` planes, without the offsets. The first tile of a block also sums the
// squares of the rows, and prefetches later rows value by value: prefetches in one burst would wait for each other.
template <std::size_t Planes, bool First, class Value>
ROSENBLATT_INLINE void score_tile(const float* const (&x)[kFloat32Rows], const Value* const (&later)[kFloat32Rows],
                                  const float* w, std::size_t width, float* scores, FloatByRow& squares) {
    Floats sums[Planes][kFloat32Rows] = {};
    Floats square_sums[kFloat32Rows] = {};
    for (std::size_t j = 0; j < width; j += kFloats) {
        Floats weights[Planes];
        for (std::size_t c = 0; c < Planes; ++c) weights[c] = read<Floats>(w + c * width + j);
        for (std::size_t r = 0; r < kFloat32Rows; ++r) {
            const Floats values = read<Floats>(x[r] + j);
            if (First) ROSENBLATT_PREFETCH(later[r] + j);
            if (First) square_sums[r] = with_product(square_sums[r], values, values);
            for (std::size_t c = 0; c < Planes; ++c) sums[c][r] = with_product(sums[c][r], values, weights[c]);
        }
    }
    if (First) squares = totals(square_sums);
    for (std::size_t c = 0; c < Planes; ++c) {
        const FloatByRow total = totals(sums[c]);
        std::memcpy(scores + c * kFloat32Rows, &total, sizeof total);
    }
}

// The same for `count` planes, `Most` at most.
template <std::size_t Most, bool First, class Value>
ROSENBLATT_INLINE void score_tile_of(std::size_t count, const float* const (&x)[kFloat32Rows],
                                     const Value* const (&later)[kFloat32Rows], const float* w, std::size_t width,
                                     float* scores, FloatByRow& squares) {
    if constexpr (Most > 1)
        if (count < Most) return score_tile_of<Most - 1, First>(count, x, later, w, width, scores, squares);
    score_tile<Most, First>(x, later, w, width, scores, squares);
}

// The scores of a block of rows for all planes, and the sums of squares of the rows.
template <class Value>
ROSENBLATT_INLINE void score_block(std::size_t planes, const float* const (&x)[kFloat32Rows],
                                   const Value* const (&later)[kFloat32Rows], const float* w, std::size_t width,
                                   float* scores, FloatByRow& squares) {
    score_tile_of<kFirstPlanes, true>(planes, x, later, w, width, scores, squares);
    for (std::size_t c = kFirstPlanes; c < planes; c += kMorePlanes)
        score_tile_of<kMorePlanes, false>(planes - c, x, later, w + c * width, width, scores + c * kFloat32Rows, squares);
}

}  // namespace rosenblatt::ROSENBLATT_ISA

#endif
