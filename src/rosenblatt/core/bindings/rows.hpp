// Rows as a Python object: arrays that are validated once and read in place by the kernels.
#pragma once

#include <algorithm>
#include <atomic>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "inference/inference.hpp"
#include "rows/validate.hpp"
#include "simd/kernels.hpp"
#include "util/exactness.hpp"

namespace rosenblatt {

template <class T>
bool holds(const AnyArray& array) {
    return array.dtype() == nb::dtype<T>();
}

// A flag that can be copied and that several threads may read and clear.
class SharedFlag {
   public:
    SharedFlag() = default;
    SharedFlag(const SharedFlag& other) : value_(other) {}
    SharedFlag& operator=(const SharedFlag& other) { return *this = static_cast<bool>(other); }
    SharedFlag& operator=(bool value) {
        value_.store(value, std::memory_order_relaxed);
        return *this;
    }
    operator bool() const { return value_.load(std::memory_order_relaxed); }

   private:
    std::atomic<bool> value_{false};
};

// Holds references to the arrays and never writes to them. Several threads may read the same rows.
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

    // `checked`: the caller has validated all row pointers and indices, which avoids a pass over arrays that may exceed memory.
    // `lazily`: the first pass over the rows validates the indices.
    static Rows csr(AnyArray values, AnyArray indices, AnyArray starts, std::size_t features, bool checked,
                    bool lazily) {
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
        const auto fault = wide ? rows.starts_fault_of<std::int64_t>(entries) : rows.starts_fault_of<std::int32_t>(entries);
        if (fault)
            throw std::invalid_argument("the row pointers of the CSR matrix are broken at position " +
                                        std::to_string(*fault) +
                                        "; call check_format() on the matrix to see what is wrong with it");
        rows.indices_unread_ = true;
        if (!lazily) rows.check_indices();
        return rows;
    }

    // The rows begin <= i < end of the same arrays.
    Rows part(std::size_t begin, std::size_t end) const {
        if (begin > end || end > view_.examples) throw std::invalid_argument("there are no such rows");
        const bool wide = view_.storage == Storage::csr32_i64 || view_.storage == Storage::csr64_i64;
        Rows rows = *this;
        rows.view_.examples = end - begin;
        if (is_dense(view_.storage))
            rows.view_.values = static_cast<const unsigned char*>(view_.values) +
                                static_cast<std::ptrdiff_t>(begin) * view_.stride *
                                    static_cast<std::ptrdiff_t>(view_.storage == Storage::dense32 ? sizeof(float)
                                                                                                  : sizeof(double));
        else
            rows.view_.starts = static_cast<const unsigned char*>(view_.starts) +
                                begin * (wide ? sizeof(std::int64_t) : sizeof(std::int32_t));
        return rows;
    }

    std::size_t examples() const { return view_.examples; }
    std::size_t features() const { return view_.features; }
    // The values that a pass over all rows reads.
    std::size_t values() const { return stored_values(view_); }

    const RowsView& view() const {
        check_indices();
        return view_;
    }

