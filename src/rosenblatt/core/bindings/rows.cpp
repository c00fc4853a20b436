#include "bindings/rows.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

namespace rosenblatt {

using namespace nb::literals;

void bind_rows(nb::module_& m) {
    nb::class_<Rows>(m, "Rows", "Examples in a storage that the kernels read as it is.")
        .def_static("dense", &Rows::dense, "values"_a)
        .def_static("csr", &Rows::csr, "values"_a, "indices"_a, "starts"_a, "features"_a,
                    "checked"_a = false, "lazily"_a = false)
        .def("part", &Rows::part, "begin"_a, "end"_a)
        .def_prop_ro("n_examples", &Rows::examples)
        .def_prop_ro("n_features", &Rows::features)
        .def_prop_ro("n_values", &Rows::values)
        .def("first_nonfinite", &Rows::first_nonfinite)
        .def("largest_magnitude", &Rows::largest_magnitude)
        .def("scores", &Rows::scores, "weights"_a, "offsets"_a)
        .def("score_into", &Rows::score_into, "weights"_a, "offsets"_a, "out"_a.noconvert(), "n_threads"_a = 1)
        .def("label_into", &Rows::label_into, "weights"_a, "offsets"_a, "pairs"_a, "ties_are_positive"_a, "classes"_a,
             "n_classes"_a, "out"_a.noconvert(), "n_threads"_a = 1);

    m.def(
        "label_scores",
        [](nb::ndarray<nb::ro, nb::ndim<2>, nb::c_contig, nb::device::cpu> scores, Vector<std::uint8_t> classes,
           std::size_t n_classes, BytesOut out) {
            const std::size_t n = scores.shape(0), columns = scores.shape(1);
            const std::size_t width = n_classes ? classes.shape(0) / n_classes : 0;
            const bool narrow = scores.dtype() == nb::dtype<float>();
            if (n_classes < 2 || columns != (n_classes == 2 ? 1 : n_classes) || width == 0 ||
                classes.shape(0) != n_classes * width || out.shape(0) != n * width ||
                !(narrow || scores.dtype() == nb::dtype<double>()))
                throw std::invalid_argument("the labels do not fit the scores");
            const LabelsView labels{classes.data(), n_classes, width, out.data()};
            if (narrow)
                label_scores(static_cast<const float*>(scores.data()), n, columns, labels);
            else
                label_scores(static_cast<const double*>(scores.data()), n, columns, labels);
        },
        "scores"_a, "classes"_a, "n_classes"_a, "out"_a.noconvert(),
        "Writes the label of each example: the later of two where the score is positive, else the first of the largest.");

    m.def(
        "pair_votes",
        [](Matrix scores, std::size_t n_classes, bool ties_are_positive, MatrixOut out) {
            const std::size_t pairs = pairs_of(n_classes);
            if (scores.shape(1) != pairs || out.shape(0) != scores.shape(0) || out.shape(1) != n_classes)
                throw std::invalid_argument("there must be one score per pair of classes");
            std::vector<double> sums(n_classes);
            for (std::size_t i = 0; i < scores.shape(0); ++i)
                count_votes(scores.data() + i * pairs, n_classes, ties_are_positive ? Tie::positive : Tie::mistake,
                            out.data() + i * n_classes, sums.data());
        },
        "scores"_a, "n_classes"_a, "ties_are_positive"_a, "out"_a.noconvert(),
        "Writes the votes of each class: one per pair that it won, and a term below one half for its summed scores.");
}

}  // namespace rosenblatt
