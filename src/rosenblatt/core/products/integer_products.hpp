// Exact inner products of rows of small integers: 16-bit values, 32-bit sums, several times as fast as floating point. The
// caller ensures that all sums fit 32 bits, and that rows are padded with zeros to kIntegerPad.
#pragma once

#include "simd/integer_register.hpp"

namespace rosenblatt::ROSENBLATT_ISA {

// The number of sums that fit the registers.
constexpr std::size_t kTileRows = kWords == 32 ? 4 : 2;
constexpr std::size_t kTileColumns = 4;

// out[r * stride + c] = a_r . b_c for a few rows of each at once, so that a loaded value is used for several sums.
template <std::size_t Rows, std::size_t Columns>
void integer_tile(const std::int16_t* a, const std::int16_t* b, std::size_t width, double* out, std::size_t stride) {
    Words sums[Rows][Columns] = {};
    for (std::size_t j = 0; j < width; j += kWords) {
        Words left[Rows];
        for (std::size_t r = 0; r < Rows; ++r) left[r] = load_words(a + r * width + j);
        for (std::size_t c = 0; c < Columns; ++c) {
            const Words right = load_words(b + c * width + j);
            for (std::size_t r = 0; r < Rows; ++r) sums[r][c] = multiply_add(sums[r][c], left[r], right);
        }
    }
    for (std::size_t r = 0; r < Rows; ++r) {
        std::int32_t found[Columns];
        sums_of<Columns>(sums[r], found);
        for (std::size_t c = 0; c < Columns; ++c) out[r * stride + c] = found[c];
    }
}

// out (rows x columns) = a b^T. A panel of b stays in the second-level cache and is multiplied with all rows of a.
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
