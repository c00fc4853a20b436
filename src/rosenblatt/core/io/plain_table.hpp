// Delimited text in the plainest form: every field of a wanted column is a decimal number, and one column may hold labels.
//
// It is read straight into a row-major matrix, several times faster than a general reader of CSV. Whatever is not plain
// (quotes, blanks, missing values, a row of another width) makes it give up: the caller then takes the general reader,
// which also knows how to complain.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "util/buffer.hpp"

namespace rosenblatt {

enum class Role : std::uint8_t { skipped, number, label };  // of a column; at most one holds labels

struct PlainTable {
    Buffer<double> values;  // one row an example, one column a number
    std::size_t rows = 0;
    std::size_t columns = 0;
    Buffer<std::int32_t> codes;       // of the labels; empty without
    std::vector<std::string> labels;  // in order of appearance
};

// The text has no header any more.
std::optional<PlainTable> parse_plain_table(const char* begin, const char* end, char delimiter,
                                            const std::vector<Role>& roles, unsigned threads, std::size_t piece);

}  // namespace rosenblatt
