// Encodes rows, quantizes weights, and computes their integer dot products (quantized_view.hpp defines them).
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "accelerate/quantized/quantized_view.hpp"
#include "rows/views.hpp"
#include "simd/integer_register.hpp"
#include "simd/ordered_sum.hpp"

namespace rosenblatt::ROSENBLATT_ISA {

#if defined(__GNUC__)
inline double square_root(double value) { return __builtin_sqrt(value); }
#else
inline double square_root(double value) { return sqrt(value); }
#endif

constexpr double kUnit = 1.0 / (1ull << 53);  // relative rounding of a double
constexpr double kFloatUnit = 1.0 / (1 << 24);  // and of a float
// The scale of the weights may exceed the finest one by this factor before it is chosen again.
constexpr double kCoarsest = 4;
constexpr double kLargestScale = 1e300;
constexpr double kUp = 1.0 + 1.0 / (1 << 20);  // more than any of the sums here can lose

// The upper half of a float that is not smaller than the value; positive floats are ordered like their bits.
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

inline CodeTrailer trailer_of(const std::uint8_t* codes, std::size_t stride) {
    CodeTrailer tail;
    std::memcpy(&tail, codes + stride - sizeof tail, sizeof tail);
    return tail;
}

// The trailers of several rows, a lane each; `sign` is y for the class that is +1.
struct Trailers {
    Register along;
    Register rest;
    Register codes;
    Register sign;
};

// `label` looks up the label of a row whose trailer does not hold it.
template <class Label>
ROSENBLATT_INLINE Trailers trailers_of(const std::uint8_t* const* codes, std::size_t stride, std::int32_t positive,
                                       Label label) {
#if defined(__GNUC__)
    using Longs = std::uint64_t __attribute__((vector_size(kWidth * sizeof(std::uint64_t))));
    using Halves = std::uint32_t __attribute__((vector_size(kWidth * sizeof(std::uint32_t))));
    static_assert(sizeof(CodeTrailer) == sizeof(float) + sizeof(std::uint64_t));
    Longs tails{};
    FloatRegister along{};
    for (std::size_t l = 0; l < kWidth; ++l) {
        std::uint64_t tail;
        float projection;
        std::memcpy(&tail, codes[l] + stride - sizeof tail, sizeof tail);
        std::memcpy(&projection, codes[l] + stride - sizeof tail - sizeof projection, sizeof projection);
        tails[l] = tail;
        along[l] = projection;
    }
    const auto as_floats = [](const Longs& low) { return widened((FloatRegister)__builtin_convertvector(low, Halves)); };
    Longs labels = tails >> 48;
    for (std::size_t l = 0; l < kWidth; ++l)
        if (labels[l] == kLongLabel) labels[l] = static_cast<std::uint64_t>(label(l));
    const auto is_positive = labels == static_cast<std::uint64_t>(positive) - Longs{};
    return {widened(along), as_floats(tails), as_floats(tails >> 16 & 0xFFFF0000), is_positive ? all(1.0) : all(-1.0)};
#else
    double along[kWidth], rest[kWidth], away[kWidth], sign[kWidth];
    for (std::size_t l = 0; l < kWidth; ++l) {
        const CodeTrailer tail = trailer_of(codes[l], stride);
        along[l] = tail.along;
        rest[l] = tail.rest;
        away[l] = from_upper_half(tail.codes);
        sign[l] = sign_of((tail.label < kLongLabel ? tail.label : label(l)) == positive);
    }
    return {load(along), load(rest), load(away), load(sign)};
#endif
}

template <class Value>
void encode_dense_rows(const Value* x, std::ptrdiff_t x_stride, std::size_t features,
                       const std::int32_t* labels, std::size_t count, std::uint8_t* codes, QuantizedView& view) {
    const double* low = view.low;
    const double* per_width = view.per_width;
    const float* centre = view.centre;
    const float* reference = view.reference;
    const std::size_t stride = view.stride;
    // The last block of a row overlaps the one before. Counting values twice makes a length larger, which keeps it a bound;
    // the projection must count once.
    float last_reference[kWidth];
    const std::size_t complete = features / kWidth * kWidth;
    for (std::size_t l = 0, j = features - kWidth; l < kWidth; ++l, ++j) last_reference[l] = j < complete ? 0 : reference[j];
    // `up` covers the rounding of a sum of squares in single precision; `slack` that of a value before it is encoded.
    const double up = 1 + static_cast<double>(features + 64) * kFloatUnit;
    const double codes_length = 256 * square_root(static_cast<double>(features));
    for (std::size_t i = 0; i < count; ++i, x += x_stride, codes += stride) {
        FloatRegister along{}, rest{}, away{};
        const auto take = [&](const Value* values, std::size_t j, const float* direction) {
            const FloatRegister exact = narrowed((load(values) - load(low + j)) * load(per_width + j));
            const FloatRegister code = nearest(smaller(larger(exact, all_floats(0)), all_floats(255)));
            store(code, codes + j);
            const FloatRegister left = exact - code;
            along += left * load_floats(direction);
            rest += left * left;
            const FloatRegister distance = code - load_floats(centre + j);
            away += distance * distance;
        };
        std::size_t j = 0;
        for (; j < complete; j += kWidth) take(x + j, j, reference + j);
        if (j < features) take(x + features - kWidth, features - kWidth, last_reference);
        const double found = square_root(total(widened(rest))) * up;
        const double slack = 2 * kFloatUnit * (found + codes_length);
        const double rest_length = (found + slack) * kUp;
        const CodeTrailer tail{static_cast<float>(total(widened(along))), static_cast<float>(rest_length * kUp),
                              upper_half(square_root(total(widened(away))) * up * kUp),
                              labels[i] < kLongLabel ? static_cast<std::uint16_t>(labels[i]) : kLongLabel};
        std::memcpy(codes + stride - sizeof tail, &tail, sizeof tail);
        // An example whose residual is NaN or infinite is always undecided, and its length is not used.
        const double length = view.low_length + view.width_length * 256 + view.widest * rest_length;
        if (rest_length <= kLargestScale && !(length <= view.longest)) view.longest = length;
    }
}

// Rounds the weights of problem c to 16 bits, at a scale at which no dot product leaves 32 bits: the largest weight is at
// most the length of the vector, and the sum of magnitudes at most that times the square root of the number of features. The
// scale is kept from call to call while it fits, so that one sweep over the weights is enough.
inline void quantize_plane(const QuantizedView& view, const Weights& weights, std::size_t c, std::size_t features) {
    const double* w = weights.data + c * weights.stride;
    const double* width = view.width;
    const double* low = view.low;
    const float* centre = view.centre;
    const float* reference = view.reference;
    const std::size_t whole = (features + 7) / 8 * 8;  // weights and widths are zero past the last feature
    const QuantizedPlanes& planes = view.planes;
    std::int16_t* rounded = planes.weights + c * view.stride;
    double scale = planes.scale[c];
    double norm = 0;
    Register lengths, shift, parallel;
    FloatRegister lost;  // rounding error at the centre of the codes
    for (;;) {
        Register squares{};
        lengths = shift = parallel = Register{};
        lost = FloatRegister{};
        const Register per_scale = all(scale > 0 ? 1 / scale : 0);
        for (std::size_t j = 0; j < whole; j += kWidth) {
            const Register weight = load(w + j);
            const Register value = weight * load(width + j);
            squares += value * value;
            lengths += weight * weight;
            shift += weight * load(low + j);
            parallel += value * load(reference + j);
            const FloatRegister exact =
                smaller(larger(narrowed(value * per_scale), all_floats(-32767)), all_floats(32767));
            const FloatRegister whole_part = nearest(exact);
            store(whole_part, rounded + j);
            lost += (exact - whole_part) * load_floats(centre + j);
        }
        norm = square_root(total(squares)) * kUp;
        const double finest = norm * view.finest;
        // A length of zero, infinity or NaN needs no scale: unless it is zero, every example is undecided.
        if ((finest <= scale && scale <= kCoarsest * finest) || !(finest > 0 && finest <= kLargestScale)) break;
        scale = finest * kCoarsest / 2;
    }
    const double offset = weights.offsets[c];
    planes.scale[c] = scale;
    planes.constant[c] = total(shift) + scale * total(widened(lost)) + offset;
    planes.norm[c] = norm;
    planes.lost[c] = scale * view.lost;
    const double count = static_cast<double>(features + 64);
    // |v - a g|^2 = |v|^2 - a^2 (2 - |g|^2) for a = v . g, plus its rounding in double precision. The projection of a residual
    // is uncertain by the rounding of its sum in single precision and of the values before encoding (`slack` above).
    const double a = total(parallel), magnitude = a < 0 ? -a : a;
    const double squared = norm * norm * (1 + 8 * kUnit * count) - a * a * (2 - view.reference_squared);
    planes.parallel[c] = a;
    planes.orthogonal[c] = square_root(squared > 0 ? squared : 0) * kUp + 4 * magnitude * count * kFloatUnit;
    // Rounding in double precision: of `constant`, of the scaled dot product, and of the full score that decides otherwise. No
    // row of codes is longer than 256 times the square root of the number of features.
    const double codes = 256 * square_root(static_cast<double>(features));
    const double doubles = kUnit * count *
                           (square_root(total(lengths)) * (view.low_length + view.longest) * kUp + 8 * norm * codes +
                            2 * (offset < 0 ? -offset : offset));
    // Rounding in single precision: of the error at the centre, whose terms reach 32767 scales, of their sum, and of the
    // projections.
    const double floats = (scale * view.centre_total * (32768 + count) + 4 * magnitude * codes) * kFloatUnit;
    planes.rounding[c] = doubles + floats * kUp + 1e-290;
}

// dots[r * Apart + p] = codes_r . rounded_p, in integers, without overflow.
template <std::size_t Rows, std::size_t Planes, std::size_t Apart = Planes>
ROSENBLATT_INLINE void code_dots(const std::uint8_t* const* codes, const std::int16_t* rounded, std::size_t stride,
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
    constexpr std::size_t kNext = Apart == 1 ? Rows : Planes;  // to each other
    constexpr std::size_t kTogether = kNext < 4 ? kNext : 4;
    for (std::size_t k = 0; k < kAll; k += kTogether)
        sums_of<kTogether>(sums + k, dots + k / Planes * Apart + k % Planes);
}

}  // namespace rosenblatt::ROSENBLATT_ISA
