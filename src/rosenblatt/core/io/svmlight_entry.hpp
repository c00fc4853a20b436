// An entry `index:value` of svmlight text as most of them are written: up to eight digits, a colon, perhaps a minus, up
// to eight digits, perhaps a point and up to eight more, then a blank or the end of the line, all within 32 bytes.
// The ends of all parts are found at once by comparing all bytes, so the next entry does not depend on these numbers.
//
// Any other entry is left to `read_index` and `read_decimal`, which give the same result where both apply.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "io/decimal.hpp"
#include "rows/views.hpp"

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

// Classes of the bytes, one bit per byte.
struct Marks {
    std::uint32_t no_digits, minuses, points;
};

inline Marks marks_of_16(const char* p) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i plain = _mm_sub_epi8(bytes, _mm_set1_epi8('0'));  // digits become 0 ... 9, all other bytes are larger
    const auto bits = [](__m128i found) { return static_cast<std::uint32_t>(_mm_movemask_epi8(found)); };
    return {bits(_mm_cmpeq_epi8(_mm_max_epu8(plain, _mm_set1_epi8(10)), plain)),
            bits(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('-'))), bits(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('.')))};
}

inline Marks marks_of_32(const char* p) {
    const Marks low = marks_of_16(p), high = marks_of_16(p + 16);
    return {low.no_digits | high.no_digits << 16, low.minuses | high.minuses << 16, low.points | high.points << 16};
}

inline std::uint32_t lowest(std::uint32_t bits) { return bits & (0 - bits); }

// The parts of an entry, one bit at the position of each; 0 if the part is missing.
struct Parts {
    std::uint32_t colon, minus, point, end;

    explicit Parts(const Marks& marks) {
        std::uint32_t ends = marks.no_digits;
        colon = lowest(ends);  // if it is a colon
        minus = colon << 1 & marks.minuses;
        ends ^= colon | minus;
        point = lowest(ends) & marks.points;
        end = lowest(ends ^ point);
    }
};

}  // namespace detail

// Reads the entry at p, where at least kUsualEntry bytes may be read; false if it is not of the usual form.
// Always inlined: otherwise the end of this entry would go through memory, and the next entry depends on it.
ROSENBLATT_INLINE bool read_usual_entry(const char* p, Entry& entry) {
    detail::Parts parts(detail::marks_of_16(p));
    if (parts.end == 0) parts = detail::Parts(detail::marks_of_32(p));
    if (parts.end == 0) return false;
    const int index_digits = std::countr_zero(parts.colon);
    const int begin = index_digits + 1 + (parts.minus != 0);
    const int end = std::countr_zero(parts.end);
    const int point = parts.point ? std::countr_zero(parts.point) : end;
    const int fraction_digits = parts.point ? end - point - 1 : 0;
    const auto up_to_eight = [](int digits) { return static_cast<unsigned>(digits - 1) < 8; };
    if (p[index_digits] != ':' || !up_to_eight(index_digits) || !up_to_eight(point - begin)) return false;
    if (p[end] != ' ' && p[end] != '\n') return false;
    std::uint64_t mantissa;
    if (!parts.point) {
        mantissa = digits_value(p + begin, end - begin);
    } else if (!up_to_eight(fraction_digits)) {
        return false;
    } else if (end - begin <= 8) {  // fits into one word: remove the point
        std::uint64_t bytes;
        std::memcpy(&bytes, p + begin, 8);
        const std::uint64_t before = (std::uint64_t{1} << 8 * (point - begin)) - 1;
        mantissa = digits_value((bytes & before) | (bytes >> 8 & ~before), end - begin - 1);
    } else {
        mantissa = digits_value(p + begin, point - begin) * kSmallPowersOfTen[fraction_digits] +
                   digits_value(p + point + 1, fraction_digits);
        if (mantissa > kExactIntegers) return false;
    }
    entry.index = static_cast<std::int64_t>(digits_value(p, index_digits));
    const double value = static_cast<double>(mantissa) / detail::kPowersOfTen[fraction_digits];
    entry.value = parts.minus ? -value : value;
    entry.end = p + end;
    return true;
}

inline constexpr std::ptrdiff_t kUsualEntry = 40;  // digits are read eight bytes at a time

#else

inline bool read_usual_entry(const char*, Entry&) { return false; }
inline constexpr std::ptrdiff_t kUsualEntry = 0;

#endif

}  // namespace rosenblatt
