// Parses a decimal number, correctly rounded, at the front of a text that ends in '\n'.
//
// Up to 15 or so digits and a small power of ten need no more than one exact product or quotient of doubles (Clinger
// 1990); all other numbers go to std::from_chars. Neither depends on the locale.
#pragma once

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <system_error>

#if defined(_LIBCPP_VERSION) && !defined(ROSENBLATT_STRTOD)
#define ROSENBLATT_STRTOD
#endif
#if defined(ROSENBLATT_STRTOD)
#include <stdlib.h>
#if defined(__APPLE__)
#include <xlocale.h>
#else
#include <locale.h>
#endif
#endif

namespace rosenblatt {

struct Decimal {
    const char* end;  // one past the number; null if there is no finite number
    double value;
};

inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

constexpr std::uint64_t kSmallPowersOfTen[] = {1,       10,        100,        1'000,      10'000,
                                               100'000, 1'000'000, 10'000'000, 100'000'000};

// Every integer up to this one is a double.
constexpr std::uint64_t kExactIntegers = std::uint64_t{1} << 53;

// The value of `count` digits, 1 ... 8, in the lowest bytes of a word, by three multiplications.
inline std::uint64_t digits_value(std::uint64_t bytes, int count) {
    bytes <<= 64 - 8 * count;  // leading zeros
    bytes &= 0x0F0F0F0F0F0F0F0F;
    bytes = ((bytes * (10 * 256 + 1)) >> 8) & 0x00FF00FF00FF00FF;
    bytes = ((bytes * (100 * 65536 + 1)) >> 16) & 0x0000FFFF0000FFFF;
    return (bytes * (10000 * 4294967296 + 1)) >> 32;
}

// The same for the digits at p, where eight bytes may be read, on a little-endian machine.
inline std::uint64_t digits_value(const char* p, int count) {
    std::uint64_t bytes;
    std::memcpy(&bytes, p, 8);
    return digits_value(bytes, count);
}

// Appends the digits at p to `number` and returns their end. Beyond 19 digits the number wraps around.
//
// Reads eight bytes at a time: first finds which of them are digits, then their value. The number of digits varies from field
// to field, and a loop over digits would mispredict its end in every other field.
inline const char* read_digits(const char* p, const char* end, std::uint64_t& number) {
    if constexpr (std::endian::native == std::endian::little) {
        while (end - p >= 8) {
            std::uint64_t bytes;
            std::memcpy(&bytes, p, 8);
            const std::uint64_t plain = bytes ^ 0x3030303030303030;  // digits are now 0 ... 9
            // The lowest marked byte is the first non-digit; a carry can only change marks above it.
            const std::uint64_t others = (plain | (plain + 0x7676767676767676)) & 0x8080808080808080;
            const int count = std::countr_zero(others) / 8;
            if (count == 0) return p;
            number = number * kSmallPowersOfTen[count] + digits_value(bytes, count);
            p += count;
            if (count < 8) return p;
        }
    }
    while (is_digit(*p)) number = 10 * number + static_cast<std::uint64_t>(*p++ - '0');
    return p;
}

namespace detail {

constexpr double kPowersOfTen[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// The end of the characters of a number. from_chars gets no more than these: it would also read "inf".
inline const char* end_of_number(const char* p) {
    while (is_digit(*p) || *p == '.') ++p;
    if (*p == 'e' || *p == 'E') {
        const char* q = p + 1;
        if (*q == '+' || *q == '-') ++q;
        if (is_digit(*q)) {
            while (is_digit(*q)) ++q;
            p = q;
        }
    }
    return p;
}

// Whether a number out of range is too small, rather than too large: the sign of its power of ten.
inline bool is_tiny(const char* p, const char* end) {
    std::int64_t exponent = 0;
    bool point = false, seen = false;
    for (; p < end && *p != 'e' && *p != 'E'; ++p) {
        if (*p == '.') {
            point = true;
        } else {
            seen = seen || *p != '0';
            if (seen && !point) ++exponent;
            if (!seen && point) --exponent;
        }
    }
    if (p < end) {
        ++p;
        const bool negative = *p == '-';
        if (*p == '-' || *p == '+') ++p;
        std::int64_t written = 0;
        for (; p < end; ++p)
            if (written < (std::int64_t{1} << 60) / 10) written = 10 * written + (*p - '0');
        exponent += negative ? -written : written;
    }
    return exponent < 0;
}

#if defined(ROSENBLATT_STRTOD)

// Apple's libc++ has from_chars for doubles since macOS 26 only. strtod rounds correctly too, and gets the C locale.
inline std::from_chars_result from_chars(const char* digits, const char* end, double& value) {
    static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
    const std::string text(digits, end);
    char* stop = nullptr;
    value = strtod_l(text.c_str(), &stop, plain);
    if (stop == text.c_str()) return {digits, std::errc::invalid_argument};
    const bool is_zero = text.find_first_of("123456789") >= text.find_first_of("eE");
    const bool in_range = std::isfinite(value) && (value != 0 || is_zero);
    return {digits + (stop - text.c_str()), in_range ? std::errc() : std::errc::result_out_of_range};
}

#else

using std::from_chars;

#endif

inline Decimal parse_slowly(const char* digits, bool negative) {
    const char* end = end_of_number(digits);
    double value = 0;
    const auto [stop, error] = from_chars(digits, end, value);
    if (error == std::errc::result_out_of_range && is_tiny(digits, end)) return {end, negative ? -0.0 : 0.0};
    if (error != std::errc() || stop != end || !std::isfinite(value)) return {nullptr, 0};
    return {end, negative ? -value : value};
}

}  // namespace detail

// `end` is one past the '\n' that ends the text: nothing beyond it is read.
inline Decimal read_decimal(const char* p, const char* end) {
    const bool negative = *p == '-';
    if (*p == '-' || *p == '+') ++p;
    const char* const digits = p;
    std::uint64_t mantissa = 0;
    while (is_digit(*p)) mantissa = 10 * mantissa + static_cast<std::uint64_t>(*p++ - '0');
    std::int64_t count = p - digits;
    std::int64_t exponent = 0;
    if (*p == '.') {
        const char* const fraction = ++p;
        p = read_digits(p, end, mantissa);
        exponent = fraction - p;
        count += p - fraction;
    }
    if (count == 0) return {nullptr, 0};
    if (*p == 'e' || *p == 'E') {
        const char* q = p + 1;
        const bool down = *q == '-';
        if (*q == '-' || *q == '+') ++q;
        if (!is_digit(*q)) return {nullptr, 0};
        std::int64_t written = 0;
        const char* const first = q;
        while (is_digit(*q)) written = 10 * (written % 100'000) + (*q++ - '0');
        if (q - first > 5) return detail::parse_slowly(digits, negative);
        exponent += down ? -written : written;
        p = q;
    }
    // 19 digits do not overflow the mantissa; above 2^53 it is not exact as a double.
    if (count > 19 || mantissa > kExactIntegers || exponent < -22 || exponent > 22)
        return detail::parse_slowly(digits, negative);
    const auto whole = static_cast<double>(mantissa);
    const double value =
        exponent < 0 ? whole / detail::kPowersOfTen[-exponent] : whole * detail::kPowersOfTen[exponent];
    return {p, negative ? -value : value};
}

}  // namespace rosenblatt
