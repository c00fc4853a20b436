// One stretch of sure.hpp: rows are brought to single precision, then scored several at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "rows.hpp"
#include "sure.hpp"

namespace rosenblatt::ROSENBLATT_ISA {

#if defined(__AVX512F__)
constexpr std::size_t kCoarseRows = 8;  // sums that stay in registers
#else
constexpr std::size_t kCoarseRows = 2;
#endif

#if defined(__GNUC__)
using Classes = float __attribute__((vector_size(kClassLanes * sizeof(float))));

ROSENBLATT_INLINE Classes load_classes(const float* values) {
    Classes classes;
    std::memcpy(&classes, values, sizeof classes);
    return classes;
}

// sums + x * weights, fused where the machine can: the bound holds either way.
ROSENBLATT_INLINE Classes add_product(const Classes& sums, float x, const Classes& weights) {
#if defined(__AVX512F__)
    return reinterpret_cast<Classes>(_mm512_fmadd_ps(_mm512_set1_ps(x), (__m512)weights, (__m512)sums));
#else
    return sums + x * weights;
#endif
}

// The row in single precision, and the sum of its squares there. `out` goes on with zeros to a whole register.
template <class Value>
ROSENBLATT_INLINE float narrowed(const Value* x, std::size_t features, float* out) {
    for (std::size_t j = 0; j < features; ++j) out[j] = static_cast<float>(x[j]);
    Classes sums = {};
    for (std::size_t j = 0; j < features; j += kClassLanes) {
        const Classes values = load_classes(out + j);
        sums += values * values;
    }
#if defined(__AVX512F__)
    return _mm512_reduce_add_ps((__m512)sums);
#else
    float sum = 0;
    for (std::size_t l = 0; l < kClassLanes; ++l) sum += sums[l];
    return sum;
#endif
}

// The place of the only score that is not more than `slack` below the largest, or kUnsure.
inline std::int32_t only_largest(const float* scores, std::size_t stride, float slack) {
#if defined(__AVX512F__)
    if (stride == kClassLanes) {
        const __m512 all = _mm512_loadu_ps(scores);
        const __m512 limit = _mm512_set1_ps(_mm512_reduce_max_ps(all) - slack);
        const unsigned near = _mm512_cmp_ps_mask(all, limit, _CMP_GE_OQ);
        return near && !(near & (near - 1)) ? static_cast<std::int32_t>(__builtin_ctz(near)) : kUnsure;
    }
#endif
    float most = scores[0];
    for (std::size_t c = 1; c < stride; ++c) most = scores[c] > most ? scores[c] : most;
    std::int32_t near = 0, place = 0;
    for (std::size_t c = 0; c < stride; ++c) {
        const bool is_near = scores[c] >= most - slack;
        near += is_near;
        place = is_near ? static_cast<std::int32_t>(c) : place;
    }
    return near == 1 ? place : kUnsure;
}

// codes[i - begin] for begin <= i < end; `scratch` has coarse_room(features, stride) and is zero at first.
template <class Value>
void sure_pass(const DenseRows<Value>& rows, std::size_t begin, std::size_t end, const CoarsePlanes& planes,
               float* scratch, std::int32_t* codes) {
    const std::size_t features = rows.features();
    const std::size_t width = coarse_width(features);
    float* scores = scratch + kCoarseRows * width;
    for (std::size_t i = begin; i < end; i += kCoarseRows) {
        const std::size_t count = end - i < kCoarseRows ? end - i : kCoarseRows;
        float squares[kCoarseRows] = {};
        for (std::size_t r = 0; r < count; ++r) squares[r] = narrowed(rows.row(i + r), features, scratch + r * width);
        // The next rows come while these are scored, line by line.
        const char* next = reinterpret_cast<const char*>(rows.row(i + count));
        for (std::size_t c = 0; c < planes.stride; c += kClassLanes) {
            Classes sums[kCoarseRows] = {};
            for (std::size_t j = 0; j < features; ++j) {
                ROSENBLATT_PREFETCH(next + j * kCoarseRows * sizeof(Value));
                const Classes weights = load_classes(planes.w + j * planes.stride + c);
                for (std::size_t r = 0; r < kCoarseRows; ++r)
                    sums[r] = add_product(sums[r], scratch[r * width + j], weights);
            }
            const Classes offsets = load_classes(planes.offsets + c);
            for (std::size_t r = 0; r < kCoarseRows; ++r) {
                const Classes total = sums[r] + offsets;
                std::memcpy(scores + r * planes.stride + c, &total, sizeof total);
            }
        }
        for (std::size_t r = 0; r < count; ++r) {
            // A norm that is NaN or infinite leaves no score alone at the top.
            const float slack = planes.per_norm * __builtin_sqrtf(squares[r]) + planes.at_least;
            codes[i - begin + r] = only_largest(scores + r * planes.stride, planes.stride, slack);
        }
    }
}
#else
template <class Value>
void sure_pass(const DenseRows<Value>&, std::size_t begin, std::size_t end, const CoarsePlanes&, float*,
               std::int32_t* codes) {
    for (std::size_t i = begin; i < end; ++i) codes[i - begin] = kUnsure;
}
#endif

}  // namespace rosenblatt::ROSENBLATT_ISA
