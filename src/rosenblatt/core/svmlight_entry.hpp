// An entry `index:value` of svmlight text as most of them are written: up to eight digits, a colon, perhaps a minus, up
// to eight digits, perhaps a point and up to eight more, then a blank or the end of the line, all within 32 bytes.
// Where each part ends is found at once, by comparing all bytes: the next entry need not wait for the numbers of this.
//
// Any other entry is left to `read_index` and `read_decimal`, which give the same where both can read it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "decimal.hpp"

#if defined(__SSE2__) || defined(_M_X64)
#define ROSENBLATT_QUICK_ENTRIES
#include <emmintrin.h>
#endif

namespace rosenblatt {

struct Entry {
    std::int64_t index;
    double value;
    const char* end;
};

#if defined(ROSENBLATT_QUICK_ENTRIES)

namespace detail {

// Which of 32 bytes are equal to `wanted`, one bit each.
inline std::uint32_t equal_bytes(__m128i low, __m128i high, char wanted) {
    const __m128i all = _mm_set1_epi8(wanted);
    const auto first = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(low, all)));
    const auto second = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(high, all)));
    return first | second << 16;
}

inline std::uint32_t no_digits(__m128i low, __m128i high) {
    const __m128i zero = _mm_set1_epi8('0'), ten = _mm_set1_epi8(10);
    low = _mm_sub_epi8(low, zero);  // digits are now 0 ... 9, all else is more, without a sign
    high = _mm_sub_epi8(high, zero);
    const auto first = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_max_epu8(low, ten), low)));
    const auto second = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_max_epu8(high, ten), high)));
    return first | second << 16;
}

inline std::uint32_t lowest(std::uint32_t bits) { return bits & (0 - bits); }

}  // namespace detail

// Reads the entry at p, after which at least 32 bytes are the caller's; false if it is not of the usual form.
inline bool read_usual_entry(const char* p, Entry& entry) {
    const __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 16));
    std::uint32_t ends = detail::no_digits(low, high);
    const std::uint32_t colon = detail::lowest(ends);
    const std::uint32_t minus = colon << 1 & detail::equal_bytes(low, high, '-');
    ends ^= colon | minus;
    const std::uint32_t point = detail::lowest(ends) & detail::equal_bytes(low, high, '.');
    const std::uint32_t end = detail::lowest(ends ^ point);
    if (end == 0) return false;  // longer than 32 bytes
    const int index_digits = std::countr_zero(colon);
    const int whole = index_digits + 1 + (minus != 0);
    const int stop = std::countr_zero(end);
    const int whole_end = point ? std::countr_zero(point) : stop;
    const int whole_digits = whole_end - whole, fraction_digits = point ? stop - whole_end - 1 : 0;
    const auto up_to_eight = [](int digits) { return static_cast<unsigned>(digits - 1) < 8; };
    if (p[index_digits] != ':' || !up_to_eight(index_digits) || !up_to_eight(whole_digits)) return false;
    if (p[stop] != ' ' && p[stop] != '\n') return false;
    std::uint64_t mantissa = digits_value(p + whole, whole_digits);
    if (point) {
        if (!up_to_eight(fraction_digits)) return false;
        mantissa = mantissa * kSmallPowersOfTen[fraction_digits] + digits_value(p + whole_end + 1, fraction_digits);
        if (mantissa > kExactIntegers) return false;
    }
    entry.index = static_cast<std::int64_t>(digits_value(p, index_digits));
    const double value = static_cast<double>(mantissa) / detail::kPowersOfTen[fraction_digits];
    entry.value = minus ? -value : value;
    entry.end = p + stop;
    return true;
}

inline constexpr std::ptrdiff_t kUsualEntry = 40;  // the digits of a number are read eight bytes at a time

#else

inline bool read_usual_entry(const char*, Entry&) { return false; }
inline constexpr std::ptrdiff_t kUsualEntry = 0;

#endif

}  // namespace rosenblatt
