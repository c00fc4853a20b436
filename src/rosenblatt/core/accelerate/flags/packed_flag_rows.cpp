#include "accelerate/flags/packed_flag_rows.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace rosenblatt {

namespace {

constexpr std::size_t kSample = 1024;
constexpr std::size_t kLine = 64;

std::uint64_t bits(double number) {
    std::uint64_t found;
    std::memcpy(&found, &number, sizeof found);  // not std::bit_cast, which the library of emscripten lacks
    return found;
}

// The two values of a column, compared bit for bit; `flag` is false if there are more.
struct Column {
    double low;
    double high;
    bool flag = true;

    void add(double value) {
        if (bits(value) == bits(low) || bits(value) == bits(high)) return;
        flag = flag && bits(low) == bits(high);
        high = value;
    }
};

template <class Value>
std::vector<Column> columns_of(const RowsView& rows) {
    const auto* values = static_cast<const Value*>(rows.values);
    const std::size_t step = std::max<std::size_t>(1, rows.examples / kSample);
    std::vector<Column> columns;
    for (std::size_t j = 0; j < rows.features; ++j) {
        const auto first = static_cast<double>(values[j]);
        Column& column = columns.emplace_back(Column{first, first});
        for (std::size_t i = step; i < rows.examples && column.flag; i += step) {
            const Value* row = values + static_cast<std::ptrdiff_t>(i) * rows.stride;
            column.add(static_cast<double>(row[j]));
        }
    }
    return columns;
}

}  // namespace

FlagLayout find_flags(const RowsView& rows) {
    const bool narrow = rows.storage == Storage::dense32;
    const std::vector<Column> columns = narrow ? columns_of<float>(rows) : columns_of<double>(rows);
    FlagLayout layout;
    const std::size_t blocks = (rows.features + kLanes - 1) / kLanes;
    for (std::size_t block = 0; block < blocks; ++block) {
        const std::size_t begin = std::min(block * kLanes, rows.features - kLanes);
        for (std::size_t column = begin; column < begin + kLanes; column += kOctet) {
            Octet& octet = layout.octets.emplace_back();
            octet = {{}, {}, column, 0, 0, true};
            for (std::size_t l = 0; l < kOctet; ++l) {
                if (column + l < block * kLanes) continue;
                octet.counted = static_cast<std::uint8_t>(octet.counted | 1u << l);
                octet.low[l] = columns[column + l].low;
                octet.high[l] = columns[column + l].high;
                octet.bits = octet.bits && columns[column + l].flag;
            }
        }
    }
    // Values come before bits, so that they are aligned like the row.
    for (const bool bits : {false, true})
        for (Octet& octet : layout.octets)
            if (octet.bits == bits)
                octet.place = std::exchange(
                    layout.stride, layout.stride + (bits ? 1 : kOctet * (narrow ? sizeof(float) : sizeof(double))));
    layout.stride = layout.stride < kLine ? std::bit_ceil(layout.stride) : (layout.stride + kLine - 1) / kLine * kLine;
    return layout;
}

PackedFlagRows::PackedFlagRows(FlagLayout layout, std::size_t examples)
    : layout_(std::move(layout)),
      rows_(examples * layout_.stride),
      view_{rows_.data(), layout_.stride, layout_.octets.data(), layout_.octets.size()} {}

}  // namespace rosenblatt
