// The functions for kernel values k(x, x') that are compiled once per instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rows/views.hpp"

namespace rosenblatt {

// A kernel of inner products or of distances, with its parameters:
//   linear     x . x'
//   polynomial (gamma x . x' + coef0)^degree
//   gaussian   exp(-gamma |x - x'|^2)
//   laplacian  exp(-gamma |x - x'|_1)
//   sigmoid    tanh(gamma x . x' + coef0)
struct KernelFunction {
    enum class Name : std::uint8_t { linear, polynomial, gaussian, laplacian, sigmoid };
    Name name;
    double gamma;
    double coef0;
    std::uint64_t degree;

    bool takes_products() const { return name != Name::laplacian; }
    bool takes_squared_norms() const { return name == Name::gaussian; }
};

// Inner products, or distances for the Laplacian kernel, of a block of rows with a block of columns, and the
// output for the kernel values. `out` may be `from`.
struct ValuesBlock {
    const double* from;
    std::size_t stride;
    std::size_t rows;
    std::size_t columns;
    const double* row_norms;     // squared, for the Gaussian kernel
    const double* column_norms;
    double* out;
    std::size_t out_stride;
};

// Interleaved rows (interleaved_rows.hpp) of both matrices, and the output for their products.
struct InterleavedBlock {
    const double* strips;  // `strip_count` strips of `strip_rows` rows
    std::size_t strip_count;
    const double* panels;  // `panel_count` panels of `panel_columns` rows
    std::size_t panel_count;
    std::size_t features;
    double* out;  // one row of panel_count * panel_columns values for each row of the strips
};

// Scratch memory for products of bytes.
struct ByteRoom {
    std::size_t panel;     // rows of the second matrix that stay in the cache
    std::int8_t* shifted;  // kByteRows rows
    std::int32_t* moved;   // one number per row of the panel
};
constexpr std::size_t kByteRows = 4;

struct ProductKernels {
    std::size_t strip_rows;     // rows of the first matrix that are multiplied together
    std::size_t panel_columns;  // rows of the second

    // Rows begin <= i < end of a dense matrix, interleaved in groups of `width`.
    void (*interleave)(const RowsView&, std::size_t begin, std::size_t end, std::size_t width, double* to);

    // The squared norms of the rows of one group.
    void (*squared_norms)(const double* group, std::size_t width, std::size_t features, double* out);

    // All inner products, or L1 distances, of a block.
    void (*products)(const InterleavedBlock&);
    void (*distances)(const InterleavedBlock&);

    // Applies a kernel to products or distances; returns whether all values are finite.
    bool (*apply)(const KernelFunction&, const ValuesBlock&);

    // exp and tanh of `count` numbers.
    void (*exponentials)(const double* from, std::size_t count, double* out);
    void (*tangents)(const double* from, std::size_t count, double* out);

    // Inner products of rows of 16-bit integers (integer_products.hpp).
    void (*integer_products)(const std::int16_t* a, std::size_t rows, const std::int16_t* b, std::size_t columns,
                             std::size_t width, double* out, std::size_t stride);

    // The same of bytes (byte_products.hpp); null where the instruction set does not multiply them faster.
    void (*byte_products)(const std::uint8_t* a, std::size_t rows, const std::uint8_t* b, std::size_t columns,
                          std::size_t width, const ByteRoom& room, double* out, std::size_t stride);
};

}  // namespace rosenblatt
