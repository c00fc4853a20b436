// Matrices of kernel values k(a_i, b_j), in blocks that stay in the cache, by several threads.
//
// Guarantee: a value depends on its two rows and the kernel alone: not on the block, the number of threads, the
// instruction set, or whether the rows are stored as float32, float64 or (where they are integers) as integers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "products/product_kernels.hpp"

namespace rosenblatt {

// The output: one row of `stride` doubles for each row of A.
struct ValuesOut {
    double* data;
    std::size_t stride;
};

// Rows of narrow integers, padded with zeros to a multiple of kIntegerPad. All sums of products must fit 32 bits.
template <class Value>
struct IntegerRows {
    const Value* data;
    std::size_t rows;
    std::size_t width;
};

// Each returns whether all values are finite. Rows of A and B must have the same features.
bool dense_kernel_values(const KernelFunction&, const RowsView& a, const RowsView& b, std::size_t threads, ValuesOut);
bool sparse_kernel_values(const KernelFunction&, const RowsView& a, const RowsView& b, std::size_t threads, ValuesOut);

// For the kernels of inner products.
template <class Value>
bool integer_kernel_values(const KernelFunction&, IntegerRows<Value> a, IntegerRows<Value> b, std::size_t threads,
                           ValuesOut);

}  // namespace rosenblatt
