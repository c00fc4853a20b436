// The largest magnitude of an array, in one pass at the speed of memory, NaN and infinity included.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "rows/views.hpp"

namespace rosenblatt::ROSENBLATT_ISA {

template <class Value>
struct BitsOf;
template <>
struct BitsOf<float> {
    using type = std::int32_t;
    static constexpr type kMagnitude = 0x7FFFFFFF;
};
template <>
struct BitsOf<double> {
    using type = std::int64_t;
    static constexpr type kMagnitude = 0x7FFFFFFFFFFFFFFF;
};

// Floats without their signs are ordered like their bits, with infinity and NaN at the top. A maximum of integers, unlike
// one of floats, may be taken in any order, so the compiler vectorises it.
template <class Value>
double largest_of_rows(const RowsView& view, std::size_t rows, std::size_t columns) {
    using Bits = typename BitsOf<Value>::type;
    const auto* values = static_cast<const Value*>(view.values);
    const bool gapless = view.stride == static_cast<std::ptrdiff_t>(columns);
    const std::size_t sweeps = gapless ? 1 : rows;
    const std::size_t count = gapless ? rows * columns : columns;
    Bits largest = 0;
    for (std::size_t i = 0; i < sweeps; ++i) {
        const Value* row = values + static_cast<std::ptrdiff_t>(i) * view.stride;
        for (std::size_t k = 0; k < count; ++k) {
            Bits bits;
            std::memcpy(&bits, row + k, sizeof bits);
            bits &= BitsOf<Value>::kMagnitude;
            largest = bits > largest ? bits : largest;
        }
    }
    Value found;
    std::memcpy(&found, &largest, sizeof found);
    return static_cast<double>(found);
}

}  // namespace rosenblatt::ROSENBLATT_ISA
