// Reads and writes rows with packed flags (packed_flags.hpp).
#pragma once

#include "accelerate/flags/packed_flags.hpp"
#include "rows/rows.hpp"
#include "simd/register_bits.hpp"

namespace rosenblatt::ROSENBLATT_ISA {

template <class Value>
class PackedRows {
   public:
    explicit PackedRows(const PackedFlags& flags) : flags_(flags) {}

    static constexpr bool kDense = true;

    // Row i in registers: blocks of kLanes values, the last aligned to the right. Columns that the last block shares with the
    // one before meet a weight of zero and may be any finite number.
    template <std::size_t Blocks>
    ROSENBLATT_INLINE void take(std::size_t i, Register (&packs)[Blocks][kRegisters]) const {
        const std::uint8_t* row = flags_.rows + i * flags_.stride;
        ROSENBLATT_UNROLL
        for (std::size_t b = 0; b < Blocks; ++b)
            ROSENBLATT_UNROLL
            for (std::size_t p = 0; p < kRegisters; ++p) {
                const Octet& octet = flags_.octets[(b * kLanes + p * kWidth) / kOctet];
                const std::size_t l = p * kWidth % kOctet;
                const std::uint8_t* at = row + octet.place;
                packs[b][p] = octet.bits ? chosen(unsigned{*at} >> l, load(octet.low + l), load(octet.high + l))
                                         : load(reinterpret_cast<const Value*>(at) + l);
            }
    }

    ROSENBLATT_INLINE void prefetch(std::size_t i) const {
        const std::uint8_t* row = flags_.rows + i * flags_.stride;
        for (std::size_t at = 0; at < flags_.stride; at += 64) ROSENBLATT_PREFETCH(row + at);
    }

    ROSENBLATT_INLINE void prefetch_place(std::size_t) const {}

   private:
    PackedFlags flags_;
};

// Records a new second value of a column; false if a column has a third.
template <class Value>
bool learn_flags(const Value* x, Octet& octet) {
    for (std::size_t l = 0; l < kOctet; ++l) {
        const auto value = static_cast<double>(x[l]);
        if (!(octet.counted >> l & 1u) || same_bits(value, octet.low[l]) || same_bits(value, octet.high[l])) continue;
        if (!same_bits(octet.low[l], octet.high[l])) return false;
        octet.high[l] = value;
    }
    return true;
}

// A bit for each column of an octet that has this value.
template <class Value>
ROSENBLATT_INLINE unsigned equal_bits(const Value* x, const double* values) {
    unsigned bits = 0;
    ROSENBLATT_UNROLL
    for (std::size_t l = 0; l < kOctet; l += kWidth) bits |= same_bits(load(x + l), load(values + l)) << l;
    return bits;
}

// Writes the rows begin <= i < end. False if a column turns out to have a third value.
template <class Value>
bool write_flag_rows(const DenseRows<Value>& rows, std::size_t begin, std::size_t end, PackedFlags& flags) {
    for (std::size_t i = begin; i < end; ++i) {
        std::uint8_t* row = flags.rows + i * flags.stride;
        for (std::size_t o = 0; o < flags.count; ++o) {
            Octet& octet = flags.octets[o];
            const Value* x = rows.row(i) + octet.column;
            if (!octet.bits) {
                std::memcpy(row + octet.place, x, kOctet * sizeof(Value));
                continue;
            }
            const unsigned low = equal_bits(x, octet.low);
            if ((octet.counted & ~(low | equal_bits(x, octet.high))) && !learn_flags(x, octet)) return false;
            row[octet.place] = static_cast<std::uint8_t>(~low);
        }
    }
    return true;
}

}  // namespace rosenblatt::ROSENBLATT_ISA
