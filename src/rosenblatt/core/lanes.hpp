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
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif
#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
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

constexpr std::size_t kPacks = kLanes / kWidth;

// The same pack with zeros in the lanes below `first`.
inline Pack from_lane(std::size_t first, const Pack& pack) {
#if defined(__AVX512F__)
    return _mm512_maskz_mov_pd(static_cast<__mmask8>(0xFFu << first), pack);
#else
    double lane[kWidth];
    put(pack, lane);
    for (std::size_t l = 0; l < kWidth; ++l) lane[l] = l < first ? 0.0 : lane[l];
    return load(lane);
#endif
}

// A bit for each lane in which a does not exceed b; NaN exceeds nothing.
inline unsigned not_above(const Pack& a, const Pack& b) {
#if defined(__AVX512F__)
    return _mm512_cmp_pd_mask(a, b, _CMP_NGT_UQ);
#elif defined(__AVX__)
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_NGT_UQ)));
#elif defined(__SSE2__) && defined(__GNUC__)
    return static_cast<unsigned>(_mm_movemask_pd(_mm_cmpngt_pd(a, b)));
#else
    double left[kWidth], right[kWidth];
    put(a, left);
    put(b, right);
    unsigned bits = 0;
    for (std::size_t l = 0; l < kWidth; ++l) bits |= unsigned{!(left[l] > right[l])} << l;
    return bits;
#endif
}

inline std::uint64_t sign_bit(double value) {
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits >> 63;
}

inline bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

// A bit for each lane in which a and b are the same, bit for bit.
inline unsigned same_bits(const Pack& a, const Pack& b) {
#if defined(__AVX512F__)
    return _mm512_cmpeq_epi64_mask(_mm512_castpd_si512(a), _mm512_castpd_si512(b));
#elif defined(__AVX2__)
    const __m256i same = _mm256_cmpeq_epi64(_mm256_castpd_si256(a), _mm256_castpd_si256(b));
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(same)));
#else
    double left[kWidth], right[kWidth];
    put(a, left);
    put(b, right);
    unsigned bits = 0;
    for (std::size_t l = 0; l < kWidth; ++l) bits |= unsigned{same_bits(left[l], right[l])} << l;
    return bits;
#endif
}

// `high` in the lanes whose bit is set, else `low`.
inline Pack chosen(unsigned bits, const Pack& low, const Pack& high) {
#if defined(__AVX512F__)
    return _mm512_mask_mov_pd(low, static_cast<__mmask8>(bits), high);
#elif defined(__AVX2__)
    const __m256i places = _mm256_setr_epi64x(1, 2, 4, 8);
    const __m256i set = _mm256_and_si256(_mm256_set1_epi64x(bits), places);
    return _mm256_blendv_pd(low, high, _mm256_castsi256_pd(_mm256_cmpeq_epi64(set, places)));
#else
    double left[kWidth], right[kWidth];
    put(low, left);
    put(high, right);
    for (std::size_t l = 0; l < kWidth; ++l) left[l] = bits >> l & 1u ? right[l] : left[l];
    return load(left);
#endif
}

// The change where the score is below zero; elsewhere -0, which added to a number leaves it as it is, zeros included.
inline Pack if_negative(const Pack& score, const Pack& change) {
#if defined(__AVX512F__)
    const __m512i negative = _mm512_maskz_srai_epi64(0xFF, _mm512_castpd_si512(score), 63);
    const __m512i nothing = _mm512_castpd_si512(all(-0.0));
    return _mm512_castsi512_pd(_mm512_ternarylogic_epi64(negative, _mm512_castpd_si512(change), nothing, 0xCA));
#elif defined(__GNUC__)
    return score < Pack{} ? change : all(-0.0);
#else
    double scores[kWidth], changes[kWidth];
    put(score, scores);
    put(change, changes);
    for (std::size_t l = 0; l < kWidth; ++l) changes[l] = scores[l] < 0 ? changes[l] : -0.0;
    return load(changes);
#endif
}

// The place of the lowest bit of a word that is not zero.
inline unsigned lowest_bit(std::uint64_t bits) {
#if defined(_MSC_VER) && !defined(__clang__)
    unsigned long place;
    _BitScanForward64(&place, bits);
    return place;
#else
    return static_cast<unsigned>(__builtin_ctzll(bits));
#endif
}

// Folds one pack in halves.
template <class Fold>
double folded(const Pack& pack, Fold fold) {
    double lane[kWidth];
    std::memcpy(lane, &pack, sizeof lane);
    for (std::size_t half = kWidth / 2; half > 0; half /= 2)
        for (std::size_t l = 0; l < half; ++l) lane[l] = fold(lane[l], lane[l + half]);
    return lane[0];
}

#if defined(__SSE2__) && defined(__GNUC__)
// In registers: every score ends with this sum, and a way through memory would be as long as the rest of it.
inline double total_of(__m128d two) { return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two))); }
#if defined(__AVX__)
inline double total_of(__m256d four) {
    return total_of(_mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1)));
}
#endif
#if defined(__AVX512F__)
inline double total_of(__m512d eight) {
    // The intrinsics without a mask warn in GCC 12's own header.
    return total_of(_mm256_add_pd(_mm512_maskz_extractf64x4_pd(0xF, eight, 0),
                                  _mm512_maskz_extractf64x4_pd(0xF, eight, 1)));
}
#endif
inline double total(const Pack& pack) { return total_of(pack); }
#else
inline double total(const Pack& pack) {
    return folded(pack, [](double a, double b) { return a + b; });
}
#endif

inline double largest(const Pack& pack) {
    return folded(pack, [](double a, double b) { return a > b ? a : b; });
}

// Folds the lanes in halves: 16 -> 8 -> 4 -> 2 -> 1. In place, for a call would take the sums through memory.
ROSENBLATT_INLINE double fold(const Pack* lanes) {
    Pack packs[kPacks];
    ROSENBLATT_UNROLL
    for (std::size_t p = 0; p < kPacks; ++p) packs[p] = lanes[p];
    for (std::size_t half = kPacks / 2; half > 0; half /= 2)
        for (std::size_t p = 0; p < half; ++p) packs[p] += packs[p + half];
    return total(packs[0]);
}

// w . x for one row and one plane, of at least kLanes features; the tail is as views.hpp says.
template <class Value>
ROSENBLATT_INLINE double dot(const Value* x, const double* w, const double* tail, std::size_t features) {
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
ROSENBLATT_INLINE double dot(const Value* x, const double* w, std::size_t features) {
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
