// One stretch of float32_argmax.hpp: converts rows to single precision and scores several at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "inference/float32_argmax.hpp"
#include "rows/float32_tile.hpp"
#include "rows/rows.hpp"

namespace rosenblatt::ROSENBLATT_ISA {

#if defined(__GNUC__)

// For each row the class of the largest score if no other is within the error bound, else kUndecidedClass. Without a finite
// norm there is no bound, and the row is undecided.
ROSENBLATT_INLINE IntegerByRow only_largest(float* scores, const Float32Planes& planes, const FloatByRow& squares) {
    FloatByRow most = read<FloatByRow>(scores) + planes.offsets[0];
    for (std::size_t c = 0; c < planes.count; ++c) {
        const FloatByRow score = read<FloatByRow>(scores + c * kFloat32Rows) + planes.offsets[c];
        std::memcpy(scores + c * kFloat32Rows, &score, sizeof score);
        most = score > most ? score : most;
    }
    FloatByRow norm;
    for (std::size_t r = 0; r < kFloat32Rows; ++r) norm[r] = __builtin_sqrtf(squares[r]);
    const FloatByRow bar = most - (norm * planes.per_norm + planes.at_least);
    IntegerByRow near{}, place{};
    for (std::size_t c = 0; c < planes.count; ++c) {
        const IntegerByRow is_near = read<FloatByRow>(scores + c * kFloat32Rows) >= bar;
        near -= is_near;
        place = is_near ? IntegerByRow{} + static_cast<std::int32_t>(c) : place;
    }
    const IntegerByRow certain = (near == 1) & (squares <= std::numeric_limits<float>::max());
    return certain ? place : IntegerByRow{} + kUndecidedClass;
}

// codes[i - begin] for begin <= i < end; `scratch` has float32_room(features, planes.count) and must be zero initially.
template <class Value>
void float32_argmax_pass(const DenseRows<Value>& rows, std::size_t begin, std::size_t end, const Float32Planes& planes,
               float* scratch, std::int32_t* codes) {
    const std::size_t features = rows.features();
    const std::size_t width = float32_width(features);
    float* const scores = scratch + kFloat32Rows * width;
    for (std::size_t i = begin; i < end; i += kFloat32Rows) {
        const std::size_t count = end - i < kFloat32Rows ? end - i : kFloat32Rows;
        const float* x[kFloat32Rows];
        const Value* later[kFloat32Rows];
        for (std::size_t r = 0; r < kFloat32Rows; ++r) {
            x[r] = narrow_row(rows.row(r < count ? i + r : i), features, scratch + r * width);
            later[r] = rows.row(i + kFloat32Ahead + r < end ? i + kFloat32Ahead + r : i);
        }
        FloatByRow squares;
        score_block(planes.count, x, later, planes.w, width, scores, squares);
        const IntegerByRow found = only_largest(scores, planes, squares);
        std::memcpy(codes + (i - begin), &found, count * sizeof(std::int32_t));
    }
}

#else

template <class Value>
void float32_argmax_pass(const DenseRows<Value>&, std::size_t begin, std::size_t end, const Float32Planes&, float*,
               std::int32_t* codes) {
    for (std::size_t i = begin; i < end; ++i) codes[i - begin] = kUndecidedClass;
}

#endif

}  // namespace rosenblatt::ROSENBLATT_ISA
