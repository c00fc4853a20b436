// Scores and classes of many rows, each of which is read once: whatever prediction asks of a row (its indices, its
// values, its class) is asked while it is at hand.
//
// A value that is NaN or infinite makes every score of its row NaN or infinite: no sum or product makes it finite again,
// and all values of a row take part in each of its scores. So finite scores vouch for the values.
#pragma once

#include <cstddef>

#include "passes/rule.hpp"
#include "rows/views.hpp"

namespace rosenblatt {

// One row of weights and one offset a plane.
struct PlanesView {
    const double* w;
    const double* offsets;
    std::size_t count;
};

// How the scores of a row become a class.
enum class Decision : std::uint8_t {
    sign,     // of one plane: the later of two classes where it is positive
    largest,  // one plane a class: the first of the largest
    pairs,    // one plane a pair of classes, in the order (0, 1), (0, 2) ... (1, 2) ...: the most votes (`count_votes`)
};

// The values that stand for the classes, `width` bytes each, and where those of the rows go.
struct LabelsView {
    const unsigned char* classes;
    std::size_t count;
    std::size_t width;
    unsigned char* out;
};

enum class Reading : std::uint8_t {
    finite,      // every score is finite, and so is every value
    not_finite,  // some score is not; those that are, are right
    broken,      // a column index is out of range, and what was written means nothing
};

// out[i * planes.count + c] = w_c . x_i + offset_c. `check_indices`: nobody has looked at those of the CSR rows yet.
Reading score_rows(const RowsView& rows, const PlanesView& planes, bool check_indices, std::size_t threads, double* out);

// The label of each row.
Reading label_rows(const RowsView& rows, const PlanesView& planes, Decision decision, Tie tie, bool check_indices,
                   std::size_t threads, const LabelsView& labels);

// The labels of n examples whose scores are known: one column, or one a class. A tie counts as the earlier class.
template <class Score>
void label_scores(const Score* scores, std::size_t n, std::size_t columns, const LabelsView& labels);

// votes[c]: one vote a pair that class c won, plus a term below one half that settles equal votes by the summed scores.
// `sums` has room for as many values.
void count_votes(const double* scores, std::size_t classes, Tie tie, double* votes, double* sums);

}  // namespace rosenblatt
