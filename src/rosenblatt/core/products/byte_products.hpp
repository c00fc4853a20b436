// Exact inner products of rows of bytes with VNNI instructions, which multiply and add 64 bytes at a time.
//
// They multiply unsigned by signed bytes, so one side is shifted down by 128: a . b =
// (a - 128) . b + 128 * sum of b. The caller ensures that 128 times a sum fits 32 bits, and that rows are padded with
// zeros to kIntegerPad.
#pragma once

#include "products/integer_products.hpp"
#include "products/product_kernels.hpp"

namespace rosenblatt::ROSENBLATT_ISA {

#if defined(__AVX512VNNI__)

// out[r * stride + c] = shifted_r . b_c + moved[c]
template <std::size_t Rows, std::size_t Columns>
void byte_tile(const std::int8_t* shifted, const std::uint8_t* b, std::size_t width, const std::int32_t* moved,
               double* out, std::size_t stride) {
    __m512i sums[Rows][Columns];
    for (std::size_t r = 0; r < Rows; ++r)
        for (std::size_t c = 0; c < Columns; ++c) sums[r][c] = _mm512_setzero_si512();
    for (std::size_t j = 0; j < width; j += 64) {
        __m512i left[Rows];
        for (std::size_t r = 0; r < Rows; ++r) left[r] = _mm512_loadu_si512(shifted + r * width + j);
        for (std::size_t c = 0; c < Columns; ++c) {
            const __m512i right = _mm512_loadu_si512(b + c * width + j);
            for (std::size_t r = 0; r < Rows; ++r) sums[r][c] = _mm512_dpbusd_epi32(sums[r][c], right, left[r]);
        }
    }
    for (std::size_t r = 0; r < Rows; ++r) {
        std::int32_t found[Columns];
        sums_of<Columns>(sums[r], found);
        for (std::size_t c = 0; c < Columns; ++c) out[r * stride + c] = found[c] + moved[c];
    }
}

template <std::size_t Rows>
void byte_rows(const std::uint8_t* a, const std::uint8_t* b, std::size_t columns, std::size_t width,
               std::int8_t* shifted, const std::int32_t* moved, double* out, std::size_t stride) {
    for (std::size_t k = 0; k < Rows * width; ++k) shifted[k] = static_cast<std::int8_t>(a[k] - 128);
    std::size_t c = 0;
    for (; c + kTileColumns <= columns; c += kTileColumns)
        byte_tile<Rows, kTileColumns>(shifted, b + c * width, width, moved + c, out + c, stride);
    for (; c < columns; ++c) byte_tile<Rows, 1>(shifted, b + c * width, width, moved + c, out + c, stride);
}

// out (rows x columns) = a b^T. A panel of b stays in the second-level cache and is multiplied with all rows of a.
inline void byte_products(const std::uint8_t* a, std::size_t rows, const std::uint8_t* b, std::size_t columns,
                          std::size_t width, const ByteRoom& room, double* out, std::size_t stride) {
    std::int8_t* shifted = room.shifted;
    std::int32_t* moved = room.moved;
    const std::size_t panel = room.panel;
    for (std::size_t first = 0; first < columns; first += panel) {
        const std::size_t count = columns - first < panel ? columns - first : panel;
        const std::uint8_t* rows_of_panel = b + first * width;
        for (std::size_t c = 0; c < count; ++c) {
            std::int32_t sum = 0;
            for (std::size_t j = 0; j < width; ++j) sum += rows_of_panel[c * width + j];
            moved[c] = 128 * sum;
        }
        std::size_t r = 0;
        for (; r + kByteRows <= rows; r += kByteRows)
            byte_rows<kByteRows>(a + r * width, rows_of_panel, count, width, shifted, moved, out + r * stride + first, stride);
        for (; r < rows; ++r)
            byte_rows<1>(a + r * width, rows_of_panel, count, width, shifted, moved, out + r * stride + first, stride);
    }
}

#endif

}  // namespace rosenblatt::ROSENBLATT_ISA
