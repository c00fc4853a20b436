// Totals of each epoch. A long run keeps every 2nd, 4th, 8th, ... epoch, so that the rows stay below `kMaxRows`, and always
// the last one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace rosenblatt {

// Totals over the problems that were still running.
struct EpochRow {
    std::uint64_t epoch;      // 1, 2, ...
    std::uint64_t presented;  // examples, counted once for each problem
    std::uint64_t mistakes;
    std::uint64_t errors;
    double loss;
};

// `Row` has a member `epoch`; rows are added in order of their epochs.
template <class Row>
class ThinnedHistory {
   public:
    static constexpr std::size_t kMaxRows = 10000;

    ThinnedHistory() = default;
    // Continues a history that was saved.
    ThinnedHistory(std::vector<Row> kept, std::uint64_t spacing, Row last)
        : kept_(std::move(kept)), spacing_(spacing), last_(std::move(last)) {}

    void add(const Row& row) {
        last_ = row;
        if (!is_kept(row)) return;
        if (kept_.size() + 1 >= kMaxRows) {
            std::size_t count = 0;
            for (std::size_t k = 0; k < kept_.size(); k += 2) std::swap(kept_[count++], kept_[k]);
            kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(count), kept_.end());
            spacing_ *= 2;
            if (!is_kept(row)) return;
        }
        kept_.push_back(row);
    }

    // The most recent row; its epoch is 0 where there is none.
    const Row& last() const { return last_; }
    const std::vector<Row>& kept() const { return kept_; }
    std::uint64_t spacing() const { return spacing_; }

    // The rows kept, and the last one.
    std::vector<Row> rows() const {
        std::vector<Row> all = kept_;
        if (last_.epoch && (all.empty() || all.back().epoch != last_.epoch)) all.push_back(last_);
        return all;
    }

   private:
    bool is_kept(const Row& row) const { return (row.epoch - 1) % spacing_ == 0; }

    std::vector<Row> kept_;
    std::uint64_t spacing_ = 1;
    Row last_{};
};

using History = ThinnedHistory<EpochRow>;

}  // namespace rosenblatt
