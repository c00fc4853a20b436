// Dense rows in which a column with two values takes one bit. In shuffled order a pass is limited by memory, and tables
// often have many such columns: 44 of covtype's 54, so that a row takes three cache lines instead of eight. Nothing is
// rounded: values are restored bit for bit.
//
// Eight columns that are loaded together are an octet. If all of them have two values it is stored as a byte, else as the
// eight values.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rosenblatt {

constexpr std::size_t kOctet = 8;

struct alignas(64) Octet {
    double low[kOctet];   // value where the bit is 0; equal to `high` while the column has had one value
    double high[kOctet];  // value where the bit is 1
    std::size_t column;   // the first of the eight
    std::size_t place;    // in the row, in bytes
    std::uint8_t counted;  // one bit per column; 0 for a column that the last block shares with the one before
    bool bits;
};

struct PackedFlags {
    std::uint8_t* rows;
    std::size_t stride;  // in bytes
    Octet* octets;
    std::size_t count;  // of octets
};

}  // namespace rosenblatt
