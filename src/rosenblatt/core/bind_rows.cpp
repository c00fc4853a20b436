#include "bind_rows.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

namespace rosenblatt {

using namespace nb::literals;

void bind_rows(nb::module_& m) {
    nb::class_<Rows>(m, "Rows", "Examples in a storage that the kernels read as it is.")
        .def_static("dense", &Rows::dense, "values"_a)
        .def_static("csr", &Rows::csr, "values"_a, "indices"_a, "starts"_a, "features"_a,
                    "checked"_a = false)
        .def_prop_ro("n_examples", [](const Rows& rows) { return rows.view().examples; })
        .def_prop_ro("n_features", [](const Rows& rows) { return rows.view().features; })
        .def("first_nonfinite", &Rows::first_nonfinite)
        .def("largest_magnitude", &Rows::largest_magnitude)
        .def("scores", &Rows::scores, "weights"_a, "offsets"_a);
}

}  // namespace rosenblatt
