// Operations of the kernel perceptron outside of its run: adding rows to scores, and votes.
#include <nanobind/stl/string.h>

#include <stdexcept>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "runs/dual/dual_vote.hpp"
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
        throw std::invalid_argument("there must be one scale per update and one survival per weight vector");
    for (std::size_t k = 0; k < count; ++k)
        if (columns.data()[k] >= kernel_values.shape(1)) throw std::invalid_argument("an update names a support vector that does not exist");
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
    return numpy_array(std::move(balance));
}

nb::object joint_votes(Matrix kernel_values, Vector<std::uint32_t> columns, Vector<double> scales,
                       Vector<double> survival, bool offset, Vector<std::uint32_t> truths,
                       Vector<std::uint32_t> rivals, std::size_t classes) {
    const Voters voters = checked_voters(kernel_values, columns, scales, survival, offset);
    if (truths.shape(0) != voters.count || rivals.shape(0) != voters.count)
        throw std::invalid_argument("there must be one true class and one rival per update");
    for (std::size_t k = 0; k < voters.count; ++k)
        if (truths.data()[k] >= classes || rivals.data()[k] >= classes) throw std::invalid_argument("an update names a class that does not exist");
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
    m.def("votes", &votes, "kernel_values"_a, "columns"_a, "scales"_a, "survival"_a, "offset"_a, "tie_is_positive"_a);
    m.def("joint_votes", &joint_votes, "kernel_values"_a, "columns"_a, "scales"_a, "survival"_a, "offset"_a, "truths"_a,
          "rivals"_a, "classes"_a);
}

}  // namespace rosenblatt
