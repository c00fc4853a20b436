// The history and the recorded updates of a run as Python objects.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "runs/history.hpp"
#include "runs/online/online_run.hpp"

namespace rosenblatt {

// epoch, presented, mistakes, errors, loss
inline nb::tuple as_tuple(const EpochRow& row) {
    return nb::make_tuple(row.epoch, row.presented, row.mistakes, row.errors, row.loss);
}

// The same columns, one row per kept epoch.
inline nb::object table_of(const std::vector<EpochRow>& rows) {
    std::vector<double> table;
    table.reserve(rows.size() * 5);
    for (const EpochRow& row : rows)
        table.insert(table.end(), {static_cast<double>(row.epoch), static_cast<double>(row.presented),
                                   static_cast<double>(row.mistakes), static_cast<double>(row.errors), row.loss});
    return numpy_array(std::move(table), {rows.size(), 5});
}

inline nb::object table_of(const History& history) { return table_of(history.rows()); }

// presented, problem, example: one entry per update
inline nb::tuple arrays_of(const std::vector<Update>& updates) {
    std::vector<std::uint64_t> presented;
    std::vector<std::uint32_t> problem, example;
    for (const Update& update : updates) {
        presented.push_back(update.presented);
        problem.push_back(update.problem);
        example.push_back(update.example);
    }
    return nb::make_tuple(numpy_array(std::move(presented)), numpy_array(std::move(problem)),
                          numpy_array(std::move(example)));
}

}  // namespace rosenblatt
