// Sixteen interleaved partial sums, in as many registers as the instruction set needs for them.
//
// The sum of a row is defined by its lanes, not by the registers: value j of a complete block of sixteen goes to lane
// j mod 16, the last incomplete block is aligned to the right, and the lanes are folded in halves. So every instruction
// set gives the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "views.hpp"

#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace rosenblatt::ROSENBLATT_ISA {

#if defined(__AVX512F__)
constexpr std::size_t kWidth = 8;
#elif defined(__AVX__)
constexpr std::size_t kWidth = 4;
#else
constexpr std::size_t kWidth = 2;
#endif

#if defined(__GNUC__)

using Pack = double __attribute__((vector_size(kWidth * sizeof(double))));
using FloatPack = float __attribute__((vector_size(kWidth * sizeof(float))));

inline Pack load(const double* values) {
    Pack pack;
    std::memcpy(&pack, values, sizeof pack);
    return pack;
}

inline Pack load(const float* values) {
    // GCC 12 splits __builtin_convertvector to 64 bytes into halves; the intrinsics are one instruction.
#if defined(__AVX512F__)
    return _mm512_maskz_cvtps_pd(0xFF, _mm256_loadu_ps(values));  // the unmasked one warns in GCC 12's own header
#elif defined(__AVX__)
    return _mm256_cvtps_pd(_mm_loadu_ps(values));
#else
    FloatPack pack;
    std::memcpy(&pack, values, sizeof pack);
    return __builtin_convertvector(pack, Pack);
#endif
}

inline Pack all(double value) { return value - Pack{}; }
inline Pack larger(const Pack& a, const Pack& b) { return a > b ? a : b; }
inline Pack smaller(const Pack& a, const Pack& b) { return a < b ? a : b; }

using IntegerPack = std::int32_t __attribute__((vector_size(kWidth * sizeof(std::int32_t))));
using ShortPack = std::int16_t __attribute__((vector_size(kWidth * sizeof(std::int16_t))));
using BytePack = std::uint8_t __attribute__((vector_size(kWidth)));

inline Pack load(const std::uint8_t* values) {
    BytePack pack;
    std::memcpy(&pack, values, sizeof pack);
    return __builtin_convertvector(__builtin_convertvector(pack, IntegerPack), Pack);
}

// Integral values that fit, as narrow integers.
inline void store(const Pack& pack, std::int16_t* to) {
    const ShortPack narrow = __builtin_convertvector(__builtin_convertvector(pack, IntegerPack), ShortPack);
    std::memcpy(to, &narrow, sizeof narrow);
}

inline void store(const Pack& pack, std::uint8_t* to) {
    const BytePack narrow = __builtin_convertvector(__builtin_convertvector(pack, IntegerPack), BytePack);
    std::memcpy(to, &narrow, sizeof narrow);
}

#else

struct Pack {
    double lane[kWidth] = {};
    Pack& operator+=(const Pack& other) {
        for (std::size_t l = 0; l < kWidth; ++l) lane[l] += other.lane[l];
        return *this;
    }
    friend Pack operator+(Pack a, const Pack& b) { return a += b; }
    friend Pack operator-(Pack a, const Pack& b) {
        for (std::size_t l = 0; l < kWidth; ++l) a.lane[l] -= b.lane[l];
        return a;
    }
    friend Pack operator*(Pack a, const Pack& b) {
        for (std::size_t l = 0; l < kWidth; ++l) a.lane[l] *= b.lane[l];
        return a;
    }
};

inline Pack all(double value) {
    Pack pack;
    for (double& lane : pack.lane) lane = value;
    return pack;
}

inline Pack larger(Pack a, const Pack& b) {
    for (std::size_t l = 0; l < kWidth; ++l) a.lane[l] = a.lane[l] > b.lane[l] ? a.lane[l] : b.lane[l];
    return a;
}

inline Pack smaller(Pack a, const Pack& b) {
    for (std::size_t l = 0; l < kWidth; ++l) a.lane[l] = a.lane[l] < b.lane[l] ? a.lane[l] : b.lane[l];
    return a;
}

template <class Integer>
inline void store(const Pack& pack, Integer* to) {
    for (std::size_t l = 0; l < kWidth; ++l) to[l] = static_cast<Integer>(static_cast<std::int32_t>(pack.lane[l]));
}

template <class Value>
inline Pack load(const Value* values) {
    Pack pack;
    for (std::size_t l = 0; l < kWidth; ++l) pack.lane[l] = static_cast<double>(values[l]);
    return pack;
}

#endif

constexpr std::size_t kPacks = kLanes / kWidth;

// Folds one pack in halves.
template <class Fold>
double folded(const Pack& pack, Fold fold) {
    double lane[kWidth];
    std::memcpy(lane, &pack, sizeof lane);
    for (std::size_t half = kWidth / 2; half > 0; half /= 2)
        for (std::size_t l = 0; l < half; ++l) lane[l] = fold(lane[l], lane[l + half]);
    return lane[0];
}

inline double total(const Pack& pack) {
    return folded(pack, [](double a, double b) { return a + b; });
}

inline double largest(const Pack& pack) {
    return folded(pack, [](double a, double b) { return a > b ? a : b; });
}

// Folds the lanes in halves: 16 -> 8 -> 4 -> 2 -> 1.
inline double fold(const Pack* lanes) {
    Pack packs[kPacks];
    for (std::size_t p = 0; p < kPacks; ++p) packs[p] = lanes[p];
    for (std::size_t half = kPacks / 2; half > 0; half /= 2)
        for (std::size_t p = 0; p < half; ++p) packs[p] += packs[p + half];
    return total(packs[0]);
}

// w . x for one row and one plane, of at least kLanes features; the tail is as views.hpp says.
template <class Value>
inline double dot(const Value* x, const double* w, const double* tail, std::size_t features) {
    Pack sums[kPacks];
    for (std::size_t p = 0; p < kPacks; ++p) sums[p] = Pack{};
    std::size_t j = 0;
    for (; j + kLanes <= features; j += kLanes)
        for (std::size_t p = 0; p < kPacks; ++p) sums[p] += load(x + j + p * kWidth) * load(w + j + p * kWidth);
    if (j < features) {
        const Value* last = x + features - kLanes;
        for (std::size_t p = 0; p < kPacks; ++p) sums[p] += load(last + p * kWidth) * load(tail + p * kWidth);
    }
    return fold(sums);
}

template <class Value>
inline double dot(const Value* x, const double* w, std::size_t features) {
    return dot(x, w, tail_of(w, features), features);
}

// out[r * Planes + c] = w_c . x_r for a few rows and planes at once: a value that was loaded serves several sums.
// `Together` packs of each sum are accumulated in one sweep, so that all of them stay in registers; a narrow instruction
// set sweeps more often. Each lane adds up the same products in the same order, however the sweeps are cut.
template <std::size_t RowCount, std::size_t Planes, std::size_t Together, class Value>
void tile(const Value* const* x, const double* w, std::size_t stride, std::size_t features, double* out) {
    Pack lanes[RowCount][Planes][kPacks];
    for (std::size_t first = 0; first < kPacks; first += Together) {
        Pack sums[RowCount][Planes][Together] = {};
        const auto take = [&](std::size_t at, const double* weights, std::size_t weights_stride) {
            for (std::size_t p = 0; p < Together; ++p) {
                const std::size_t offset = (first + p) * kWidth;
                Pack values[RowCount];
                for (std::size_t r = 0; r < RowCount; ++r) values[r] = load(x[r] + at + offset);
                for (std::size_t c = 0; c < Planes; ++c) {
                    const Pack weight = load(weights + c * weights_stride + offset);
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
