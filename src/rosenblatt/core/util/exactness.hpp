// Proves that the weights of a run were computed without rounding. Floats are multiples of powers of two: if every value is
// a multiple of a common power, and no weight can exceed 53 bits of it, every addition was exact. Then a weight vector that
// comes back proves that the updates in between add up to zero, whatever their order was.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "rows/views.hpp"

namespace rosenblatt {

// Every value seen is an integer multiple of 2^low, and none exceeds `largest` in magnitude.
struct Grid {
    int low = 1 << 20;  // above the exponent of any double; sums of two of these must not overflow
    double largest = 0;

    void add(double value) {
        if (value == 0) return;
        int exponent = 0;
        auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(std::fabs(value), &exponent), 53));
        exponent -= 53;
        for (; (mantissa & 1) == 0; mantissa >>= 1) ++exponent;
        low = std::min(low, exponent);
        largest = std::max(largest, std::fabs(value));
    }
};

template <class Value>
Grid grid_of(const Value* values, std::size_t rows, std::size_t columns, std::ptrdiff_t stride) {
    Grid grid;
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j)
            grid.add(static_cast<double>(values[static_cast<std::ptrdiff_t>(i) * stride + static_cast<std::ptrdiff_t>(j)]));
    return grid;
}

// The number of values in memory: all of dense rows, the entries of CSR rows.
inline std::size_t stored_values(const RowsView& rows) {
    if (is_dense(rows.storage)) return rows.examples * rows.features;
    const bool long_indices = rows.storage == Storage::csr32_i64 || rows.storage == Storage::csr64_i64;
    return long_indices ? static_cast<std::size_t>(static_cast<const std::int64_t*>(rows.starts)[rows.examples])
                        : static_cast<std::size_t>(static_cast<const std::int32_t*>(rows.starts)[rows.examples]);
}

inline Grid grid_of(const RowsView& rows) {
    const bool narrow = rows.storage == Storage::dense32 || rows.storage == Storage::csr32_i32 ||
                        rows.storage == Storage::csr32_i64;
    const std::size_t count = is_dense(rows.storage) ? rows.examples : 1;
    const std::size_t width = is_dense(rows.storage) ? rows.features : stored_values(rows);
    Grid grid = narrow ? grid_of(static_cast<const float*>(rows.values), count, width, rows.stride)
                       : grid_of(static_cast<const double*>(rows.values), count, width, rows.stride);
    grid.add(1.0);  // the coordinate of the offset
    return grid;
}

// Whether the weights are exact after `mistakes` updates from `start`, each of which adds a step times a value of the rows.
inline bool additions_exact(const Grid& rows, const Grid& steps, const Grid& start, std::uint64_t mistakes) {
    const int low = std::min(rows.low + steps.low, start.low);
    const double largest = start.largest + static_cast<double>(mistakes) * steps.largest * rows.largest;
    return largest <= std::ldexp(1.0, low + 52);
}

// Whether the scores of such weights, and the inner products of rows, are exact too, in any order of summation: their terms
// are multiples of a power of two, and no sum of them can exceed 53 bits of it. `rows` includes the 1 of the offset.
inline bool scores_exact(const Grid& rows, const Grid& steps, const Grid& start, std::uint64_t mistakes,
                         std::size_t features) {
    const int low = std::min(rows.low + steps.low, start.low) + rows.low;
    const double weight = start.largest + static_cast<double>(mistakes) * steps.largest * rows.largest;
    return static_cast<double>(features + 1) * rows.largest * weight <= std::ldexp(1.0, low + 52);
}

}  // namespace rosenblatt
