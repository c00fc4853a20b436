// A register of doubles, as wide as the instruction set has them, and what is computed lane by lane.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "views.hpp"

#if defined(__AVX__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
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
    // GCC 12 splits __builtin_convertvector to 64 bytes into halves; the intrinsics are one instruction. That without a
    // mask warns in its own header.
#if defined(__AVX512F__)
    return _mm512_maskz_cvtps_pd(0xFF, _mm256_loadu_ps(values));
#elif defined(__AVX__)
    return _mm256_cvtps_pd(_mm_loadu_ps(values));
#else
    FloatPack pack;
    std::memcpy(&pack, values, sizeof pack);
    return __builtin_convertvector(pack, Pack);
#endif
}

inline void put(const Pack& pack, double* to) { std::memcpy(to, &pack, sizeof pack); }

inline Pack all(double value) { return value - Pack{}; }

// GCC 12 takes a pack whose element is named through memory; the intrinsics leave it in its register.
inline double first_lane(Pack pack) {
#if defined(__AVX512F__)
    return _mm512_cvtsd_f64(pack);
#elif defined(__AVX__)
    return _mm256_cvtsd_f64(pack);
#elif defined(__SSE2__)
    return _mm_cvtsd_f64(pack);
#else
    return pack[0];
#endif
}

inline Pack larger(const Pack& a, const Pack& b) { return a > b ? a : b; }
inline Pack smaller(const Pack& a, const Pack& b) { return a < b ? a : b; }

// In single precision, where that is enough: as many lanes, and half of the work.
inline FloatPack load_floats(const float* values) {
    FloatPack pack;
    std::memcpy(&pack, values, sizeof pack);
    return pack;
}

inline Pack widened(const FloatPack& pack) {
#if defined(__AVX512F__)
    return _mm512_maskz_cvtps_pd(0xFF, pack);
#else
    return __builtin_convertvector(pack, Pack);
#endif
}

inline FloatPack narrowed(const Pack& pack) {
#if defined(__AVX512F__)
    return _mm512_maskz_cvtpd_ps(0xFF, pack);
#else
    return __builtin_convertvector(pack, FloatPack);
#endif
}

inline FloatPack all_floats(float value) { return value - FloatPack{}; }
inline FloatPack larger(const FloatPack& a, const FloatPack& b) { return a > b ? a : b; }
inline FloatPack smaller(const FloatPack& a, const FloatPack& b) { return a < b ? a : b; }

// Rounds to the nearest integer, for magnitudes below 2^22: above 1.5 * 2^23, floats have no fraction.
inline FloatPack nearest(const FloatPack& values) {
    const FloatPack shift = all_floats(12582912.0f);
    return (values + shift) - shift;
}

using IntegerPack = std::int32_t __attribute__((vector_size(kWidth * sizeof(std::int32_t))));
using ShortPack = std::int16_t __attribute__((vector_size(kWidth * sizeof(std::int16_t))));
using BytePack = std::uint8_t __attribute__((vector_size(kWidth)));

inline Pack load(const std::uint8_t* values) {
    BytePack pack;
    std::memcpy(&pack, values, sizeof pack);
    return __builtin_convertvector(__builtin_convertvector(pack, IntegerPack), Pack);
}

inline Pack load(const std::int32_t* values) {
#if defined(__AVX512F__)
    return _mm512_maskz_cvtepi32_pd(0xFF, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(values)));
#else
    IntegerPack pack;
    std::memcpy(&pack, values, sizeof pack);
    return __builtin_convertvector(pack, Pack);
#endif
}

// Integral values that fit, as narrow integers.
inline void store(const FloatPack& pack, std::int16_t* to) {
    const ShortPack narrow = __builtin_convertvector(__builtin_convertvector(pack, IntegerPack), ShortPack);
    std::memcpy(to, &narrow, sizeof narrow);
}

inline void store(const FloatPack& pack, std::uint8_t* to) {
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
    friend Pack operator/(Pack a, const Pack& b) {
        for (std::size_t l = 0; l < kWidth; ++l) a.lane[l] /= b.lane[l];
        return a;
    }
};

inline Pack all(double value) {
    Pack pack;
    for (double& lane : pack.lane) lane = value;
    return pack;
}

inline double first_lane(const Pack& pack) { return pack.lane[0]; }

inline Pack larger(Pack a, const Pack& b) {
    for (std::size_t l = 0; l < kWidth; ++l) a.lane[l] = a.lane[l] > b.lane[l] ? a.lane[l] : b.lane[l];
    return a;
}

inline Pack smaller(Pack a, const Pack& b) {
    for (std::size_t l = 0; l < kWidth; ++l) a.lane[l] = a.lane[l] < b.lane[l] ? a.lane[l] : b.lane[l];
    return a;
}

inline void put(const Pack& pack, double* to) {
    for (std::size_t l = 0; l < kWidth; ++l) to[l] = pack.lane[l];
}

using FloatPack = Pack;
inline FloatPack all_floats(float value) { return all(value); }
inline FloatPack narrowed(const Pack& pack) { return pack; }
inline Pack widened(const FloatPack& pack) { return pack; }

inline FloatPack nearest(FloatPack values) {
    for (double& lane : values.lane) lane = (lane + 6755399441055744.0) - 6755399441055744.0;
    return values;
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

inline FloatPack load_floats(const float* values) { return load(values); }

#endif

}  // namespace rosenblatt::ROSENBLATT_ISA
