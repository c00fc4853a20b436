// Kept scores for few examples. An update changes the score of every example by a row of the Gram matrix:
//
//     (w + c y_k x_k) . x_i + (b + c y_k)  =  (w . x_i + b) + c y_k (x_k . x_i + 1),
//
// With y_i times the score kept for all n examples, a correct example costs a comparison instead of a dot product of d values,
// and a mistake n more multiplications and additions. A kept score decides only if it exceeds the margin by more than its
// error; any other example is scored in full. So the path is the same, bit for bit.
//
// Bound on the difference of a kept score s_i and the score that the plain pass computes. Let u = 2^-53, X the largest magnitude of
// all values, W and B those of the weights and of the offset when the scores were last recomputed, t the updates
// since, T the sum of |c| over them, and
//
//     reach  =  d X W + B + T (d X^2 + 1).
//
// Every |w . x_i| + |b| since then is at most the reach, because an update changes a weight by at most |c| X; so is every sum of absolute
// values |w_j x_ij|, every kept score, and every |c| times an entry of the matrix. A sum of d products in lanes is
// rounded by less than m u times its absolute values, with m = d + 64, the offset included. The errors are at most:
//
//     m u reach                  the scores when they were recomputed,
//     m u reach                  the entries of the matrix, times the steps taken,
//     t u reach + u reach        the weights and the offset, which round at every update: w is not exactly w + c x,
//     t u reach + u reach        the kept scores, which round at every update, and the products with c,
//     m u reach                  the plain pass's own sum,
//
// up to factors of 1 + 3 t u, in all (3 m + 2 t + 2) u reach. 4 (m + t) u reach is more than that. Numbers so small that
// products lose bits to underflow add less than (t + 1) (d + 2) (1 + X) (1 + T) 2^-1074. Where the reach, or the weights
// themselves, come near the largest double, or are NaN or infinite, all examples are undecided.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rosenblatt {

// Updates after which the kept scores are recomputed: their error grows with its square, and recomputing costs an epoch.
constexpr std::uint64_t kMaxUpdates = 4096;

// Kept scores are padded to a multiple of this, the lanes of the widest register.
constexpr std::size_t kKeptBlock = 8;
constexpr std::size_t kept_stride(std::size_t examples) {
    return (examples + kKeptBlock - 1) / kKeptBlock * kKeptBlock;
}

// One bit per example, in words, and one word with a bit per word; its last bit is never set.
constexpr std::size_t kWordBits = 64;
constexpr std::size_t kMaxKept = (kWordBits - 1) * kWordBits;

// What the pass reads and writes; gram_scores.hpp owns the arrays.
struct GramView {
    double* products;  // y_k y_i (x_k . x_i + 1), without the 1 if there is no offset; rows are `stride` apart
    std::size_t stride;
    double* kept;             // y_i times the score
    std::uint64_t* undecided;  // a bit for each kept score not above the threshold; in file order only
    std::uint64_t undecided_words;  // a bit for each of these words that is not zero
    double threshold;               // a kept score above it proves its example correct
    double* plane;            // one row as weights
    double largest;           // X
    double step_reach;        // d X^2 + 1
    double terms;             // m

    double weight;          // W
    double reach;           // d X W + B
    double travelled;       // T
    std::uint64_t updates;  // t; kMaxUpdates before the first computation
    std::uint64_t scored;   // examples that were scored in full
};

}  // namespace rosenblatt
