// Plan(...): keyword arguments, each defined once in the table below.
#include "bindings/runs/plan.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <cstddef>
#include <cstring>
#include <iterator>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>

#include "bindings/arrays.hpp"
#include "bindings/runs/names.hpp"

namespace rosenblatt {

namespace {

std::uint64_t limit_of(nb::handle value) { return nb::cast<std::optional<std::uint64_t>>(value).value_or(kNoLimit); }

std::vector<std::uint32_t> indices_of(nb::handle value) {
    if (value.is_none()) return {};
    const auto indices = nb::cast<Vector<std::uint32_t>>(value);
    return {indices.data(), indices.data() + indices.shape(0)};
}

struct Field {
    const char* name;
    void (*set)(Plan& plan, nb::handle value);
};

constexpr Field kFields[] = {
    {"eta0", [](Plan& plan, nb::handle value) { plan.rule.eta0 = nb::cast<double>(value); }},
    {"tie", [](Plan& plan, nb::handle value) { plan.rule.tie = tie_named(nb::cast<std::string>(value)); }},
    {"error_tie", [](Plan& plan, nb::handle value) { plan.rule.error_tie = tie_named(nb::cast<std::string>(value)); }},
    {"fit_intercept", [](Plan& plan, nb::handle value) { plan.rule.fit_intercept = nb::cast<bool>(value); }},
    {"margin", [](Plan& plan, nb::handle value) { plan.rule.margin = nb::cast<double>(value); }},
    {"step", [](Plan& plan, nb::handle value) { plan.rule.step = step_named(nb::cast<std::string>(value)); }},
    {"aggressiveness", [](Plan& plan, nb::handle value) { plan.rule.aggressiveness = nb::cast<double>(value); }},
    {"order", [](Plan& plan, nb::handle value) { plan.order = order_named(nb::cast<std::string>(value)); }},
    {"seed", [](Plan& plan, nb::handle value) { plan.seed = nb::cast<std::uint64_t>(value); }},
    {"first_epoch", [](Plan& plan, nb::handle value) { plan.first_epoch = nb::cast<std::uint64_t>(value); }},
    {"rivals", [](Plan& plan, nb::handle value) { plan.rule.rivals = rivals_named(nb::cast<std::string>(value)); }},
    {"joint", [](Plan& plan, nb::handle value) { plan.joint = nb::cast<bool>(value); }},
    {"batch", [](Plan& plan, nb::handle value) { plan.batch = nb::cast<bool>(value); }},
    {"average", [](Plan& plan, nb::handle value) { plan.average = nb::cast<bool>(value); }},
    {"pocket", [](Plan& plan, nb::handle value) { plan.pocket = nb::cast<bool>(value); }},
    {"ratchet", [](Plan& plan, nb::handle value) { plan.ratchet = nb::cast<bool>(value); }},
    {"record", [](Plan& plan, nb::handle value) { plan.record = nb::cast<bool>(value); }},
    {"max_iter", [](Plan& plan, nb::handle value) { plan.limits.max_iter = limit_of(value); }},
    {"max_steps", [](Plan& plan, nb::handle value) { plan.limits.max_steps = limit_of(value); }},
    {"max_updates", [](Plan& plan, nb::handle value) { plan.limits.max_updates = limit_of(value); }},
    {"patience", [](Plan& plan, nb::handle value) { plan.limits.patience = limit_of(value); }},
    {"n_iter_no_change", [](Plan& plan, nb::handle value) { plan.limits.n_iter_no_change = limit_of(value); }},
    {"max_error", [](Plan& plan, nb::handle value) { plan.limits.max_error = nb::cast<double>(value); }},
    {"may_stall", [](Plan& plan, nb::handle value) { plan.limits.may_stall = nb::cast<bool>(value); }},
    {"ask_before_stall", [](Plan& plan, nb::handle value) { plan.limits.ask_before_stall = nb::cast<bool>(value); }},
    {"validation", [](Plan& plan, nb::handle value) { plan.validation = indices_of(value); }},
};

// Sets the field of this name and returns its index. The search begins at `first`: a caller that gives the fields in the
// order of the table finds each at once.
std::size_t set_field(Plan& plan, const char* name, nb::handle value, std::size_t first) {
    for (std::size_t k = 0; k < std::size(kFields); ++k) {
        const std::size_t index = (first + k) % std::size(kFields);
        if (std::strcmp(name, kFields[index].name) != 0) continue;
        try {
            kFields[index].set(plan, value);
            return index;
        } catch (const nb::cast_error&) {
            throw std::invalid_argument("Plan: " + std::string(name) + " cannot be " +
                                        nb::cast<std::string>(nb::repr(value)));
        }
    }
    throw std::invalid_argument("Plan has no field " + std::string(name));
}

}  // namespace

void bind_plan(nb::module_& m) {
    nb::class_<Plan>(m, "Plan", "The settings of a run; every field has a default.")
        .def("__init__", [](Plan* self, const nb::kwargs& fields) {
            Plan plan;
            std::size_t next = 0;
            for (const auto& [name, value] : fields) next = set_field(plan, nb::cast<const char*>(name), value, next) + 1;
            new (self) Plan(std::move(plan));
        })
        .def_prop_ro("limits", [](const Plan& self) { return self.limits; });
    nb::list names;
    for (const Field& field : kFields) names.append(field.name);
    m.attr("PLAN_FIELDS") = nb::tuple(names);
}

void check_plan(const Plan& plan, const std::vector<std::int32_t>& positives, const std::int32_t* labels,
                std::size_t examples) {
    if (positives.empty() || (plan.joint && positives.size() < 2)) throw std::invalid_argument("too few planes");
    if (plan.order == Order::misclassified && positives.size() != 1 && !plan.joint)
        throw std::invalid_argument("each problem has a misclassified set of its own: run them one by one");
    for (const std::uint32_t i : plan.validation)
        if (i >= examples) throw std::invalid_argument("a validation example does not exist");
    if (!plan.joint) return;
    for (std::size_t i = 0; i < examples; ++i)
        if (labels[i] < 0 || static_cast<std::size_t>(labels[i]) >= positives.size())
            throw std::invalid_argument("under the joint rule every label has a plane of its own");
}

}  // namespace rosenblatt
