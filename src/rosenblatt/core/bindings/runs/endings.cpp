// The rules of a run for a caller that runs the epochs itself, such as a cluster: how a problem ends, whether its weights equal
// those of an earlier epoch, and which rows of a long history are kept.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/runs/names.hpp"
#include "runs/cycle.hpp"
#include "runs/endings.hpp"
#include "runs/history.hpp"

namespace rosenblatt {

using namespace nb::literals;

namespace {

nb::object ending_of(const EpochFacts& facts, const Limits& limits) {
    const Ending ending = decide(facts, limits);
    return ending == Ending::running ? nb::none() : nb::cast(name_of(ending));
}

// A state of n numbers as CycleWatch takes it: one plane, whose offset is the first number.
std::uint64_t observe(CycleWatch& watch, std::uint64_t epoch, Vector<double> state) {
    if (state.shape(0) == 0) throw std::invalid_argument("a state has at least one number");
    if (watch.copy().size() && watch.copy().size() != state.shape(0))
        throw std::invalid_argument("all states of a watch have the same size");
    double* numbers = const_cast<double*>(state.data());  // passes write to Weights; a watch only reads
    return watch.observe(epoch, Weights{numbers + 1, 0, true, numbers}, 0, 1, state.shape(0) - 1);
}

CycleWatch restored_watch(std::optional<Vector<double>> kept, std::uint64_t kept_at, std::uint64_t keep_next) {
    Buffer<double> copy;
    if (kept) {
        copy = Buffer<double>(kept->shape(0));
        std::copy_n(kept->data(), kept->shape(0), copy.data());
    }
    return {std::move(copy), {kept_at, keep_next}};
}

// A row with columns of the caller's choice; the first is the epoch.
struct FreeRow {
    std::uint64_t epoch = 0;
    std::vector<double> columns;

    FreeRow() = default;
    explicit FreeRow(std::vector<double> row) : columns(std::move(row)) {
        if (columns.empty() || !(columns[0] >= 1)) throw std::invalid_argument("a row begins with its epoch: 1, 2, ...");
        epoch = static_cast<std::uint64_t>(columns[0]);
    }
};

using FreeHistory = ThinnedHistory<FreeRow>;

std::vector<std::vector<double>> columns_of(const std::vector<FreeRow>& rows) {
    std::vector<std::vector<double>> all;
    for (const FreeRow& row : rows) all.push_back(row.columns);
    return all;
}

FreeHistory restored_history(std::vector<std::vector<double>> kept, std::uint64_t spacing,
                             std::optional<std::vector<double>> last) {
    if (spacing == 0) throw std::invalid_argument("the spacing of a history is at least 1");
    std::vector<FreeRow> rows;
    for (std::vector<double>& row : kept) rows.emplace_back(std::move(row));
    return {std::move(rows), spacing, last ? FreeRow(std::move(*last)) : FreeRow()};
}

}  // namespace

void bind_endings(nb::module_& m) {
    nb::class_<Limits>(m, "Limits", "The limits of a plan: Plan(...).limits.");
    nb::class_<EpochFacts>(m, "EpochFacts", "The state of a problem at the end of an epoch, or within one.")
        .def(
            "__init__",
            [](EpochFacts* self, bool epoch_ended, std::uint64_t epoch, std::uint64_t examples, std::uint64_t presented,
               std::uint64_t mistakes, std::uint64_t last_change, std::uint64_t epoch_errors, bool no_mistake,
               std::uint64_t period, std::uint64_t best_epoch, std::uint64_t validated_epoch, double work,
               bool separable) {
                new (self) EpochFacts{epoch_ended, epoch,      examples, presented,  mistakes,        last_change, epoch_errors,
                                      no_mistake,  period,     best_epoch, validated_epoch, work,        separable};
            },
            nb::kw_only(), "epoch_ended"_a, "epoch"_a, "examples"_a, "presented"_a, "mistakes"_a, "last_change"_a,
            "epoch_errors"_a, "no_mistake"_a, "period"_a, "best_epoch"_a, "validated_epoch"_a, "work"_a, "separable"_a);
    m.def("decide", &ending_of, "facts"_a, "limits"_a, "How the problem ends, or None while it goes on.");

    nb::class_<CycleWatch>(m, "CycleWatch", "Detects that a state equals that of an earlier epoch (Brent 1980).")
        .def("__init__",
             [](CycleWatch* self, std::optional<Vector<double>> kept, std::uint64_t kept_at, std::uint64_t keep_next) {
                 new (self) CycleWatch(restored_watch(std::move(kept), kept_at, keep_next));
             },
             "kept"_a.none() = nb::none(), "kept_at"_a = 0, "keep_next"_a = 0)
        .def("observe", &observe, "epoch"_a, "state"_a, "The number of epochs since the same state, or 0.")
        .def_prop_ro("kept",
                     [](const CycleWatch& self) -> nb::object {
                         if (!self.copy().size()) return nb::none();
                         const double* kept = self.copy().data();
                         return numpy_array(std::vector<double>(kept, kept + self.copy().size()));
                     })
        .def_prop_ro("kept_at", [](const CycleWatch& self) { return self.schedule().kept_at; })
        .def_prop_ro("keep_next", [](const CycleWatch& self) { return self.schedule().keep_next; });

    nb::class_<FreeHistory>(m, "History", "Rows of numbers, the epoch first, thinned to below MAX_ROWS and the last.")
        .def("__init__",
             [](FreeHistory* self, std::vector<std::vector<double>> kept, std::uint64_t spacing,
                std::optional<std::vector<double>> last) {
                 new (self) FreeHistory(restored_history(std::move(kept), spacing, std::move(last)));
             },
             "kept"_a = std::vector<std::vector<double>>{}, "spacing"_a = 1, "last"_a.none() = nb::none())
        .def("add", [](FreeHistory& self, std::vector<double> row) { self.add(FreeRow(std::move(row))); }, "row"_a)
        .def_prop_ro("rows", [](const FreeHistory& self) { return columns_of(self.rows()); })
        .def_prop_ro("kept", [](const FreeHistory& self) { return columns_of(self.kept()); })
        .def_prop_ro("spacing", &FreeHistory::spacing)
        .def_prop_ro("last", [](const FreeHistory& self) -> nb::object {
            return self.last().epoch ? nb::cast(self.last().columns) : nb::none();
        })
        .def_prop_ro_static("MAX_ROWS", [](nb::handle) { return FreeHistory::kMaxRows; });
}

}  // namespace rosenblatt
