#include <cstdint>
#include <stdexcept>
#include <vector>

#include "bindings/arrays.hpp"
#include "theory/min_norm.hpp"

namespace rosenblatt {

using namespace nb::literals;

namespace {

const char* name_of(MinNorm::Pause pause) {
    constexpr const char* names[] = {"slice", "optimal", "zero", "stuck"};
    return names[static_cast<std::size_t>(pause)];
}

}  // namespace

void bind_min_norm(nb::module_& m) {
    nb::class_<MinNorm>(m, "MinNorm", "The point of least norm in a convex hull, in floating point: a guess to prove.")
        .def(nb::init<std::size_t>(), "dim"_a)
        .def(
            "add",
            [](MinNorm& self, Matrix points) {
                if (points.shape(1) != self.dim()) throw std::invalid_argument("the points have another dimension");
                self.add(points.data(), points.shape(0));
            },
            "points"_a)
        .def(
            "solve",
            [](MinNorm& self, double slack, std::uint64_t work) {
                nb::gil_scoped_release release;
                return name_of(self.solve(slack, work));
            },
            "slack"_a, "work"_a)
        .def_prop_ro("size", &MinNorm::size)
        .def_prop_ro("work_done", &MinNorm::work_done)
        .def_prop_ro("gap", &MinNorm::gap)
        .def_prop_ro("members",
                     [](const MinNorm& self) {
                         const auto& members = self.members();
                         return numpy_array(std::vector<std::int64_t>(members.begin(), members.end()), {members.size()});
                     })
        .def_prop_ro("multipliers",
                     [](const MinNorm& self) { return numpy_array(self.multipliers(), {self.multipliers().size()}); })
        .def_prop_ro("point", [](const MinNorm& self) { return numpy_array(self.point(), {self.point().size()}); });
}

}  // namespace rosenblatt
