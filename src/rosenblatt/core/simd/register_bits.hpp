// Operations on single lanes of a register: comparison masks, selection, and bits of floats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "simd/simd_register.hpp"

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#endif

namespace rosenblatt::ROSENBLATT_ISA {

// The same register with zeros in the lanes below `first`.
inline Register from_lane(std::size_t first, const Register& pack) {
#if defined(__AVX512F__)
    return _mm512_maskz_mov_pd(static_cast<__mmask8>(0xFFu << first), pack);
#else
    double lane[kWidth];
    put(pack, lane);
    for (std::size_t l = 0; l < kWidth; ++l) lane[l] = l < first ? 0.0 : lane[l];
    return load(lane);
#endif
}

// A bit for each lane in which a does not exceed b; a lane with NaN is set.
inline unsigned not_above(const Register& a, const Register& b) {
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

// A bit for each lane in which a and b have the same bits.
inline unsigned same_bits(const Register& a, const Register& b) {
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
inline Register chosen(unsigned bits, const Register& low, const Register& high) {
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

// The change in lanes where the score is negative; elsewhere -0, which is the identity of addition, also for zeros.
inline Register if_negative(const Register& score, const Register& change) {
#if defined(__AVX512F__)
    const __m512i negative = _mm512_maskz_srai_epi64(0xFF, _mm512_castpd_si512(score), 63);
    const __m512i nothing = _mm512_castpd_si512(all(-0.0));
    return _mm512_castsi512_pd(_mm512_ternarylogic_epi64(negative, _mm512_castpd_si512(change), nothing, 0xCA));
#elif defined(__GNUC__)
    return score < Register{} ? change : all(-0.0);
#else
    double scores[kWidth], changes[kWidth];
    put(score, scores);
    put(change, changes);
    for (std::size_t l = 0; l < kWidth; ++l) changes[l] = scores[l] < 0 ? changes[l] : -0.0;
    return load(changes);
#endif
}

// The bits of each lane as an integer, changed by `change`.
template <class Change>
ROSENBLATT_INLINE Register with_bits(const Register& pack, Change change) {
#if defined(__GNUC__)
    using Bits = std::uint64_t __attribute__((vector_size(sizeof(Register))));
    return reinterpret_cast<Register>(change(reinterpret_cast<Bits>(pack)));
#else
    double lane[kWidth];
    put(pack, lane);
    for (double& value : lane) {
        std::uint64_t bits;
        std::memcpy(&bits, &value, sizeof bits);
        bits = change(bits);
        std::memcpy(&value, &bits, sizeof bits);
    }
    return load(lane);
#endif
}

inline Register magnitude(const Register& pack) {
    return with_bits(pack, [](auto bits) { return bits & ~(std::uint64_t{1} << 63); });
}

// +1 or -1, by the sign bit.
inline Register signs(const Register& pack) {
    return with_bits(pack, [](auto bits) { return (bits & (std::uint64_t{1} << 63)) | (std::uint64_t{1023} << 52); });
}

// The index of the lowest set bit of a nonzero word.
inline unsigned lowest_bit(std::uint64_t bits) {
#if defined(_MSC_VER) && !defined(__clang__)
    unsigned long place;
    _BitScanForward64(&place, bits);
    return place;
#else
    return static_cast<unsigned>(__builtin_ctzll(bits));
#endif
}

}  // namespace rosenblatt::ROSENBLATT_ISA
