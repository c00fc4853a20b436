// Owns a Gram matrix and the scores that it keeps up to date.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "accelerate/gram/gram_view.hpp"
#include "rows/views.hpp"
#include "util/aligned_memory.hpp"

namespace rosenblatt {

class GramScores {
   public:
    // `largest` is the largest magnitude of all values of the rows.
    GramScores(const RowsView& rows, double largest);

    GramView* view() { return &view_; }

    // Rows are written by a kernel, in the order of the examples.
    std::size_t written() const { return written_; }
    void wrote_until(std::size_t example) { written_ = example; }

    // Examples scored in full since the last call.
    std::uint64_t take_scored();

   private:
    std::vector<double, Aligned<double>> products_;
    std::vector<double, Aligned<double>> kept_;
    std::vector<double, Aligned<double>> plane_;
    std::vector<std::uint64_t> undecided_;
    std::size_t written_ = 0;
    GramView view_{};
};

}  // namespace rosenblatt
