// A quantized copy of dense rows, one byte per feature, that proves most correct examples correct without reading the rows.
//
// Feature j of a row x is low_j + width_j * (code_j + residual_j): the code is a byte, and the residual, mostly at most 1/2
// in magnitude, is the part that the byte does not hold. The weights of a problem, times the widths, are rounded to 16 bits.
// Then w . x differs from an integer dot product of codes and rounded weights, scaled and shifted, by at most
//
//     |width * w| |residual|  +  |rounding error of the weights| |codes - centre|  +  rounding of the arithmetic,
//
// by the Cauchy-Schwarz inequality; the rounding error of the weights at the centre is known and subtracted. An example
// whose y * score exceeds the margin by more than this bound is correct, and a correct example changes nothing. Every other
// example is read and scored in full. So the path is unchanged, bit for bit; most of the time an eighth of the memory is
// read, by integer instructions that are eight times as wide.
//
// Reference direction (one problem only): the weights rotate less and less. Each row stores its residual's projection onto
// the direction of the weights at encoding time; only later rotation is uncertain and bounded by the first term.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rosenblatt {

// The quantized weights. w . x is about scale * (codes . weights) + constant + parallel * projection, with an error of at
// most orthogonal * |residual| + lost * |codes - centre| + rounding. One value per problem, padded to a block
// (padded_to_block).
struct QuantizedPlanes {
    std::int16_t* weights;  // `stride` per problem
    double* scale;
    double* constant;
    double* norm;        // |width * w|
    double* parallel;    // its component along the reference direction
    double* orthogonal;  // the length of its component orthogonal to the reference direction
    double* lost;        // |rounding error of the weights|
    double* rounding;    // bound on the rounding of the arithmetic
    std::int32_t* positive;  // the class that is +1
};

// The last bytes of a quantized row: lengths, rounded up, and the label, so that no further cache line is read.
struct CodeTrailer {
    float along;          // projection of the residual onto the reference direction
    float rest;           // length of the residual
    std::uint16_t codes;  // length of codes - centre: the upper half of a float
    std::uint16_t label;
};

// Replaces a label that does not fit into 16 bits and is looked up instead.
constexpr std::uint16_t kLongLabel = 65535;

// Codes are scored in blocks of this many.
constexpr std::size_t kCodes = 32;

// Bytes from one quantized row to the next. The trailer comes last; the quantized weights are zero there.
constexpr std::size_t code_stride(std::size_t features) {
    return (features + sizeof(CodeTrailer) + kCodes - 1) / kCodes * kCodes;
}

// The pass scores examples in blocks, one block ahead, so that rows that must be read in full are prefetched. After an
// update the block is scored again: where updates are frequent, blocks are small.
constexpr std::size_t kLargestBlock = 16;
constexpr std::size_t kSmallestBlock = 4;

// What the pass reads; quantized_rows.hpp owns the arrays. Several runs may share the rows, and nothing else.
struct QuantizedView {
    std::uint8_t* rows;  // `stride` bytes per example
    std::size_t stride;
    const double* low;  // `stride` values each, zero past the last feature
    const double* width;
    const double* per_width;     // 1 / width, or 0
    const float* centre;         // of the codes
    const float* reference;      // unit vector, or zero
    double centre_total;         // sum of `centre`
    double reference_squared;    // squared length of `reference`
    double low_length;           // |low|
    double width_length;         // |width|
    double widest;               // largest of `width`
    double longest;              // bound on the length of every finite row
    double finest;               // smallest scale for weights of length 1
    double lost;                 // |rounding error| of weights at a scale of 1
    std::size_t block;           // examples
    std::uint64_t read;          // rows read in full, once for each problem

    QuantizedPlanes planes;
    std::uint32_t* undecided;  // per problem one bit for each example of two blocks: the codes do not prove it correct
};

}  // namespace rosenblatt
