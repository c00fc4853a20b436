// exp and tanh of every lane of a register, for the kernels k(x, x').
//
// Problem: the exp of a C library or of NumPy differs in its last bits from build to build, and a kernel perceptron
// takes another path where a score lies near zero.
// Guarantee: only additions, multiplications and divisions in a fixed order, so every instruction set gives the same
// bits. The error is below 0.7 units in the last place (ulp) for exp (1.1 where the result is subnormal) and below 1.5
// ulp for tanh; tests/core/test_exponential.py measures both. Zeros keep their signs, NaN stays NaN, exp overflows to
// infinity and underflows gradually to zero.
// Source: W. J. Cody and W. Waite, Software Manual for the Elementary Functions (1980), chapter 6, for the reduction
// x = n ln 2 + r with |r| <= (ln 2) / 2; T. J. Dekker, Numerische Mathematik 18 (1971), for the exact sum of two numbers.
#pragma once

#include "simd/register_bits.hpp"

namespace rosenblatt::ROSENBLATT_ISA {

// Above 1.5 * 2^52 doubles have no fraction: adding it rounds to the nearest integer, which the low bits then hold.
constexpr double kRounder = 6755399441055744.0;

// 2^n for an integer -1022 <= n <= 1023.
inline Register power_of_two(const Register& n) {
    return with_bits(n + all(kRounder), [](auto bits) { return (bits + std::uint64_t{1023}) << 52; });
}

// x = n ln 2 + high - low and exp(high - low) = 1 + high + rest.
struct Reduced {
    Register n;
    Register high;
    Register rest;
};

ROSENBLATT_INLINE Reduced reduced(const Register& x) {
    constexpr double kPerLn2 = 0x1.71547652b82fep+0;
    constexpr double kLn2High = 0x1.62e42fefa3800p-1;  // 42 bits: its product with n is exact
    constexpr double kLn2Low = 0x1.ef35793c76730p-45;
    // (exp(r) - 1 - r) / r^2, interpolated at the Chebyshev nodes of |r| <= (ln 2) / 2; its error is 0.003 ulp of exp(r).
    constexpr double kSeries[] = {0x1.0000000000000p-1,  0x1.5555555555557p-3,  0x1.5555555555556p-5,
                                  0x1.11111111100dfp-7,  0x1.6c16c16c162d6p-10, 0x1.a01a01abe6323p-13,
                                  0x1.a01a01a6d7831p-16, 0x1.71de0237484cdp-19, 0x1.27e4db67ac2afp-22,
                                  0x1.af4ddda1c08cdp-26, 0x1.1f72fc83bcd29p-29};
    constexpr int kDegree = sizeof kSeries / sizeof *kSeries - 1;
    const Register n = (x * all(kPerLn2) + all(kRounder)) - all(kRounder);
    const Register high = x - n * all(kLn2High);
    const Register low = n * all(kLn2Low);
    const Register r = high - low;
    Register series = all(kSeries[kDegree]);
    ROSENBLATT_UNROLL
    for (int k = kDegree - 1; k >= 0; --k) series = series * r + all(kSeries[k]);
    return {n, high, (r * r) * series - low};
}

ROSENBLATT_INLINE Register exponential(const Register& argument) {
    // Outside of this range the result is zero or infinity. NaN is kept, because comparisons with NaN are false.
    const Register x = larger(all(-746.0), smaller(all(710.0), argument));
    const Reduced found = reduced(x);
    const Register one = all(1.0);
    const Register sum = one + found.high;
    const Register lost = found.high - (sum - one);
    const Register factor = sum + (lost + found.rest);
    // In two steps, because 2^n itself can be out of range.
    const Register half = (found.n * all(0.5) + all(kRounder)) - all(kRounder);
    return (factor * power_of_two(half)) * power_of_two(found.n - half);
}

// tanh |x| = m / (m + 2) with m = exp(2 |x|) - 1. The rounding errors of m and m + 2 correct the quotient.
ROSENBLATT_INLINE Register tangent(const Register& argument) {
    const Register x = smaller(all(22.0), magnitude(argument));  // tanh 22 rounds to 1
    const Reduced found = reduced(x + x);
    const Register scale = power_of_two(found.n);
    const Register whole = scale - all(1.0);
    const Register part = scale * found.high;
    const Register sum = whole + part;
    const Register rest = (part - (sum - whole)) + scale * found.rest;
    const Register m = sum + rest;
    const Register m_lost = rest - (m - sum);
    const Register below = m + all(2.0);
    const Register back = below - m;
    const Register below_lost = ((m - (below - back)) + (all(2.0) - back)) + m_lost;
    const Register quotient = m / below;
    return signs(argument) * (quotient + (m_lost - quotient * below_lost) / below);
}

}  // namespace rosenblatt::ROSENBLATT_ISA
