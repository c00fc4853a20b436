// A register of 16-bit integers (Words), or of the 32-bit sums of their products in pairs, for each instruction set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "rows/views.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace rosenblatt::ROSENBLATT_ISA {

#if defined(__AVX512BW__)
using Words = __m512i;
constexpr std::size_t kWords = 32;
inline Words load_words(const std::int16_t* values) { return _mm512_loadu_si512(values); }
inline Words load_words(const std::uint8_t* values) {
    return _mm512_cvtepu8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(values)));
}
#if defined(__AVX512VNNI__)
inline Words multiply_add(Words sums, Words a, Words b) { return _mm512_dpwssd_epi32(sums, a, b); }
#else
inline Words multiply_add(Words sums, Words a, Words b) { return _mm512_add_epi32(sums, _mm512_madd_epi16(a, b)); }
#endif
#elif defined(__AVX2__)
using Words = __m256i;
constexpr std::size_t kWords = 16;
inline Words load_words(const std::int16_t* values) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(values));
}
inline Words load_words(const std::uint8_t* values) {
    return _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(values)));
}
inline Words multiply_add(Words sums, Words a, Words b) { return _mm256_add_epi32(sums, _mm256_madd_epi16(a, b)); }
#elif defined(__SSE2__)
using Words = __m128i;
constexpr std::size_t kWords = 8;
inline Words load_words(const std::int16_t* values) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(values)); }
inline Words load_words(const std::uint8_t* values) {
    return _mm_unpacklo_epi8(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(values)), _mm_setzero_si128());
}
inline Words multiply_add(Words sums, Words a, Words b) { return _mm_add_epi32(sums, _mm_madd_epi16(a, b)); }
#else
constexpr std::size_t kWords = 8;
struct Words {
    std::int32_t lane[kWords] = {};
};
template <class Value>
Words load_words(const Value* values) {
    Words words;
    for (std::size_t l = 0; l < kWords; ++l) words.lane[l] = values[l];
    return words;
}
inline Words multiply_add(Words sums, const Words& a, const Words& b) {
    for (std::size_t l = 0; l < kWords; ++l) sums.lane[l] += a.lane[l] * b.lane[l];
    return sums;
}
#endif

#if defined(__SSE2__)

// Reduces a register to four lanes with the same sum.
inline __m128i folded(__m128i words) { return words; }
#if defined(__AVX2__)
inline __m128i folded(__m256i words) {
    return _mm_add_epi32(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
}
#endif
#if defined(__AVX512BW__)
inline __m128i folded(__m512i words) {
    // The intrinsics without a mask cause warnings in a header of GCC 12.
    return folded(_mm256_add_epi32(_mm512_maskz_extracti64x4_epi64(0xF, words, 0),
                                   _mm512_maskz_extracti64x4_epi64(0xF, words, 1)));
}
#endif

// out[k] = the sum of words[k]
template <std::size_t Count>
ROSENBLATT_INLINE void sums_of(const Words* words, std::int32_t* out) {
    static_assert(Count <= 4);
    const __m128i zero = _mm_setzero_si128();
    const __m128i a = folded(words[0]);
    const __m128i b = Count > 1 ? folded(words[Count > 1 ? 1 : 0]) : zero;
    const __m128i c = Count > 2 ? folded(words[Count > 2 ? 2 : 0]) : zero;
    const __m128i d = Count > 3 ? folded(words[Count > 3 ? 3 : 0]) : zero;
    const __m128i ab = _mm_add_epi32(_mm_unpacklo_epi32(a, b), _mm_unpackhi_epi32(a, b));
    const __m128i cd = _mm_add_epi32(_mm_unpacklo_epi32(c, d), _mm_unpackhi_epi32(c, d));
    const __m128i sums = _mm_add_epi32(_mm_unpacklo_epi64(ab, cd), _mm_unpackhi_epi64(ab, cd));
    std::int32_t lanes[4];
    std::memcpy(lanes, &sums, sizeof lanes);
    for (std::size_t k = 0; k < Count; ++k) out[k] = lanes[k];
}

#else

template <std::size_t Count>
void sums_of(const Words* words, std::int32_t* out) {
    for (std::size_t k = 0; k < Count; ++k) {
        std::int32_t sum = 0;
        for (const std::int32_t lane : words[k].lane) sum += lane;
        out[k] = sum;
    }
}

#endif

}  // namespace rosenblatt::ROSENBLATT_ISA
