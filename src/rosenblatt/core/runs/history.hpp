// What each epoch met, thinned so that a run of a million epochs keeps at most `kRows` evenly spaced rows and the last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rosenblatt {

struct EpochRow {
    std::uint64_t epoch;     // 1, 2, ...
    std::uint64_t presented; // examples, once for each problem still running
    std::uint64_t mistakes;
    std::uint64_t errors;
    double loss;
};

class History {
   public:
    void add(const EpochRow& row) {
        last_ = row;
        if ((row.epoch - 1) % spacing_ != 0) return;
        if (rows_.size() + 1 >= kRows) {
            std::size_t kept = 0;
            for (std::size_t k = 0; k < rows_.size(); k += 2) rows_[kept++] = rows_[k];
            rows_.resize(kept);
            spacing_ *= 2;
            if ((row.epoch - 1) % spacing_ != 0) return;
        }
        rows_.push_back(row);
    }

    const EpochRow& latest() const { return last_; }

    std::vector<EpochRow> rows() const {
        std::vector<EpochRow> all = rows_;
        if (last_.epoch && (all.empty() || all.back().epoch != last_.epoch)) all.push_back(last_);
        return all;
    }

   private:
    static constexpr std::size_t kRows = 10000;

    std::vector<EpochRow> rows_;
    std::uint64_t spacing_ = 1;
    EpochRow last_{};
};

}  // namespace rosenblatt
