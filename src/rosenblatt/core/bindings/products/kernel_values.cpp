// Python bindings of kernel values, and of exp and tanh.
#include <nanobind/stl/string.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bindings/rows.hpp"
#include "products/kernel_values.hpp"

namespace rosenblatt {

using namespace nb::literals;

namespace {

using Output = nb::ndarray<double, nb::ndim<2>, nb::device::cpu>;
template <class Value>
using Integers = nb::ndarray<const Value, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

KernelFunction kernel_named(const std::string& name, double gamma, std::uint64_t degree, double coef0) {
    using Name = KernelFunction::Name;
    const std::pair<const char*, Name> names[] = {{"linear", Name::linear},
                                                  {"poly", Name::polynomial},
                                                  {"rbf", Name::gaussian},
                                                  {"laplacian", Name::laplacian},
                                                  {"sigmoid", Name::sigmoid}};
    if (degree == 0) throw std::invalid_argument("the degree of a polynomial kernel must be at least 1");
    for (const auto& [known, value] : names)
        if (name == known) return {value, gamma, coef0, degree};
    throw std::invalid_argument("no kernel is named '" + name + "'");
}

ValuesOut checked(const Output& out, std::size_t rows, std::size_t columns) {
    if (out.shape(0) != rows || out.shape(1) != columns || (columns > 1 && out.stride(1) != 1) || out.stride(0) < 0)
        throw std::invalid_argument("`out` must have one row for each row of a and one value for each row of b");
    return {out.data(), static_cast<std::size_t>(out.stride(0))};
}

bool kernel_values(const KernelFunction& kernel, const Rows& a, const Rows& b, Output out, std::size_t threads) {
    const RowsView &left = a.view(), &right = b.view();
    if (left.features != right.features) throw std::invalid_argument("a and b must have the same features");
    if (is_dense(left.storage) != is_dense(right.storage))
        throw std::invalid_argument("a and b must both be dense or both be sparse");
    const ValuesOut to = checked(out, left.examples, right.examples);
    nb::gil_scoped_release release;
    return (is_dense(left.storage) ? dense_kernel_values : sparse_kernel_values)(kernel, left, right, threads, to);
}

template <class Value>
bool integer_values(const KernelFunction& kernel, Integers<Value> a, Integers<Value> b, Output out, std::size_t threads) {
    const std::size_t width = a.shape(1);
    if (b.shape(1) != width || width % kIntegerPad != 0)
        throw std::invalid_argument("rows must be of one length, a multiple of " + std::to_string(kIntegerPad));
    if (!kernel.takes_products()) throw std::invalid_argument("rows of integers are for kernels of inner products only");
    const ValuesOut to = checked(out, a.shape(0), b.shape(0));
    nb::gil_scoped_release release;
    return integer_kernel_values<Value>(kernel, {a.data(), a.shape(0), width}, {b.data(), b.shape(0), width}, threads, to);
}

nb::object of_each(const Vector<double>& values, void (*function)(const double*, std::size_t, double*)) {
    std::vector<double> found(values.shape(0));
    {
        nb::gil_scoped_release release;
        function(values.data(), found.size(), found.data());
    }
    return numpy_array(std::move(found));
}

}  // namespace

void bind_products(nb::module_& m) {
    nb::class_<KernelFunction>(m, "KernelFunction", "A kernel with its parameters.")
        .def("__init__",
             [](KernelFunction* self, const std::string& name, double gamma, std::uint64_t degree, double coef0) {
                 new (self) KernelFunction(kernel_named(name, gamma, degree, coef0));
             },
             "name"_a, "gamma"_a = 1.0, "degree"_a = 1, "coef0"_a = 0.0);
    m.def("kernel_values", &kernel_values, "kernel"_a, "a"_a, "b"_a, "out"_a.noconvert(), "threads"_a,
          "Writes k(a_i, b_j) to out[i, j], from rows that are both dense or both sparse (columns in order, each stored "
          "once); returns whether all values are finite.");
    m.attr("INTEGER_PAD") = kIntegerPad;
    m.attr("MULTIPLIES_BYTES") = kernels().products.byte_products != nullptr;
    m.def("integer_kernel_values", &integer_values<std::int16_t>, "kernel"_a, "a"_a.noconvert(), "b"_a.noconvert(),
          "out"_a.noconvert(), "threads"_a,
          "The same from rows of small integers; the caller ensures that 32 bits hold every sum of products.");
    if (kernels().products.byte_products)
        m.def("integer_kernel_values", &integer_values<std::uint8_t>, "kernel"_a, "a"_a.noconvert(), "b"_a.noconvert(),
              "out"_a.noconvert(), "threads"_a);
    m.def("exponentials", [](Vector<double> x) { return of_each(x, kernels().products.exponentials); }, "x"_a,
          "exp of each number, the same bits on every machine.");
    m.def("tangents", [](Vector<double> x) { return of_each(x, kernels().products.tangents); }, "x"_a,
          "tanh of each number, the same bits on every machine.");
}

}  // namespace rosenblatt
