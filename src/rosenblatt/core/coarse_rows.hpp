// Writing coarse rows, rounding planes, and their dot products, for one instruction set (shadow.hpp says what they are).
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "integer_words.hpp"
#include "lanes.hpp"
#include "shadow.hpp"
#include "views.hpp"

namespace rosenblatt::ROSENBLATT_ISA {

#if defined(__GNUC__)
inline double square_root(double value) { return __builtin_sqrt(value); }
#else
inline double square_root(double value) { return sqrt(value); }
#endif

// Rounds to the nearest integer, for magnitudes below 2^51: above 1.5 * 2^52, doubles have no fraction.
inline Pack nearest(const Pack& values) {
    const Pack shift = all(6755399441055744.0);
    return (values + shift) - shift;
}

constexpr double kUnit = 1.0 / (1ull << 53);  // relative rounding of a double
// How much coarser than it must be a plane may become before it is rounded anew.
constexpr double kCoarsest = 4;
constexpr double kLargestScale = 1e300;
constexpr double kUp = 1.0 + 1.0 / (1 << 20);  // more than any of the sums here can lose

// The upper half of a float that is no smaller than the value: positive floats are ordered as their bits are.
inline std::uint16_t upper_half(double value) {
    const auto narrow = static_cast<float>(value);
    std::uint32_t bits;
    std::memcpy(&bits, &narrow, sizeof bits);
    return static_cast<std::uint16_t>((bits >> 16) + 1);
}

inline float from_upper_half(std::uint16_t half) {
    const std::uint32_t bits = std::uint32_t{half} << 16;
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

inline CoarseTail tail_of_codes(const std::uint8_t* codes, std::size_t stride) {
    CoarseTail tail;
    std::memcpy(&tail, codes + stride - sizeof tail, sizeof tail);
    return tail;
}

template <class Value>
void write_coarse_rows(const Value* x, std::ptrdiff_t x_stride, std::size_t features,
                       const std::int32_t* labels, std::size_t count, std::uint8_t* codes, Shadow& shadow) {
    const double* low = shadow.low;
    const double* per_width = shadow.per_width;
    const double* centre = shadow.centre;
    const std::size_t stride = shadow.stride;
    double longest = shadow.longest * shadow.longest;
    for (std::size_t i = 0; i < count; ++i, x += x_stride, codes += stride) {
        Pack rest{}, squares{}, away{}, length{};
        const auto take = [&](const Value* values, std::size_t j) {
            const Pack value = load(values);
            const Pack exact = (value - load(low + j)) * load(per_width + j);
            const Pack code = nearest(smaller(larger(exact, all(0.0)), all(255.0)));
            store(code, codes + j);
            rest += (exact - code) * (exact - code);
            squares += code * code;
            const Pack distance = code - load(centre + j);
            away += distance * distance;
            length += value * value;
        };
        std::size_t j = 0;
        for (; j + kWidth <= features; j += kWidth) take(x + j, j);
        // The last block overlaps the one before: what is counted twice makes the lengths longer, which does no harm.
        if (j < features) take(x + features - kWidth, features - kWidth);
        const double codes_length = square_root(total(squares));
        const double rest_length = square_root(total(rest));
        // `exact` is off by a few units of its own, and the narrow floats by less than kUp.
        const double slack = 8 * kUnit * (codes_length + rest_length);
        const CoarseTail tail{
            static_cast<float>((rest_length + slack) * kUp), upper_half(square_root(total(away)) * kUp),
            labels[i] < kFarLabel ? static_cast<std::uint16_t>(labels[i]) : kFarLabel};
        std::memcpy(codes + stride - sizeof tail, &tail, sizeof tail);
        const double squared = total(length);
        longest = squared <= longest ? longest : squared;  // NaN too, which makes every example doubtful
    }
    shadow.longest = square_root(longest) * kUp;
}

// The second bytes of example i, which has just been read: an eighth of its memory, to be read in its place next time.
template <class Value>
void write_fine_row(const Value* x, std::size_t features, const Shadow& shadow, std::size_t i) {
    std::uint8_t* codes = shadow.rows + i * shadow.stride;
    std::uint8_t* fine = shadow.fine + i * shadow.stride;
    CoarseTail tail = tail_of_codes(codes, shadow.stride);
    if (tail.label & kHasFine) return;
    Pack rest{};
    const auto take = [&](const Value* values, std::size_t j) {
        const Pack exact = (load(values) - load(shadow.low + j)) * load(shadow.per_width + j);
        const Pack left = exact - load(codes + j);
        const Pack second = nearest(smaller(larger(left * all(256.0) + all(128.0), all(0.0)), all(255.0)));
        store(second, fine + j);
        const Pack missing = left - (second - all(128.0)) * all(1.0 / 256);
        rest += missing * missing;
    };
    std::size_t j = 0;
    for (; j + kWidth <= features; j += kWidth) take(x + j, j);
    if (j < features) take(x + features - kWidth, features - kWidth);
    for (j = features; j < shadow.stride; ++j) fine[j] = 0;
    // `exact` is off by a few units of its own, and no code is longer than 255.
    const double slack = 8 * kUnit * 256 * square_root(static_cast<double>(features));
    const auto length = static_cast<float>((square_root(total(rest)) + slack) * kUp);
    std::memcpy(fine + shadow.stride - sizeof length, &length, sizeof length);
    tail.label |= kHasFine;
    std::memcpy(codes + shadow.stride - sizeof tail, &tail, sizeof tail);
}

// Rounds plane c to 16 bits, so coarsely that no dot product leaves 32 bits: the largest weight is no more than the
// length of all, and their sum no more than that times the root of their number. The scale is kept from one time to the
// next while it fits, so that one sweep does.
inline void round_plane(const Shadow& shadow, const Weights& weights, std::size_t c, std::size_t features) {
    const double* w = weights.data + c * weights.stride;
    const double* width = shadow.width;
    const double* low = shadow.low;
    const double* centre = shadow.centre;
    const std::size_t whole = (features + 7) / 8 * 8;  // weights and widths are zero past the last feature
    std::int16_t* rounded = shadow.rounded + c * shadow.stride;
    CoarsePlane& plane = shadow.planes[c];
    double scale = plane.scale;
    double norm = 0;
    Pack lengths, shift, sum;
    for (;;) {
        Pack squares{};
        lengths = shift = sum = Pack{};
        const Pack per_scale = all(scale > 0 ? 1 / scale : 0), scales = all(scale);
        for (std::size_t j = 0; j < whole; j += kWidth) {
            const Pack weight = load(w + j);
            const Pack value = weight * load(width + j);
            squares += value * value;
            lengths += weight * weight;
            const Pack whole_part = nearest(smaller(larger(value * per_scale, all(-32767.0)), all(32767.0)));
            store(whole_part, rounded + j);
            sum += whole_part;
            shift += weight * load(low + j) + (value - whole_part * scales) * load(centre + j);
        }
        norm = square_root(total(squares)) * kUp;
        const double finest = norm * shadow.finest;
        // A length that is zero, infinite or NaN needs no scale: where it is not zero, every example is doubtful.
        if ((finest <= scale && scale <= kCoarsest * finest) || !(finest > 0 && finest <= kLargestScale)) break;
        scale = finest * kCoarsest / 2;
    }
    const double offset = weights.offsets[c];
    plane.scale = scale;
    plane.constant = total(shift) + offset;
    plane.half = total(sum) / 2;
    plane.norm = norm;
    plane.lost = scale * shadow.lost;
    // Of the constant above, of the scaled dot product, and of the sum in lanes that decides where the example is read
    // in full. No row of codes is longer than 256 times the root of their number.
    const double codes = 256 * square_root(static_cast<double>(features));
    plane.rounding = kUnit * static_cast<double>(features + 64) *
                         (square_root(total(lengths)) * (shadow.low_length + shadow.longest) * kUp +
                          8 * norm * codes + 2 * (offset < 0 ? -offset : offset)) +
                     1e-290;
}

// dots[r * Planes + p] = codes_r . rounded_p, in integers, without overflow.
template <std::size_t Rows, std::size_t Planes>
inline void coarse_dots(const std::uint8_t* const* codes, const std::int16_t* rounded, std::size_t stride,
                        std::int32_t* dots) {
    constexpr std::size_t kAll = Rows * Planes;
    Words sums[kAll] = {};
    for (std::size_t j = 0; j < stride; j += kWords) {
        Words weights[Planes];
        for (std::size_t p = 0; p < Planes; ++p) weights[p] = load_words(rounded + p * stride + j);
        for (std::size_t r = 0; r < Rows; ++r) {
            const Words values = load_words(codes[r] + j);
            for (std::size_t p = 0; p < Planes; ++p)
                sums[r * Planes + p] = multiply_add(sums[r * Planes + p], values, weights[p]);
        }
    }
    constexpr std::size_t kTogether = kAll < 4 ? kAll : 4;
    for (std::size_t k = 0; k < kAll; k += kTogether) sums_of<kTogether>(sums + k, dots + k);
}

}  // namespace rosenblatt::ROSENBLATT_ISA
