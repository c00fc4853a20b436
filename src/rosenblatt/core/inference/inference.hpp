// Scores and classes of many rows. Each row is read once: validation, scoring and classification happen while it is in the
// cache.
//
// A NaN or infinite value makes every score of its row NaN or infinite, because all values of a row take part in each score.
// So finite scores prove that the values are finite.
#pragma once

#include <cstddef>

#include "passes/rule.hpp"
#include "rows/views.hpp"

namespace rosenblatt {

// One row of weights and one offset per plane.
struct PlanesView {
    const double* w;
    const double* offsets;
    std::size_t count;
};

// How the scores of a row become a class.
enum class Decision : std::uint8_t {
    sign,     // one plane: the later of two classes if the score is positive
    largest,  // one plane per class: the largest score, the first of equals
    pairs,    // one plane per pair of classes, in the order (0, 1), (0, 2) ... (1, 2) ...: the most votes (`count_votes`)
};

// The labels of the classes, `width` bytes each, and the output array for the labels of the rows.
struct LabelsView {
    const unsigned char* classes;
    std::size_t count;
    std::size_t width;
    unsigned char* out;
};

enum class Reading : std::uint8_t {
    finite,      // all scores are finite, hence all values
    not_finite,  // some score is not finite; the finite ones are right
    broken,      // a column index is out of range; the output is invalid
};

// out[i * planes.count + c] = w_c . x_i + offset_c. `check_indices`: the indices of the CSR rows have not been validated yet.
Reading score_rows(const RowsView& rows, const PlanesView& planes, bool check_indices, std::size_t threads, double* out);

// The label of each row.
Reading label_rows(const RowsView& rows, const PlanesView& planes, Decision decision, Tie tie, bool check_indices,
                   std::size_t threads, const LabelsView& labels);

// The labels of n examples from their scores: one column, or one per class. A tie gives the earlier class.
template <class Score>
void label_scores(const Score* scores, std::size_t n, std::size_t columns, const LabelsView& labels);

// votes[c]: the number of pairs that class c won, plus a term below one half, from the summed scores, that breaks ties.
// `sums` has room for as many values.
void count_votes(const double* scores, std::size_t classes, Tie tie, double* votes, double* sums);

}  // namespace rosenblatt
