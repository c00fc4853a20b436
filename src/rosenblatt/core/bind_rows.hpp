// Rows as a Python object: arrays that the kernels read as they are, checked once.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bind_arrays.hpp"
#include "exactness.hpp"
#include "inspect.hpp"
#include "kernels.hpp"
#include "weight_store.hpp"

namespace rosenblatt {

template <class T>
bool holds(const AnyArray& array) {
    return array.dtype() == nb::dtype<T>();
}

// Examples in a storage that the kernels read as it is. Holds on to the arrays, never writes to them.
class Rows {
   public:
    static Rows dense(AnyArray values) {
        if (values.ndim() != 2) throw std::invalid_argument("dense rows need a two-dimensional array");
        if (values.shape(1) > 1 && values.stride(1) != 1)
            throw std::invalid_argument("the values of a dense row must lie side by side");
        Rows rows;
        rows.view_ = {storage_of(values, Storage::dense32, Storage::dense64), values.shape(0), values.shape(1),
                      values.data(), static_cast<std::ptrdiff_t>(values.stride(0)), nullptr, nullptr};
        rows.held_ = {values};
        rows.check_count();
        return rows;
    }

    // `checked` says that the caller has looked at every row pointer and index, and spares a pass over them: the arrays
    // may be larger than memory.
    static Rows csr(AnyArray values, AnyArray indices, AnyArray starts, std::size_t features, bool checked) {
        if (starts.ndim() != 1 || starts.shape(0) < 1 || values.ndim() != 1 || indices.ndim() != 1)
            throw std::invalid_argument("a CSR matrix consists of three one-dimensional arrays");
        Rows rows;
        const bool wide = holds<std::int64_t>(indices);
        if (indices.dtype() != starts.dtype() || !(wide || holds<std::int32_t>(indices)))
            throw std::invalid_argument("the indices of a CSR matrix must be of one type, int32 or int64");
        const Storage storage = wide ? storage_of(values, Storage::csr32_i64, Storage::csr64_i64)
                                     : storage_of(values, Storage::csr32_i32, Storage::csr64_i32);
        rows.view_ = {storage, starts.shape(0) - 1, features, values.data(), 0, indices.data(), starts.data()};
        rows.held_ = {values, indices, starts};
        rows.check_count();
        if (checked) return rows;
        const std::size_t entries = std::min(values.shape(0), indices.shape(0));
        const auto fault = wide ? rows.fault<std::int64_t>(entries) : rows.fault<std::int32_t>(entries);
        if (fault && fault->in_starts)
            throw std::invalid_argument("the row pointers of the CSR matrix are broken at position " +
                                        std::to_string(fault->position) +
                                        "; call check_format() on the matrix to see what is wrong with it");
        if (fault)
            throw std::invalid_argument("the CSR matrix has a column index out of range at position " +
                                        std::to_string(fault->position) + ": it must lie in 0 ... " +
                                        std::to_string(features - 1));
        return rows;
    }

    const RowsView& view() const { return view_; }

    // (row, column) of the first NaN or infinity.
    std::optional<std::pair<std::size_t, std::size_t>> first_nonfinite() const {
        nb::gil_scoped_release release;
        if (view_.storage == Storage::dense32) return dense_nonfinite<float>();
        if (view_.storage == Storage::dense64) return dense_nonfinite<double>();
        const std::size_t entries = stored_values(view_);
        const bool narrow = view_.storage == Storage::csr32_i32 || view_.storage == Storage::csr32_i64;
        const auto found = narrow ? rosenblatt::first_nonfinite(static_cast<const float*>(view_.values), entries)
                                  : rosenblatt::first_nonfinite(static_cast<const double*>(view_.values), entries);
        if (!found) return std::nullopt;
        const bool wide = view_.storage == Storage::csr32_i64 || view_.storage == Storage::csr64_i64;
        return wide ? place<std::int64_t>(*found) : place<std::int32_t>(*found);
    }

    // NaN or infinity where one of the values is.
    double largest_magnitude() const {
        nb::gil_scoped_release release;
        return kernels().largest(view_, is_dense(view_.storage) ? 0 : stored_values(view_));
    }

    nb::object scores(Matrix weights, Vector<double> offsets) const {
        if (weights.shape(1) != view_.features || offsets.shape(0) != weights.shape(0))
            throw std::invalid_argument("the weights do not fit the rows");
        const std::size_t problems = weights.shape(0);
        std::vector<double> out(view_.examples * problems);
        {
            nb::gil_scoped_release release;
            WeightStore store(view_.storage, problems, view_.features);
            for (std::size_t c = 0; c < problems; ++c)
                store.set(c, weights.data() + c * view_.features, offsets.data()[c]);
            std::vector<double> scratch(score_room(problems));
            kernels().scores(view_, 0, view_.examples, store.view(), problems, scratch.data(), out.data());
        }
        return numpy_array(std::move(out), {view_.examples, problems});
    }

   private:
    static Storage storage_of(const AnyArray& values, Storage narrow, Storage wide) {
        if (holds<float>(values)) return narrow;
        if (holds<double>(values)) return wide;
        throw std::invalid_argument("rows hold float32 or float64");
    }

    void check_count() const {
        if (view_.examples > std::numeric_limits<std::uint32_t>::max())
            throw std::invalid_argument("more than 4,294,967,295 examples: split the data and use partial_fit");
    }

    template <class Index>
    std::optional<CsrFault> fault(std::size_t entries) const {
        return csr_fault(static_cast<const Index*>(view_.starts), view_.examples,
                         static_cast<const Index*>(view_.indices), entries, view_.features);
    }

    template <class Value>
    std::optional<std::pair<std::size_t, std::size_t>> dense_nonfinite() const {
        for (std::size_t i = 0; i < view_.examples; ++i) {
            const auto* row = static_cast<const Value*>(view_.values) + static_cast<std::ptrdiff_t>(i) * view_.stride;
            if (const auto j = rosenblatt::first_nonfinite(row, view_.features)) return std::pair{i, *j};
        }
        return std::nullopt;
    }

    template <class Index>
    std::pair<std::size_t, std::size_t> place(std::size_t entry) const {
        const auto* starts = static_cast<const Index*>(view_.starts);
        const auto row = static_cast<std::size_t>(
            std::upper_bound(starts, starts + view_.examples + 1, static_cast<Index>(entry)) - starts - 1);
        return {row, static_cast<std::size_t>(static_cast<const Index*>(view_.indices)[entry])};
    }

    RowsView view_{};
    std::vector<AnyArray> held_;
};

void bind_rows(nb::module_& m);

}  // namespace rosenblatt
