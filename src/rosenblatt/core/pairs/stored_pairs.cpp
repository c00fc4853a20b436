#include "pairs/stored_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pairs/pair_winner.hpp"

namespace rosenblatt {

namespace {

constexpr std::size_t kNoPair = std::numeric_limits<std::size_t>::max();

bool is_positive(double score, Tie tie) { return tie == Tie::positive ? score >= 0 : score > 0; }

template <class Index>
void clear_columns(const RowsView& rows, std::size_t i, const Weights& weights, const double* start) {
    const auto* starts = static_cast<const Index*>(rows.starts);
    const auto* indices = static_cast<const Index*>(rows.indices);
    for (auto k = starts[i]; k < starts[i + 1]; ++k) weights.data[indices[k]] = start[indices[k]];
}

}  // namespace

PairWeights::PairWeights(const PairsView& view, Storage storage)
    : view_(view),
      store_(view.support.storage, 1, view.support.features),
      delayed_(view.support.storage, 1, view.clock ? view.support.features : 0),
      scored_(storage, 1, view.support.features),
      is_copied_(is_dense(storage) != is_dense(view.support.storage)),
      weights_(is_copied_ ? scored_.view() : store_.view()),
      w_(view.support.features),
      zero_(view.support.features),
      scratch_(score_room(1)),
      present_(kNoPair) {
    store_.set(0, view.start ? view.start : zero_.data(), 0.0);
}

// Sets the weights to the initial vector. The columns of CSR rows may be many, and a pair changes few of them.
void PairWeights::clear() {
    const double* start = view_.start ? view_.start : zero_.data();
    if (is_dense(view_.support.storage) || view_.clock) {
        store_.set(0, start, 0.0);
        return;
    }
    if (present_ == kNoPair) return;
    const Weights weights = store_.view();
    const bool narrow = view_.support.storage == Storage::csr32_i32 || view_.support.storage == Storage::csr64_i32;
    for (std::uint64_t k = view_.starts[present_]; k < view_.starts[present_ + 1]; ++k) {
        const std::uint32_t at = view_.index[k];
        if (!view_.replayed[present_])
            weights.data[at] = start[at];
        else if (narrow)
            clear_columns<std::int32_t>(view_.support, at, weights, start);
        else
            clear_columns<std::int64_t>(view_.support, at, weights, start);
    }
}

void PairWeights::rebuild(std::size_t pair) {
    const std::uint64_t begin = view_.starts[pair], end = view_.starts[pair + 1];
    if (view_.replayed[pair]) {
        for (std::uint64_t k = begin; k < end; ++k)
            kernels().add_row(view_.support, view_.index[k], view_.value[k], store_.view(), 0);
        if (view_.clock && view_.total[pair] > 0) average(pair);
        return;
    }
    store_.get(0, w_.data());
    for (std::uint64_t k = begin; k < end; ++k) w_[view_.index[k]] = view_.value[k];
    store_.set(0, w_.data(), 0.0);
}

// As OnlineRun::average_of().
void PairWeights::average(std::size_t pair) {
    delayed_.set(0, zero_.data(), 0.0);
    for (std::uint64_t k = view_.starts[pair]; k < view_.starts[pair + 1]; ++k)
        kernels().add_row(view_.support, view_.index[k], view_.value[k] * view_.clock[k], delayed_.view(), 0);
    std::vector<double> delayed(w_.size());
    store_.get(0, w_.data());
    delayed_.get(0, delayed.data());
    const double total = view_.total[pair];
    for (std::size_t j = 0; j < w_.size(); ++j) w_[j] = (total * w_[j] - delayed[j]) / total;
    store_.set(0, w_.data(), 0.0);
}

const Weights& PairWeights::of(std::size_t pair) {
    if (pair == present_) return weights_;
    clear();
    rebuild(pair);
    present_ = pair;
    if (is_copied_) {
        store_.get(0, w_.data());
        scored_.set(0, w_.data(), 0.0);
    }
    weights_.offsets[0] = view_.offsets[pair];
    return weights_;
}

double PairWeights::score(std::size_t pair, const RowsView& rows, std::size_t i) {
    double score = 0;
    kernels().scores(rows, i, i + 1, of(pair), 1, scratch_.data(), &score);
    return score;
}

void PairWeights::copy(std::size_t pair, double* w) {
    of(pair);
    store_.get(0, w);
}

void pair_votes(const PairsView& view, const RowsView& rows, std::size_t begin, std::size_t end, Tie tie, double* votes) {
    const std::size_t classes = view.classes, count = end - begin;
    PairWeights weights(view, rows.storage);
    std::vector<double> sums(count * classes, 0.0), scratch(score_room(1)), scores(count);
    std::fill_n(votes, count * classes, 0.0);
    std::size_t pair = 0;
    for (std::size_t a = 0; a < classes; ++a)
        for (std::size_t b = a + 1; b < classes; ++b, ++pair) {
            kernels().scores(rows, begin, end, weights.of(pair), 1, scratch.data(), scores.data());
            for (std::size_t r = 0; r < count; ++r) {
                votes[r * classes + (is_positive(scores[r], tie) ? b : a)] += 1;
                sums[r * classes + b] += scores[r];
                sums[r * classes + a] -= scores[r];
            }
        }
    for (std::size_t k = 0; k < count * classes; ++k) votes[k] += sums[k] / (2 * (std::fabs(sums[k]) + 1));
}

void pair_labels(const PairsView& view, const RowsView& rows, std::size_t begin, std::size_t end, Tie tie,
                 std::uint32_t* codes) {
    PairWeights weights(view, rows.storage);
    PairWinner winner(view.classes);
    for (std::size_t i = begin; i < end; ++i)
        codes[i - begin] = static_cast<std::uint32_t>(
            winner.of([&](std::size_t a, std::size_t b) { return weights.score(pair_index(view.classes, a, b), rows, i); },
                      [&](double score) { return is_positive(score, tie); }));
}

}  // namespace rosenblatt
