// Finds the columns of dense rows that have two values, and owns the packed rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "accelerate/flags/packed_flags.hpp"
#include "rows/views.hpp"
#include "util/aligned_memory.hpp"
#include "util/buffer.hpp"

namespace rosenblatt {

struct FlagLayout {
    std::vector<Octet, Aligned<Octet>> octets;
    std::size_t stride = 0;  // of a row, in bytes
};

// Estimates the layout from a sample of the rows, which have at least kLanes features; writing checks all rows.
FlagLayout find_flags(const RowsView& rows);

class PackedFlagRows {
   public:
    PackedFlagRows(FlagLayout layout, std::size_t examples);

    PackedFlags* view() { return &view_; }

    // Rows are written by a kernel, in the order of the examples.
    std::size_t written() const { return written_; }
    void wrote_until(std::size_t example) { written_ = example; }

   private:
    FlagLayout layout_;
    Buffer<std::uint8_t> rows_;
    std::size_t written_ = 0;
    PackedFlags view_;
};

}  // namespace rosenblatt
