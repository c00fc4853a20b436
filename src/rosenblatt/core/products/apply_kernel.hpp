// Kernel values from inner products or distances.
//
// Guarantee: a value depends on its product and norms alone, in a fixed order of operations that is symmetric in both rows:
// k(x, x') and k(x', x) have the same bits. The Gaussian kernel takes |x - x'|^2 = (x . x + x' . x') - 2 x . x', zero for
// two equal rows; powers are taken by multiplication, exactly where the products are exact.
#pragma once

#include "products/exponential.hpp"
#include "products/product_kernels.hpp"

namespace rosenblatt::ROSENBLATT_ISA {

// base^degree by repeated squaring, from the highest bit of the degree down.
inline Register power(const Register& base, std::uint64_t degree) {
    std::uint64_t bit = 1;
    while (degree >> 1 >= bit) bit <<= 1;
    Register value = base;
    while (bit >>= 1) {
        value = value * value;
        if (degree & bit) value = value * base;
    }
    return value;
}

// `function(value, row norm, column norm)` for every value; whether all results are finite.
template <class Function>
ROSENBLATT_INLINE bool apply_to_all(const ValuesBlock& block, bool norms, Function function) {
    Register differences{};  // x - x is zero if and only if x is finite
    for (std::size_t i = 0; i < block.rows; ++i) {
        const double* from = block.from + i * block.stride;
        double* out = block.out + i * block.out_stride;
        const Register row_norm = norms ? all(block.row_norms[i]) : Register{};
        std::size_t j = 0;
        for (; j + kWidth <= block.columns; j += kWidth) {
            const Register value = function(load(from + j), row_norm, norms ? load(block.column_norms + j) : Register{});
            put(value, out + j);
            differences += value - value;
        }
        if (j == block.columns) continue;
        double values[kWidth], column_norms[kWidth];  // unused lanes repeat the last value
        for (std::size_t l = 0; l < kWidth; ++l) {
            const std::size_t at = j + l < block.columns ? j + l : block.columns - 1;
            values[l] = from[at];
            column_norms[l] = norms ? block.column_norms[at] : 0;
        }
        const Register value = function(load(values), row_norm, load(column_norms));
        put(value, values);
        for (std::size_t l = 0; j + l < block.columns; ++l) out[j + l] = values[l];
        differences += value - value;
    }
    double lanes[kWidth];
    put(differences, lanes);
    bool finite = true;
    for (const double lane : lanes) finite = finite && lane == 0;
    return finite;
}

inline bool apply_kernel(const KernelFunction& kernel, const ValuesBlock& block) {
    const Register gamma = all(kernel.gamma), minus_gamma = all(-kernel.gamma), coef0 = all(kernel.coef0);
    switch (kernel.name) {
        case KernelFunction::Name::linear:
            return apply_to_all(block, false, [](const Register& product, const Register&, const Register&) { return product; });
        case KernelFunction::Name::polynomial:
            return apply_to_all(block, false, [&](const Register& product, const Register&, const Register&) {
                return power(product * gamma + coef0, kernel.degree);
            });
        case KernelFunction::Name::gaussian:
            return apply_to_all(block, true, [&](const Register& product, const Register& a, const Register& b) {
                const Register distance = (a + b) - all(2.0) * product;
                return exponential(minus_gamma * larger(Register{}, distance));  // rounding can make the distance negative
            });
        case KernelFunction::Name::laplacian:
            return apply_to_all(block, false, [&](const Register& distance, const Register&, const Register&) {
                return exponential(minus_gamma * distance);
            });
        case KernelFunction::Name::sigmoid:
            return apply_to_all(block, false, [&](const Register& product, const Register&, const Register&) {
                return tangent(product * gamma + coef0);
            });
    }
    return false;
}

template <class Function>
ROSENBLATT_INLINE void for_each_number(const double* from, std::size_t count, double* out, Function function) {
    const ValuesBlock block{from, count, 1, count, nullptr, nullptr, out, count};
    apply_to_all(block, false, [&](const Register& x, const Register&, const Register&) { return function(x); });
}

inline void exponentials(const double* from, std::size_t count, double* out) {
    for_each_number(from, count, out, [](const Register& x) { return exponential(x); });
}

inline void tangents(const double* from, std::size_t count, double* out) {
    for_each_number(from, count, out, [](const Register& x) { return tangent(x); });
}

}  // namespace rosenblatt::ROSENBLATT_ISA
