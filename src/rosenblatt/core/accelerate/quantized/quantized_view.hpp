// A coarse copy of dense rows, one byte a feature, that tells most right examples from the rest without reading them.
//
// Feature j of a row x is low_j + width_j * (code + rest), where the code is a byte and the rest, mostly at most 1/2, is
// what the byte could not hold. A plane's weights, times the widths, are rounded to 16 bits. Then w . x differs from an
// integer dot product of codes and rounded weights, scaled and shifted, by at most
//
//     |width * w| |rest|  +  |what the weights lost in rounding| |codes|  +  what arithmetic rounds,
//
// by Cauchy and Schwarz; of the codes it is enough to take their distance from a fixed centre, for what the weights lost
// there is known. An example that is right by more than that is right, and a right example changes nothing; any
// other is read in full and scored as always. So the path is the same, bit for bit, and most of the time an eighth
// of the memory is read, by integer instructions that are eight times as wide.
//
// One plane changes less and less. So a row also keeps how far its rest goes along the direction that the plane had when
// the row was written, the reference: what the plane has of that direction is then known of the first term, and only what it
// has orthogonal it is bounded.
//
// Examples near a plane are in doubt again and again: neither surely right nor surely wrong. When such a one has been
// read in full, the rest of each feature is written down in a second byte, and from then on that is asked before the row
// itself.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rosenblatt {

// The planes, as the coarse rows meet them: w . x is about scale * (codes . rounded) + constant, and off by no more than
// orthogonal * |rest| + lost * |codes| + rounding, once parallel * along is added. One number a plane, and as many as fill a
// block (padded_to_block).
struct QuantizedPlanes {
    std::int16_t* weights;  // `stride` a plane
    double* scale;
    double* constant;
    double* norm;    // the length of width * w
    double* parallel;  // what of it goes along the reference
    double* orthogonal;  // the length of what does not
    double* lost;
    double* rounding;
    std::int32_t* positive;  // the class that is +1
};

// What a coarse row ends with: its lengths, rounded up, and its label, so that no second line of memory is wanted.
struct CodeTrailer {
    float along;          // the reference times the rest
    float rest;
    std::uint16_t codes;  // from the centre; the upper half of a float
    std::uint16_t label;
};

// In place of a label that is not below it: to be looked up.
constexpr std::uint16_t kLongLabel = 65535;

// Second bytes count from here.
constexpr std::uint8_t kMiddle = 128;

// Codes are scored in blocks of this many.
constexpr std::size_t kCodes = 32;

// Bytes from one coarse row to the next. Its last are its tail, under weights that are zero.
constexpr std::size_t code_stride(std::size_t features) {
    return (features + sizeof(CodeTrailer) + kCodes - 1) / kCodes * kCodes;
}

// A pass scores examples in blocks, one block ahead, so that a row that must be read in full is asked for before its
// turn. A plane that changes scores them anew: where that happens often, blocks are small.
constexpr std::size_t kLargestBlock = 16;
constexpr std::size_t kSmallestBlock = 4;

// A bit for each example of two blocks: whether it must be seen more closely, and whether it is surely wrong.
struct Undecided {
    std::uint32_t some;
    std::uint32_t wrong;
};

// What a pass needs of it; quantized_rows.hpp owns the arrays. Several runs may read the same rows, and nothing else.
struct QuantizedView {
    std::uint8_t* rows;  // one of `stride` bytes an example
    // Second bytes likewise, in the order in which examples got them; each row ends with the length of what they leave, a
    // float.
    std::uint8_t* residuals;
    std::uint32_t* residual_index;  // of each example, counted from one; zero where there are none
    std::uint32_t residual_count;
    std::size_t stride;
    const double* low;  // `stride` each, zero past the last feature
    const double* width;
    const double* per_width;  // 1 / width, or zero
    const float* centre;      // of the codes
    const float* reference;       // of length one, or zero
    const std::uint8_t* middle;  // a row of second bytes that say nothing
    double centre_total;      // the sum of `centre`
    double reference_squared;     // the squared length of `reference`
    double low_length;        // of the vector `low`
    double width_length;      // of `width`
    double widest;            // the largest of them
    double longest;           // no row written is longer, if it is finite
    double finest;            // the scale to which a plane of length one may be rounded
    double lost;              // the length of what is lost by rounding to a scale of one
    std::size_t block;        // examples
    std::uint64_t read;       // how many times an example had to be read in full for some plane

    QuantizedPlanes planes;
    Undecided* undecided;  // one a plane
};

}  // namespace rosenblatt
