// Inner products and L1 distances between sparse rows.
//
// Guarantee: the sums of dense_products.hpp without their zero terms, from the lowest feature to the highest, so sparse
// rows have the bits of the same rows stored densely. A sum that starts from +0 is never -0, which makes adding zero
// the identity. The columns of every row must be in order, each stored once.
// Source: F. G. Gustavson, "Two fast algorithms for sparse matrices", ACM TOMS 4 (1978): for every entry of a row of A,
// the entries of that feature in B.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "rows/views.hpp"

namespace rosenblatt {

// Entries of CSR rows, converted to one type.
struct SparseRows {
    std::vector<std::size_t> starts;
    std::vector<std::uint32_t> columns;
    std::vector<double> values;

    std::size_t size() const { return starts.size() - 1; }
};

template <class Value, class Index>
SparseRows sparse_rows_of(const RowsView& view) {
    const auto* values = static_cast<const Value*>(view.values);
    const auto* indices = static_cast<const Index*>(view.indices);
    const auto* starts = static_cast<const Index*>(view.starts);
    const auto begin = static_cast<std::size_t>(starts[0]), end = static_cast<std::size_t>(starts[view.examples]);
    SparseRows rows;
    rows.starts.resize(view.examples + 1);
    for (std::size_t i = 0; i <= view.examples; ++i) rows.starts[i] = static_cast<std::size_t>(starts[i]) - begin;
    rows.columns.assign(indices + begin, indices + end);
    rows.values.assign(values + begin, values + end);
    for (std::size_t i = 0; i < view.examples; ++i)
        for (std::size_t k = rows.starts[i] + 1; k < rows.starts[i + 1]; ++k)
            if (rows.columns[k - 1] >= rows.columns[k])
                throw std::invalid_argument("the columns of a sparse row must be in order, each stored once");
    return rows;
}

inline SparseRows sparse_rows_of(const RowsView& view) {
    if (view.features > std::numeric_limits<std::uint32_t>::max())
        throw std::invalid_argument("kernels of sparse rows take at most 4,294,967,295 features");
    switch (view.storage) {
        case Storage::csr32_i32: return sparse_rows_of<float, std::int32_t>(view);
        case Storage::csr32_i64: return sparse_rows_of<float, std::int64_t>(view);
        case Storage::csr64_i32: return sparse_rows_of<double, std::int32_t>(view);
        case Storage::csr64_i64: return sparse_rows_of<double, std::int64_t>(view);
        default: throw std::invalid_argument("the rows are dense; they must be sparse");
    }
}

inline std::vector<double> squared_norms(const SparseRows& rows) {
    std::vector<double> norms(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t k = rows.starts[i]; k < rows.starts[i + 1]; ++k) norms[i] += rows.values[k] * rows.values[k];
    return norms;
}

// The same entries feature by feature: "rows" are features, "columns" are rows.
inline SparseRows transposed(const SparseRows& rows, std::size_t features) {
    SparseRows by_feature;
    by_feature.starts.assign(features + 1, 0);
    by_feature.columns.resize(rows.columns.size());
    by_feature.values.resize(rows.values.size());
    for (const std::uint32_t feature : rows.columns) ++by_feature.starts[feature + 1];
    for (std::size_t j = 0; j < features; ++j) by_feature.starts[j + 1] += by_feature.starts[j];
    std::vector<std::size_t> next(by_feature.starts.begin(), by_feature.starts.end() - 1);
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t k = rows.starts[i]; k < rows.starts[i + 1]; ++k) {
            const std::size_t at = next[rows.columns[k]]++;
            by_feature.columns[at] = static_cast<std::uint32_t>(i);
            by_feature.values[at] = rows.values[k];
        }
    return by_feature;
}

// out[c] = a_i . b_c for all `count` rows of B.
inline void sparse_products(const SparseRows& a, std::size_t i, const SparseRows& b_by_feature, std::size_t count,
                            double* out) {
    std::fill(out, out + count, 0.0);
    for (std::size_t k = a.starts[i]; k < a.starts[i + 1]; ++k) {
        const double value = a.values[k];
        const std::size_t end = b_by_feature.starts[a.columns[k] + 1];
        for (std::size_t l = b_by_feature.starts[a.columns[k]]; l < end; ++l)
            out[b_by_feature.columns[l]] += value * b_by_feature.values[l];
    }
}

// out[c] = |a_i - b_c|_1: the two rows are merged.
inline void sparse_distances(const SparseRows& a, std::size_t i, const SparseRows& b, double* out) {
    for (std::size_t c = 0; c < b.size(); ++c) {
        std::size_t k = a.starts[i], l = b.starts[c];
        const std::size_t end = a.starts[i + 1], last = b.starts[c + 1];
        double sum = 0;
        while (k < end && l < last) {  // no branch, which could not be predicted
            const std::uint32_t left = a.columns[k], right = b.columns[l];
            const double x = left <= right ? a.values[k] : 0.0;
            const double y = right <= left ? b.values[l] : 0.0;
            sum += std::fabs(x - y);
            k += left <= right;
            l += right <= left;
        }
        for (; k < end; ++k) sum += std::fabs(a.values[k]);
        for (; l < last; ++l) sum += std::fabs(b.values[l]);
        out[c] = sum;
    }
}

}  // namespace rosenblatt
