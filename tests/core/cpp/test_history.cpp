#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "runs/history.hpp"

using namespace rosenblatt;

namespace {

std::vector<EpochRow> history_of(std::uint64_t epochs) {
    History history;
    for (std::uint64_t epoch = 1; epoch <= epochs; ++epoch) history.add({epoch, 10 * epoch, epoch, 0, 0.5});
    return history.rows();
}

}  // namespace

TEST_CASE("a short history keeps every epoch") {
    for (const std::uint64_t epochs : {0u, 1u, 2u, 9998u}) {
        const std::vector<EpochRow> rows = history_of(epochs);
        REQUIRE(rows.size() == epochs);
        for (std::uint64_t k = 0; k < epochs; ++k) CHECK(rows[k].epoch == k + 1);
    }
}

TEST_CASE("a long history keeps evenly spaced epochs, and the last") {
    for (const std::uint64_t epochs : {9999u, 10000u, 10001u, 20000u, 123457u, 1000000u}) {
        const std::vector<EpochRow> rows = history_of(epochs);
        CHECK(rows.size() <= History::kMaxRows);
        CHECK(rows.size() >= History::kMaxRows / 2 - 1);
        CHECK(rows[0].epoch == 1);
        CHECK(rows.back().epoch == epochs);
        const std::uint64_t spacing = rows[1].epoch - rows[0].epoch;
        for (std::size_t k = 1; k + 1 < rows.size(); ++k) CHECK(rows[k].epoch == rows[k - 1].epoch + spacing);
        CHECK(rows.back().epoch - rows[rows.size() - 2].epoch <= spacing);
        for (const EpochRow& row : rows) CHECK(row.presented == 10 * row.epoch);
    }
}

TEST_CASE("a saved history continues as if it had not been saved") {
    History whole, first;
    for (std::uint64_t epoch = 1; epoch <= 15000; ++epoch) whole.add({epoch, 0, 0, 0, 0.0});
    for (std::uint64_t epoch = 1; epoch <= 12345; ++epoch) first.add({epoch, 0, 0, 0, 0.0});
    History second(first.kept(), first.spacing(), first.last());
    for (std::uint64_t epoch = 12346; epoch <= 15000; ++epoch) second.add({epoch, 0, 0, 0, 0.0});
    const std::vector<EpochRow> expected = whole.rows(), found = second.rows();
    REQUIRE(found.size() == expected.size());
    for (std::size_t k = 0; k < found.size(); ++k) CHECK(found[k].epoch == expected[k].epoch);
}
