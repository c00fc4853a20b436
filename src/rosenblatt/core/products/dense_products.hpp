// Inner products and L1 distances between dense rows, many at once.
//
// Problem: out = A B^T as fast as the registers allow, but with one defined result: BLAS sums in an order that depends on
// its build, the processor, the block and the number of threads.
// Guarantee: every value is the plain sum over the features from left to right, starting from zero,
//   s_0 = 0,  s_{k+1} = s_k + a_k b_k   (or s_k + |a_k - b_k|),
// each operation rounded once. So a pair has the same bits whichever block, instruction set or thread computes it, a and
// b may change places, and a feature that is zero in both rows may be skipped, as sparse rows do.
// Source: the lanes of a register run over rows of B, in tiles that stay in registers, as in K. Goto and R. van de Geijn,
// "Anatomy of high-performance matrix multiplication", ACM TOMS 34 (2008).
#pragma once

#include "simd/register_bits.hpp"
#include "products/product_kernels.hpp"

namespace rosenblatt::ROSENBLATT_ISA {

// The sums of a tile stay in registers. Measured on Zen 4 without fused operations: 4 x 4 registers of 64 bytes reach 25
// of the 29 billion multiply-adds a second that fused ones reach (8 x 3: 22), 4 x 2 registers of 32 bytes reach 28.
constexpr std::size_t kStripRows = 4;
constexpr std::size_t kPanelPacks = kWidth == 8 ? 4 : 2;
constexpr std::size_t kPanelColumns = kPanelPacks * kWidth;

// Features per tile: a panel of this many takes 16 KB and stays in the first-level cache.
constexpr std::size_t kTileFeatures = (std::size_t{1} << 14) / (kPanelColumns * sizeof(double));

struct Product {
    static ROSENBLATT_INLINE Register of(const Register& a, const Register& b) { return a * b; }
};
struct Distance {
    static ROSENBLATT_INLINE Register of(const Register& a, const Register& b) { return magnitude(a - b); }
};

// Adds `features` terms to the sums of one tile; with the first terms the sums start at zero.
template <class Term>
void sum_tile(const double* strip, const double* panel, std::size_t features, bool first, double* out,
              std::size_t stride) {
    Register sums[kStripRows][kPanelPacks];
    ROSENBLATT_UNROLL
    for (std::size_t r = 0; r < kStripRows; ++r)
        ROSENBLATT_UNROLL
        for (std::size_t p = 0; p < kPanelPacks; ++p)
            sums[r][p] = first ? Register{} : load(out + r * stride + p * kWidth);
    for (std::size_t k = 0; k < features; ++k, strip += kStripRows, panel += kPanelColumns) {
        Register b[kPanelPacks];
        ROSENBLATT_UNROLL
        for (std::size_t p = 0; p < kPanelPacks; ++p) b[p] = load(panel + p * kWidth);
        ROSENBLATT_UNROLL
        for (std::size_t r = 0; r < kStripRows; ++r) {
            const Register a = all(strip[r]);
            ROSENBLATT_UNROLL
            for (std::size_t p = 0; p < kPanelPacks; ++p) sums[r][p] += Term::of(a, b[p]);
        }
    }
    ROSENBLATT_UNROLL
    for (std::size_t r = 0; r < kStripRows; ++r)
        ROSENBLATT_UNROLL
        for (std::size_t p = 0; p < kPanelPacks; ++p) put(sums[r][p], out + r * stride + p * kWidth);
}

template <class Term>
void sum_block(const InterleavedBlock& block) {
    const std::size_t stride = block.panel_count * kPanelColumns;
    for (std::size_t k = 0; k == 0 || k < block.features; k += kTileFeatures) {
        const std::size_t some = block.features - k < kTileFeatures ? block.features - k : kTileFeatures;
        for (std::size_t p = 0; p < block.panel_count; ++p)
            for (std::size_t s = 0; s < block.strip_count; ++s)
                sum_tile<Term>(block.strips + (s * block.features + k) * kStripRows,
                               block.panels + (p * block.features + k) * kPanelColumns, some, k == 0,
                               block.out + s * kStripRows * stride + p * kPanelColumns, stride);
    }
}

}  // namespace rosenblatt::ROSENBLATT_ISA
