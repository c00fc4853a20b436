// Interleaved dense rows: value k of `width` rows is stored in `width` adjacent doubles, so that a register holds the same
// feature of several rows.
//
// Guarantee: values are widened to double exactly; missing rows of the last group are zero.
#pragma once

#include "simd/simd_register.hpp"

namespace rosenblatt::ROSENBLATT_ISA {

#if defined(__AVX__)
inline __m256d load_four(const double* values) { return _mm256_loadu_pd(values); }
inline __m256d load_four(const float* values) { return _mm256_cvtps_pd(_mm_loadu_ps(values)); }

// Four features of four rows, transposed.
template <class Value>
ROSENBLATT_INLINE void transpose_square(const Value* from, std::ptrdiff_t stride, std::size_t width, double* to) {
    const __m256d a = load_four(from), b = load_four(from + stride);
    const __m256d c = load_four(from + 2 * stride), d = load_four(from + 3 * stride);
    const __m256d ab_even = _mm256_unpacklo_pd(a, b), ab_odd = _mm256_unpackhi_pd(a, b);
    const __m256d cd_even = _mm256_unpacklo_pd(c, d), cd_odd = _mm256_unpackhi_pd(c, d);
    _mm256_storeu_pd(to, _mm256_permute2f128_pd(ab_even, cd_even, 0x20));
    _mm256_storeu_pd(to + width, _mm256_permute2f128_pd(ab_odd, cd_odd, 0x20));
    _mm256_storeu_pd(to + 2 * width, _mm256_permute2f128_pd(ab_even, cd_even, 0x31));
    _mm256_storeu_pd(to + 3 * width, _mm256_permute2f128_pd(ab_odd, cd_odd, 0x31));
}
#else
template <class Value>
void transpose_square(const Value* from, std::ptrdiff_t stride, std::size_t width, double* to) {
    for (std::size_t j = 0; j < 4; ++j)
        for (std::size_t r = 0; r < 4; ++r)
            to[j * width + r] = static_cast<double>(from[static_cast<std::ptrdiff_t>(r) * stride + j]);
}
#endif

template <class Value>
void interleave_group(const Value* first, std::ptrdiff_t stride, std::size_t rows, std::size_t features,
                      std::size_t width, double* to) {
    const std::size_t squares = rows / 4 * 4;
    const auto row = [&](std::size_t r) { return first + static_cast<std::ptrdiff_t>(r) * stride; };
    std::size_t k = 0;
    for (; k + 4 <= features; k += 4)
        for (std::size_t r = 0; r < squares; r += 4) transpose_square(row(r) + k, stride, width, to + k * width + r);
    for (; k < features; ++k)
        for (std::size_t r = 0; r < squares; ++r) to[k * width + r] = static_cast<double>(row(r)[k]);
    for (std::size_t r = squares; r < width; ++r)
        for (std::size_t j = 0; j < features; ++j)
            to[j * width + r] = r < rows ? static_cast<double>(row(r)[j]) : 0.0;
}

inline void interleave(const RowsView& view, std::size_t begin, std::size_t end, std::size_t width, double* to) {
    const auto all_groups = [&]<class Value>(const Value* values) {
        for (std::size_t i = begin; i < end; i += width, to += width * view.features)
            interleave_group(values + static_cast<std::ptrdiff_t>(i) * view.stride, view.stride,
                             end - i < width ? end - i : width, view.features, width, to);
    };
    if (view.storage == Storage::dense32)
        all_groups(static_cast<const float*>(view.values));
    else
        all_groups(static_cast<const double*>(view.values));
}

// x . x of every row of a group, in the order in which x . x' is summed.
inline void squared_norms(const double* group, std::size_t width, std::size_t features, double* out) {
    std::size_t r = 0;
    for (; r + kWidth <= width; r += kWidth) {
        Register sum{};
        for (std::size_t k = 0; k < features; ++k) {
            const Register values = load(group + k * width + r);
            sum += values * values;
        }
        put(sum, out + r);
    }
    for (; r < width; ++r) {
        double sum = 0;
        for (std::size_t k = 0; k < features; ++k) sum += group[k * width + r] * group[k * width + r];
        out[r] = sum;
    }
}

}  // namespace rosenblatt::ROSENBLATT_ISA
