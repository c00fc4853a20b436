// Reads delimited text in its simplest form: the fields of the chosen columns are decimal numbers; one column may hold labels.
//
// The text is parsed into a row-major matrix, several times faster than by a general CSV reader. Anything else (quotes, blanks,
// missing values, a row of another width) makes it return nothing: the caller then uses the general reader, which also
// reports errors.
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
    Buffer<double> values;  // one row per example, one column per number
    std::size_t rows = 0;
    std::size_t columns = 0;
    Buffer<std::int32_t> codes;       // of the labels; empty without a label column
    std::vector<std::string> labels;  // in order of appearance
};

// The text must not have a header.
std::optional<PlainTable> parse_plain_table(const char* begin, const char* end, char delimiter,
                                            const std::vector<Role>& roles, unsigned threads, std::size_t chunk_bytes);

}  // namespace rosenblatt