    // (row, column) of the first NaN or infinity.
    std::optional<std::pair<std::size_t, std::size_t>> first_nonfinite() const {
        check_indices();
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

    // NaN or infinity if one of the values is not finite.
    double largest_magnitude() const {
        nb::gil_scoped_release release;
        return kernels().largest(view_, is_dense(view_.storage) ? 0 : stored_values(view_));
    }

    nb::object scores(Matrix weights, Vector<double> offsets) const {
        const std::size_t problems = weights.shape(0);
        std::vector<double> out(view_.examples * problems);
        score(weights, offsets, out.data(), 1);
        return numpy_array(std::move(out), {view_.examples, problems});
    }

    // Whether all scores, hence all values, are finite.
    bool score_into(Matrix weights, Vector<double> offsets, MatrixOut out, std::size_t threads) const {
        if (out.shape(0) != view_.examples || out.shape(1) != weights.shape(0))
            throw std::invalid_argument("there must be room for one score per row and plane");
        return score(weights, offsets, out.data(), threads);
    }

    // The same for labels: `classes` has the bytes of one label per class, `out` receives one label per row.
    bool label_into(Matrix weights, Vector<double> offsets, bool pairs, bool ties_are_positive,
                    Vector<std::uint8_t> classes, std::size_t n_classes, BytesOut out, std::size_t threads) const {
        const PlanesView planes = planes_of(weights, offsets);
        const std::size_t width = n_classes ? classes.shape(0) / n_classes : 0;
        const Decision decision = n_classes == 2 ? Decision::sign : pairs ? Decision::pairs : Decision::largest;
        const std::size_t expected =
            n_classes == 2 ? 1 : pairs ? pairs_of(n_classes) : n_classes;
        if (n_classes < 2 || planes.count != expected || width == 0 || classes.shape(0) != n_classes * width ||
            out.shape(0) != view_.examples * width)
            throw std::invalid_argument("the labels do not fit the planes and the rows");
        const LabelsView labels{classes.data(), n_classes, width, out.data()};
        const Tie tie = ties_are_positive ? Tie::positive : Tie::mistake;
        return read(planes, [&] { return label_rows(view_, planes, decision, tie, indices_unread_, threads, labels); });
    }

    // Throws if a column index of CSR rows is out of range. Each index is checked once (by each thread, if
    // several begin at the same time).
    void check_indices() const {
        if (!indices_unread_) return;
        const bool wide = view_.storage == Storage::csr32_i64 || view_.storage == Storage::csr64_i64;
        if (const auto fault = wide ? indices_fault_of<std::int64_t>() : indices_fault_of<std::int32_t>())
            throw std::invalid_argument("the CSR matrix has a column index out of range at position " +
                                        std::to_string(*fault) + ": it must lie in 0 ... " +
                                        std::to_string(view_.features - 1));
        indices_unread_ = false;
    }

   private:
    static Storage storage_of(const AnyArray& values, Storage narrow, Storage wide) {
        if (holds<float>(values)) return narrow;
        if (holds<double>(values)) return wide;
        throw std::invalid_argument("rows must be float32 or float64");
    }

    void check_count() const {
        if (view_.examples > std::numeric_limits<std::uint32_t>::max())
            throw std::invalid_argument("more than 4,294,967,295 examples: split the data and use partial_fit");
    }

    template <class Index>
    std::optional<std::size_t> starts_fault_of(std::size_t entries) const {
        return starts_fault(static_cast<const Index*>(view_.starts), view_.examples, entries);
    }

    template <class Index>
    std::optional<std::size_t> indices_fault_of() const {
        return indices_fault(static_cast<const Index*>(view_.indices), stored_values(view_), view_.features);
    }

    PlanesView planes_of(const Matrix& weights, const Vector<double>& offsets) const {
        if (weights.shape(1) != view_.features || offsets.shape(0) != weights.shape(0))
            throw std::invalid_argument("the weights do not fit the rows");
        return {weights.data(), offsets.data(), weights.shape(0)};
    }

    bool score(const Matrix& weights, const Vector<double>& offsets, double* out, std::size_t threads) const {
        const PlanesView planes = planes_of(weights, offsets);
        return read(planes, [&] { return score_rows(view_, planes, indices_unread_, threads, out); });
    }

    template <class Work>
    bool read(const PlanesView& planes, Work work) const {
        if (view_.examples == 0 || planes.count == 0) return true;
        Reading found;
        {
            // Few rows take less time than waking another thread.
            constexpr std::size_t kFew = 16;
            std::optional<nb::gil_scoped_release> release;
            if (view_.examples > kFew) release.emplace();
            found = work();
        }
        if (found == Reading::broken) check_indices();  // throws with the position
        indices_unread_ = false;
        return found == Reading::finite;
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
    mutable SharedFlag indices_unread_;
    std::vector<AnyArray> held_;
};

void bind_rows(nb::module_& m);

}  // namespace rosenblatt
