// Scores in single precision that prove most examples correct, for several problems on dense rows.
//
// With several problems a pass is limited by its multiply-adds, not by memory. In single precision, fused and in any order, they
// cost a quarter. Let s be such a score of row x, and e the bound on its error (rows/float32_bound.hpp), which also covers the error of
// the score in double precision, as the plain pass computes it. If y * s - e exceeds the margin, so does y times that score, and
// the plain pass would call the example correct: it changes nothing. Every other example is scored in double precision and in the
// order of the plain pass. So the path is that of the plain pass, bit for bit.
//
// Where a row or the weights are too large for single precision, s or e is infinite or NaN, and the comparison is false.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rows/float32_bound.hpp"

namespace rosenblatt {

// The rounded weights of a problem have offset `offset`; the error of their score of row x is at most per_norm * |x| + at_least.
struct Float32Plane {
    std::int32_t positive;
    float offset;
    float per_norm;
    float at_least;
};

// What the pass reads; float32.hpp owns the arrays.
struct Float32View {
    float* w;  // float32_width(features) values per problem, zero past the last feature
    Float32Plane* planes;
    float* scratch;           // float32_room(features, planes) values, zero past the last feature of each row
    std::int32_t* undecided;  // kFloat32Rows values per problem: -1 where the score does not prove the row correct, else 0
    float margin;             // that of the rule, rounded up
    std::uint64_t read;       // pairs of a row and a problem that were scored in double precision
};

}  // namespace rosenblatt
