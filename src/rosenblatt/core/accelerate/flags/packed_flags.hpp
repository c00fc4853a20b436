// Dense rows in which a column of two values takes a bit. A pass in a random order waits for memory, and tables are often
// wide by flags alone: of covtype's 54 columns 44 are, and a row takes three lines of memory instead of eight. Nothing is
// rounded: the values come out of it bit for bit, so a pass need not know.
//
// Eight columns that a pass loads together are an octet. If all of them have two values it is a byte, else it stands as
// it is.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rosenblatt {

constexpr std::size_t kOctet = 8;

struct alignas(64) Octet {
    double low[kOctet];   // where the bit is not set; all that the column has had so far, if `high` is the same
    double high[kOctet];  // where it is
    std::size_t column;   // the first of the eight
    std::size_t place;    // in the row, in bytes
    std::uint8_t counted;  // a bit for each column whose value matters: the last block repeats some of the one before
    bool bits;
};

struct PackedFlags {
    std::uint8_t* rows;
    std::size_t stride;  // in bytes
    Octet* octets;
    std::size_t count;  // of octets
};

}  // namespace rosenblatt
