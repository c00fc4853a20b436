// The weights of all pairs of classes of one-vs-one, in memory proportional to the mistakes.
//
// A pair has few examples and makes few mistakes, so its weights are stored as the list of its updates: w is the initial vector
// plus value[k] * x_index[k], added in the order of the run, which gives the same bits as the run. A pair that made more updates
// than its examples have columns is stored as its weights: value[k] is the weight of column index[k].
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "passes/rule.hpp"
#include "rows/weight_store.hpp"
#include "simd/kernels.hpp"

namespace rosenblatt {

// The index of the pair a < b.
inline std::size_t pair_index(std::size_t classes, std::size_t a, std::size_t b) {
    return a * (2 * classes - a - 1) / 2 + (b - a - 1);
}

// Entries starts[p] <= k < starts[p + 1] belong to pair p. Pairs are in the order (0, 1), (0, 2), ... (1, 2), ...
struct StoredPairs {
    std::vector<std::uint64_t> starts{0};
    std::vector<std::uint8_t> replayed;  // whether the entries of a pair are updates
    std::vector<std::uint32_t> index;
    std::vector<double> value;
    // Of averages only: the clock before each update, and the clock at the end of each pair's run.
    std::vector<double> clock;
    std::vector<double> total;
    std::vector<double> offsets;
};

// The same arrays, as a caller owns them, with the examples that the updates name and the common initial vector.
struct PairsView {
    RowsView support;
    std::size_t classes;
    const std::uint64_t* starts;
    const std::uint8_t* replayed;
    const std::uint32_t* index;
    const double* value;
    const double* clock;  // null: not an average
    const double* total;
    const double* offsets;
    const double* start;  // null: zero

    std::size_t pairs() const { return classes * (classes - 1) / 2; }
};

// Rebuilds the weights of one pair at a time.
class PairWeights {
   public:
    // `storage` is that of the rows that are scored; it may differ from that of the support.
    PairWeights(const PairsView& view, Storage storage);

    // The weights of this pair, valid until the next call.
    const Weights& of(std::size_t pair);
    // w_pair . x_i + offset
    double score(std::size_t pair, const RowsView& rows, std::size_t i);
    void copy(std::size_t pair, double* w);

   private:
    void clear();
    void rebuild(std::size_t pair);
    void average(std::size_t pair);

    PairsView view_;
    WeightStore store_;    // in the layout of the support
    WeightStore delayed_;  // of averages
    WeightStore scored_;   // a copy in the layout of the rows, if that differs
    bool is_copied_;
    Weights weights_;  // the view of the store that scores rows
    std::vector<double> w_, zero_, scratch_;
    std::size_t present_;  // the pair in store_
};

// The votes of all classes on the rows begin <= i < end, as count_votes() gives them.
void pair_votes(const PairsView& view, const RowsView& rows, std::size_t begin, std::size_t end, Tie tie, double* votes);

// The class with the most votes of each of these rows. It scores only the pairs that can decide: see pair_winner.hpp.
void pair_labels(const PairsView& view, const RowsView& rows, std::size_t begin, std::size_t end, Tie tie,
                 std::uint32_t* codes);

}  // namespace rosenblatt
