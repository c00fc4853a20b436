#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "bindings/rows.hpp"
#include "bindings/runs/names.hpp"
#include "theory/find_cycle.hpp"

namespace rosenblatt {

using namespace nb::literals;

namespace {

// A CycleSearch together with the arrays that it reads.
class PyCycleSearch {
   public:
    PyCycleSearch(const Rows& rows, Vector<std::int32_t> labels, std::int32_t positive, Vector<double> start,
                  double start_offset, double eta0, const std::string& tie, bool fit_intercept)
        : rows_(rows), labels_(labels) {
        const RowsView& view = rows.view();
        if (labels.shape(0) != view.examples || view.examples == 0)
            throw std::invalid_argument("there must be at least one example, and one label per example");
        if (start.shape(0) != view.features) throw std::invalid_argument("the start does not fit the rows");
        const Tie rule = tie_named(tie);
        search_ = std::make_unique<CycleSearch>(Examples{view, labels.data(), nullptr, nullptr},
                                                Rule{eta0, rule, rule, fit_intercept, 0.0, Step::constant, 1.0}, positive, start.data(),
                                                start_offset);
    }

    bool advance(std::uint64_t epochs) {
        nb::gil_scoped_release release;
        return search_->advance(epochs);
    }

    const Cycle& found() const { return search_->found(); }

   private:
    Rows rows_;
    Vector<std::int32_t> labels_;
    std::unique_ptr<CycleSearch> search_;
};

}  // namespace

void bind_cycle(nb::module_& m) {
    nb::class_<PyCycleSearch>(m, "CycleSearch", "Finds where a cyclic run of the perceptron returns to an earlier state.")
        .def(nb::init<const Rows&, Vector<std::int32_t>, std::int32_t, Vector<double>, double, double,
                      const std::string&, bool>(),
             nb::kw_only(), "rows"_a, "labels"_a, "positive"_a, "start"_a, "start_offset"_a, "eta0"_a, "tie"_a,
             "fit_intercept"_a)
        .def("advance", &PyCycleSearch::advance, "epochs"_a)
        .def_prop_ro("pre_period", [](const PyCycleSearch& self) { return self.found().pre_period; })
        .def_prop_ro("period", [](const PyCycleSearch& self) { return self.found().period; })
        .def_prop_ro("epochs", [](const PyCycleSearch& self) { return self.found().epochs; })
        .def_prop_ro("separated", [](const PyCycleSearch& self) { return self.found().separated; })
        .def_prop_ro("mistakes", [](const PyCycleSearch& self) {
            return numpy_array(self.found().mistakes, {self.found().mistakes.size()});
        });
}

}  // namespace rosenblatt
