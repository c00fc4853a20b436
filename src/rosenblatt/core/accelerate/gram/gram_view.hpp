// Kept scores of few examples: what an update does to the score of every example is known in advance, for
//
//     (w + c y_k x_k) . x_i + (b + c y_k)  =  (w . x_i + b) + c y_k (x_k . x_i + 1),
//
// a row of the Gram matrix. With y_i times the score kept for all n examples, a right example costs a comparison instead
// of a dot product of d values, and a mistake n more multiplications and additions. A kept score decides only where it
// is beyond doubt; any other example is scored and met as always. So the path is the same, bit for bit.
//
// How far a kept score s_i can be from the score that the plain pass computes. Let u = 2^-53, X the largest magnitude of
// all values, W and B those of the weights and of the offset when the scores were last computed anew, t the updates
// since, T the sum of |c| over them, and
//
//     reach  =  d X W + B + T (d X^2 + 1).
//
// Every |w . x_i| + |b| since then is at most the reach, for a weight moves by |c| X at most; so is every sum of absolute
// values |w_j x_ij|, every kept score, and every |c| times an entry of the matrix. A sum of d products in lanes is
// rounded by less than m u times its absolute values, with m = d + 64, the offset included. Then these can add up:
//
//     m u reach                  the scores when they were computed anew,
//     m u reach                  the entries of the matrix, times the steps taken,
//     t u reach + u reach        the weights and the offset, which round at every update: w is not exactly w + c x,
//     t u reach + u reach        the kept scores, which round at every update, and the products with c,
//     m u reach                  the plain pass's own sum,
//
// up to factors of 1 + 3 t u, in all (3 m + 2 t + 2) u reach. 4 (m + t) u reach is more than that. Numbers so small that
// products lose bits to underflow add less than (t + 1) (d + 2) (1 + X) (1 + T) 2^-1074. Where the reach, or the weights
// themselves, come near the end of the doubles, nothing is beyond doubt, NaN and infinity included.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rosenblatt {

// Updates after which the kept scores are computed anew: their error grows with the square of it, and the cost of
// computing them is that of an epoch.
constexpr std::uint64_t kKeptFor = 4096;

// Scores are kept in blocks of this many: whole registers of the widest kind.
constexpr std::size_t kKeptBlock = 8;
constexpr std::size_t kept_stride(std::size_t examples) {
    return (examples + kKeptBlock - 1) / kKeptBlock * kKeptBlock;
}

// One bit an example, and a word with a bit for each such word; the last one is always empty.
constexpr std::size_t kDoubtBits = 64;
constexpr std::size_t kMostKept = (kDoubtBits - 1) * kDoubtBits;

// What a pass needs of it; gram_scores.hpp owns the arrays.
struct GramView {
    double* products;  // y_k y_i (x_k . x_i + 1), or without the 1 where the offset does not learn; `stride` a row
    std::size_t stride;
    double* kept;             // y_i times the score
    std::uint64_t* doubtful;  // a bit for each of them that is not above the bar; in file order only
    std::uint64_t doubtful_words;  // a bit for each of its words that is not zero
    double bar;               // what it must exceed to be right beyond doubt
    double* plane;            // room for one row as weights
    double largest;           // X
    double step_reach;        // d X^2 + 1
    double terms;             // m

    double weight;          // W
    double reach;           // d X W + B
    double travelled;       // T
    std::uint64_t updates;  // t; kKeptFor before the scores are first computed
    std::uint64_t met;      // examples that were scored in full
};

}  // namespace rosenblatt
