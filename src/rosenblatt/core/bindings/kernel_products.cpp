// What a kernel perceptron needs beside its run: rows added to scores, products of integers, votes.
#include <nanobind/stl/string.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "runs/dual_vote.hpp"
#include "simd/kernels.hpp"
#include "util/buffer.hpp"
#include "util/exactness.hpp"

namespace rosenblatt {

using namespace nb::literals;

namespace {

Voters checked_voters(const Matrix& kernel_values, const Vector<std::uint32_t>& columns, const Vector<double>& scales,
                      const Vector<double>& survival, bool offset) {
    const std::size_t count = columns.shape(0);
    if (scales.shape(0) != count || survival.shape(0) != count + 1)
        throw std::invalid_argument("one scale an update and one survival a vector");
    for (std::size_t k = 0; k < count; ++k)
        if (columns.data()[k] >= kernel_values.shape(1)) throw std::invalid_argument("no such support vector");
    return {count, columns.data(), scales.data(), survival.data(), offset ? 1.0 : 0.0};
}

nb::object votes(Matrix kernel_values, Vector<std::uint32_t> columns, Vector<double> scales, Vector<double> survival,
                 bool offset, bool tie_is_positive) {
    const Voters voters = checked_voters(kernel_values, columns, scales, survival, offset);
    std::vector<double> balance(kernel_values.shape(0));
    {
        nb::gil_scoped_release release;
        for (std::size_t r = 0; r < balance.size(); ++r)
            balance[r] = vote(voters, kernel_values.data() + r * kernel_values.shape(1), tie_is_positive);
    }
    const std::size_t rows = balance.size();
    return numpy_array(std::move(balance), {rows});
}

nb::object joint_votes(Matrix kernel_values, Vector<std::uint32_t> columns, Vector<double> scales,
                       Vector<double> survival, bool offset, Vector<std::uint32_t> truths,
                       Vector<std::uint32_t> rivals, std::size_t classes) {
    const Voters voters = checked_voters(kernel_values, columns, scales, survival, offset);
    if (truths.shape(0) != voters.count || rivals.shape(0) != voters.count)
        throw std::invalid_argument("one true class and one rival an update");
    for (std::size_t k = 0; k < voters.count; ++k)
        if (truths.data()[k] >= classes || rivals.data()[k] >= classes) throw std::invalid_argument("no such class");
    const std::size_t rows = kernel_values.shape(0);
    std::vector<double> won(rows * classes);
    {
        nb::gil_scoped_release release;
        std::vector<double> scores(classes);
        for (std::size_t r = 0; r < rows; ++r)
            vote_jointly(voters, truths.data(), rivals.data(), kernel_values.data() + r * kernel_values.shape(1), scores,
                         won.data() + r * classes);
    }
    return numpy_array(std::move(won), {rows, classes});
}

using Output = nb::ndarray<double, nb::ndim<2>, nb::device::cpu>;

// scores[c] += sum over k of changes[k][c] * rows[k], for the few changes that are not zero.
void add_rows(Output scores, Matrix changes, Matrix rows) {
    const std::size_t planes = scores.shape(0), count = scores.shape(1);
    if (scores.stride(1) != 1 || changes.shape(0) != rows.shape(0) || changes.shape(1) != planes ||
        rows.shape(1) != count)
        throw std::invalid_argument("scores, changes and rows do not fit together");
    nb::gil_scoped_release release;
    for (std::size_t k = 0; k < rows.shape(0); ++k)
        for (std::size_t c = 0; c < planes; ++c)
            if (const double change = changes.data()[k * planes + c]; change != 0)
                kernels().add_scaled(rows.data() + k * count, change,
                                     scores.data() + static_cast<std::ptrdiff_t>(c) * scores.stride(0), count);
}

template <class Value>
using Integers = nb::ndarray<const Value, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Products below which a second thread costs more than it brings.
constexpr double kThreadWork = 4e6;

// Bytes of rows that meet others from the second-level cache.
constexpr std::size_t kPanelBytes = std::size_t{1} << 18;

template <class Value>
void integer_products(Integers<Value> a, Integers<Value> b,
                      nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu> out, std::size_t threads) {
    const std::size_t rows = a.shape(0), columns = b.shape(0), width = a.shape(1);
    if (b.shape(1) != width || width % kIntegerPad != 0)
        throw std::invalid_argument("rows must be of one length, a multiple of " + std::to_string(kIntegerPad));
    if (out.shape(0) != rows || out.shape(1) != columns) throw std::invalid_argument("`out` has the wrong shape");
    nb::gil_scoped_release release;
    const double work = static_cast<double>(rows) * static_cast<double>(columns) * static_cast<double>(width);
    const std::size_t parts =
        std::max<std::size_t>(1, std::min({threads, rows, static_cast<std::size_t>(work / kThreadWork)}));
    const auto part = [&](std::size_t k) {
        const std::size_t begin = rows * k / parts, end = rows * (k + 1) / parts;
        const Value* mine = a.data() + begin * width;
        double* values = out.data() + begin * columns;
        if constexpr (sizeof(Value) == 1) {
            const Buffer<std::int8_t> shifted(kByteRows * width);
            std::vector<std::int32_t> moved(std::min(columns, kPanelBytes / (width + 1) + 1));
            const ByteRoom room{moved.size(), shifted.data(), moved.data()};
            kernels().byte_products(mine, end - begin, b.data(), columns, width, room, values, columns);
        } else {
            kernels().integer_products(mine, end - begin, b.data(), columns, width, values, columns);
        }
    };
    std::vector<std::thread> others;
    for (std::size_t k = 1; k < parts; ++k) others.emplace_back(part, k);
    part(0);
    for (std::thread& other : others) other.join();
}

}  // namespace

void bind_kernel(nb::module_& m) {
    m.def(
        "grid",
        [](Matrix values) {
            const Grid found = grid_of(values.data(), values.shape(0), values.shape(1),
                                       static_cast<std::ptrdiff_t>(values.shape(1)));
            return nb::make_tuple(found.low, found.largest);
        },
        "values"_a, "(low, largest): all values are multiples of 2**low, and none is larger in magnitude.");
    m.def("add_rows", &add_rows, "scores"_a.noconvert(), "changes"_a, "rows"_a);
    m.attr("INTEGER_PAD") = kIntegerPad;
    m.def("integer_products", &integer_products<std::int16_t>, "a"_a.noconvert(), "b"_a.noconvert(),
          "out"_a.noconvert(), "threads"_a, "out = a b^T, as float64; the caller knows that 32 bits hold every sum.");
    m.attr("MULTIPLIES_BYTES") = kernels().byte_products != nullptr;
    if (kernels().byte_products)
        m.def("integer_products", &integer_products<std::uint8_t>, "a"_a.noconvert(), "b"_a.noconvert(),
              "out"_a.noconvert(), "threads"_a);
    m.def("votes", &votes, "kernel_values"_a, "columns"_a, "scales"_a, "survival"_a, "offset"_a, "tie_is_positive"_a);
    m.def("joint_votes", &joint_votes, "kernel_values"_a, "columns"_a, "scales"_a, "survival"_a, "offset"_a, "truths"_a,
          "rivals"_a, "classes"_a);
}

}  // namespace rosenblatt
