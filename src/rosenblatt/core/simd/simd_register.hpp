// A register of doubles of the instruction set, and lane-wise operations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "rows/views.hpp"

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

using Register = double __attribute__((vector_size(kWidth * sizeof(double))));
using FloatRegister = float __attribute__((vector_size(kWidth * sizeof(float))));

inline Register load(const double* values) {
    Register pack;
    std::memcpy(&pack, values, sizeof pack);
    return pack;
}

inline Register load(const float* values) {
    // GCC 12 splits __builtin_convertvector to 64 bytes into halves; the intrinsics are one instruction. Without a mask
    // they cause warnings in a header of GCC 12.
#if defined(__AVX512F__)
    return _mm512_maskz_cvtps_pd(0xFF, _mm256_loadu_ps(values));
#elif defined(__AVX__)
    return _mm256_cvtps_pd(_mm_loadu_ps(values));
#else
    FloatRegister pack;
    std::memcpy(&pack, values, sizeof pack);
    return __builtin_convertvector(pack, Register);
#endif
}

inline void put(const Register& pack, double* to) { std::memcpy(to, &pack, sizeof pack); }

inline Register all(double value) { return value - Register{}; }

// GCC 12 moves a register through memory if a lane is indexed; the intrinsics do not.
inline double first_lane(Register pack) {
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

inline Register larger(const Register& a, const Register& b) { return a > b ? a : b; }
inline Register smaller(const Register& a, const Register& b) { return a < b ? a : b; }

// As many lanes in single precision: half of the work, where the precision suffices.
inline FloatRegister load_floats(const float* values) {
    FloatRegister pack;
    std::memcpy(&pack, values, sizeof pack);
    return pack;
}

inline Register widened(const FloatRegister& pack) {
#if defined(__AVX512F__)
    return _mm512_maskz_cvtps_pd(0xFF, pack);
#else
    return __builtin_convertvector(pack, Register);
#endif
}

inline FloatRegister narrowed(const Register& pack) {
#if defined(__AVX512F__)
    return _mm512_maskz_cvtpd_ps(0xFF, pack);
#else
    return __builtin_convertvector(pack, FloatRegister);
#endif
}

inline FloatRegister all_floats(float value) { return value - FloatRegister{}; }
inline FloatRegister larger(const FloatRegister& a, const FloatRegister& b) { return a > b ? a : b; }
inline FloatRegister smaller(const FloatRegister& a, const FloatRegister& b) { return a < b ? a : b; }

// Rounds to the nearest integer, for magnitudes below 2^22: above 1.5 * 2^23, floats have no fraction.
inline FloatRegister nearest(const FloatRegister& values) {
    const FloatRegister shift = all_floats(12582912.0f);
    return (values + shift) - shift;
}

using IntegerPack = std::int32_t __attribute__((vector_size(kWidth * sizeof(std::int32_t))));
using ShortPack = std::int16_t __attribute__((vector_size(kWidth * sizeof(std::int16_t))));
using BytePack = std::uint8_t __attribute__((vector_size(kWidth)));

inline Register load(const std::uint8_t* values) {
    BytePack pack;
    std::memcpy(&pack, values, sizeof pack);
    return __builtin_convertvector(__builtin_convertvector(pack, IntegerPack), Register);
}

inline Register load(const std::int32_t* values) {
#if defined(__AVX512F__)
    return _mm512_maskz_cvtepi32_pd(0xFF, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(values)));
#else
    IntegerPack pack;
    std::memcpy(&pack, values, sizeof pack);
    return __builtin_convertvector(pack, Register);
#endif
}

// Stores integral values as narrow integers, which they must fit.
inline void store(const FloatRegister& pack, std::int16_t* to) {
    const ShortPack narrow = __builtin_convertvector(__builtin_convertvector(pack, IntegerPack), ShortPack);
    std::memcpy(to, &narrow, sizeof narrow);
}

inline void store(const FloatRegister& pack, std::uint8_t* to) {
    const BytePack narrow = __builtin_convertvector(__builtin_convertvector(pack, IntegerPack), BytePack);
    std::memcpy(to, &narrow, sizeof narrow);
}

#else

struct Register {
    double lane[kWidth] = {};
    Register& operator+=(const Register& other) {
        for (std::size_t l = 0; l < kWidth; ++l) lane[l] += other.lane[l];
        return *this;
    }
    friend Register operator+(Register a, const Register& b) { return a += b; }
    friend Register operator-(Register a, const Register& b) {
        for (std::size_t l = 0; l < kWidth; ++l) a.lane[l] -= b.lane[l];
        return a;
    }
    friend Register operator*(Register a, const Register& b) {
        for (std::size_t l = 0; l < kWidth; ++l) a.lane[l] *= b.lane[l];
        return a;
    }
    friend Register operator/(Register a, const Register& b) {
        for (std::size_t l = 0; l < kWidth; ++l) a.lane[l] /= b.lane[l];
        return a;
    }
};

inline Register all(double value) {
    Register pack;
    for (double& lane : pack.lane) lane = value;
    return pack;
}

inline double first_lane(const Register& pack) { return pack.lane[0]; }

inline Register larger(Register a, const Register& b) {
    for (std::size_t l = 0; l < kWidth; ++l) a.lane[l] = a.lane[l] > b.lane[l] ? a.lane[l] : b.lane[l];
    return a;
}

inline Register smaller(Register a, const Register& b) {
    for (std::size_t l = 0; l < kWidth; ++l) a.lane[l] = a.lane[l] < b.lane[l] ? a.lane[l] : b.lane[l];
    return a;
}

inline void put(const Register& pack, double* to) {
    for (std::size_t l = 0; l < kWidth; ++l) to[l] = pack.lane[l];
}

using FloatRegister = Register;
inline FloatRegister all_floats(float value) { return all(value); }
inline FloatRegister narrowed(const Register& pack) { return pack; }
inline Register widened(const FloatRegister& pack) { return pack; }

inline FloatRegister nearest(FloatRegister values) {
    for (double& lane : values.lane) lane = (lane + 6755399441055744.0) - 6755399441055744.0;
    return values;
}

template <class Integer>
inline void store(const Register& pack, Integer* to) {
    for (std::size_t l = 0; l < kWidth; ++l) to[l] = static_cast<Integer>(static_cast<std::int32_t>(pack.lane[l]));
}

template <class Value>
inline Register load(const Value* values) {
    Register pack;
    for (std::size_t l = 0; l < kWidth; ++l) pack.lane[l] = static_cast<double>(values[l]);
    return pack;
}

inline FloatRegister load_floats(const float* values) { return load(values); }

#endif

}  // namespace rosenblatt::ROSENBLATT_ISA
