// Inner products of rows of small integers, exactly: 16-bit values, 32-bit sums, several times the rate of floating
// point. The caller sees to it that no sum can leave 32 bits, and that rows are padded with zeros to kIntegerPad.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "views.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace rosenblatt::ROSENBLATT_ISA {

#if defined(__AVX512BW__)
constexpr std::size_t kTileRows = 4;
using Words = __m512i;
inline Words load_words(const std::int16_t* values) { return _mm512_loadu_si512(values); }
inline Words multiply_add(Words sums, Words a, Words b) { return _mm512_add_epi32(sums, _mm512_madd_epi16(a, b)); }
#elif defined(__AVX2__)
constexpr std::size_t kTileRows = 2;
using Words = __m256i;
inline Words load_words(const std::int16_t* values) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(values));
}
inline Words multiply_add(Words sums, Words a, Words b) { return _mm256_add_epi32(sums, _mm256_madd_epi16(a, b)); }
#elif defined(__SSE2__)
constexpr std::size_t kTileRows = 2;
using Words = __m128i;
inline Words load_words(const std::int16_t* values) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(values)); }
inline Words multiply_add(Words sums, Words a, Words b) { return _mm_add_epi32(sums, _mm_madd_epi16(a, b)); }
#else
constexpr std::size_t kTileRows = 2;
struct Words {
    std::int32_t lane[8] = {};
};
inline Words load_words(const std::int16_t* values) {
    Words words;
    for (std::size_t l = 0; l < 8; ++l) words.lane[l] = values[l];
    return words;
}
inline Words multiply_add(Words sums, const Words& a, const Words& b) {
    for (std::size_t l = 0; l < 8; ++l) sums.lane[l] += a.lane[l] * b.lane[l];
    return sums;
}
#endif

constexpr std::size_t kTileColumns = 4;

#if defined(__SSE2__)

// Four lanes with the same sum.
inline __m128i folded(__m128i words) { return words; }
#if defined(__AVX2__)
inline __m128i folded(__m256i words) {
    return _mm_add_epi32(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
}
#endif
#if defined(__AVX512BW__)
inline __m128i folded(__m512i words) {
    __m256i halves[2];
    std::memcpy(halves, &words, sizeof halves);  // the intrinsics warn in GCC 12's own header
    return folded(_mm256_add_epi32(halves[0], halves[1]));
}
#endif

template <std::size_t Columns>
void store_sums(const Words* words, double* out) {
    const __m128i zero = _mm_setzero_si128();
    const __m128i a = folded(words[0]);
    const __m128i b = Columns > 1 ? folded(words[Columns > 1 ? 1 : 0]) : zero;
    const __m128i c = Columns > 2 ? folded(words[Columns > 2 ? 2 : 0]) : zero;
    const __m128i d = Columns > 3 ? folded(words[Columns > 3 ? 3 : 0]) : zero;
    const __m128i ab = _mm_add_epi32(_mm_unpacklo_epi32(a, b), _mm_unpackhi_epi32(a, b));
    const __m128i cd = _mm_add_epi32(_mm_unpacklo_epi32(c, d), _mm_unpackhi_epi32(c, d));
    const __m128i sums = _mm_add_epi32(_mm_unpacklo_epi64(ab, cd), _mm_unpackhi_epi64(ab, cd));
    std::int32_t lanes[4];
    std::memcpy(lanes, &sums, sizeof lanes);
    for (std::size_t k = 0; k < Columns; ++k) out[k] = static_cast<double>(lanes[k]);
}

#else

template <std::size_t Columns>
void store_sums(const Words* words, double* out) {
    for (std::size_t k = 0; k < Columns; ++k) {
        std::int32_t sum = 0;
        for (const std::int32_t lane : words[k].lane) sum += lane;
        out[k] = static_cast<double>(sum);
    }
}

#endif

// out[r * stride + c] = a_r . b_c for a few rows of each at once: a value that was loaded serves several sums.
template <std::size_t Rows, std::size_t Columns>
void integer_tile(const std::int16_t* a, const std::int16_t* b, std::size_t width, double* out, std::size_t stride) {
#if defined(__SSE2__)
    constexpr std::size_t step = sizeof(Words) / sizeof(std::int16_t);
#else
    constexpr std::size_t step = 8;
#endif
    Words sums[Rows][Columns] = {};
    for (std::size_t j = 0; j < width; j += step) {
        Words left[Rows];
        for (std::size_t r = 0; r < Rows; ++r) left[r] = load_words(a + r * width + j);
        for (std::size_t c = 0; c < Columns; ++c) {
            const Words right = load_words(b + c * width + j);
            for (std::size_t r = 0; r < Rows; ++r) sums[r][c] = multiply_add(sums[r][c], left[r], right);
        }
    }
    for (std::size_t r = 0; r < Rows; ++r) store_sums<Columns>(sums[r], out + r * stride);
}

// out (rows x columns) = a b^T. A panel of b that stays in the second-level cache meets all rows of a.
inline void integer_products(const std::int16_t* a, std::size_t rows, const std::int16_t* b, std::size_t columns,
                             std::size_t width, double* out, std::size_t stride) {
    const std::size_t panel = (65536 / (width + 1) + 1) * kTileColumns;
    for (std::size_t first = 0; first < columns; first += panel) {
        const std::size_t last = columns - first < panel ? columns : first + panel;
        std::size_t r = 0;
        for (; r + kTileRows <= rows; r += kTileRows) {
            std::size_t c = first;
            for (; c + kTileColumns <= last; c += kTileColumns)
                integer_tile<kTileRows, kTileColumns>(a + r * width, b + c * width, width, out + r * stride + c, stride);
            for (; c < last; ++c)
                integer_tile<kTileRows, 1>(a + r * width, b + c * width, width, out + r * stride + c, stride);
        }
        for (; r < rows; ++r)
            for (std::size_t c = first; c < last; ++c)
                integer_tile<1, 1>(a + r * width, b + c * width, width, out + r * stride + c, stride);
    }
}

}  // namespace rosenblatt::ROSENBLATT_ISA
