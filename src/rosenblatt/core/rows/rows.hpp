// The row primitives of dense and CSR storage: dot product, addition, prefetch. Passes are written once, over these.
//
// The order of summation is part of the contract. It does not depend on the machine or on the number of problems, so a run
// takes the same path everywhere. Dense rows sum in the sixteen lanes of ordered_sum.hpp, CSR rows sum their entries in four. No
// operation is fused (-ffp-contract=off), so SSE2, AVX2, AVX-512 and NEON give the same bits.
//
// Several problems can share a row (one against the rest). Dense storage keeps one weight vector per problem, CSR storage
// one block of all problems per feature.
#pragma once

#include <cstdint>

#include "rows/csr_rows.hpp"
#include "rows/dense_rows.hpp"
#include "rows/views.hpp"

namespace rosenblatt::ROSENBLATT_ISA {

// Calls `use` with the rows as an object of their storage type.
template <class Use>
auto with_rows(const RowsView& view, Use use) {
    switch (view.storage) {
        case Storage::dense32: return use(DenseRows<float>(view));
        case Storage::dense64: return use(DenseRows<double>(view));
        case Storage::csr32_i32: return use(CsrRows<float, std::int32_t>(view));
        case Storage::csr32_i64: return use(CsrRows<float, std::int64_t>(view));
        case Storage::csr64_i32: return use(CsrRows<double, std::int32_t>(view));
        default: return use(CsrRows<double, std::int64_t>(view));
    }
}

}  // namespace rosenblatt::ROSENBLATT_ISA
