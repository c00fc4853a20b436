#include "inference/inference.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <optional>
#include <system_error>
#include <thread>
#include <type_traits>
#include <vector>

#include "inference/float32_argmax.hpp"
#include "rows/weight_store.hpp"
#include "simd/kernels.hpp"
#include "util/exactness.hpp"

namespace rosenblatt {

namespace {

// Scores and CSR entries per stretch: they stay in the first-level and the second-level cache.
constexpr std::size_t kScores = 2048;
constexpr std::size_t kEntries = 1 << 14;

// Minimum number of rows for which rounding the weights pays (float32_argmax.hpp).
constexpr std::size_t kManyRows = 64;

// Starting a thread costs about as much as this many products.
constexpr std::size_t kThreadWork = 1 << 19;

// Weights in the layout of the kernels; for few rows, in place, because copying would be most of the work.
class Layout {
   public:
    Layout(const RowsView& rows, const PlanesView& planes) : planes_(planes) {
        in_place_ = stored_values(rows) < 4 * rows.features;
        if (in_place_ || (!is_dense(rows.storage) && planes.count == 1)) return;
        store_.emplace(rows.storage, planes.count, rows.features);
        for (std::size_t c = 0; c < planes.count; ++c) store_->set(c, planes.w + c * rows.features, planes.offsets[c]);
    }

    bool in_place() const { return in_place_; }

    Weights view() {
        if (store_) return store_->view();
        // A single plane of CSR rows is a plain vector, which the kernels only read.
        return {const_cast<double*>(planes_.w), 1, false, const_cast<double*>(planes_.offsets)};
    }

   private:
    PlanesView planes_;
    bool in_place_;
    std::optional<WeightStore> store_;
};

bool all_finite(const double* values, std::size_t count) {
    double sums[4] = {};  // 0 * x is 0, or NaN where x is not finite; four independent sums
    std::size_t k = 0;
    for (; k + 4 <= count; k += 4)
        for (std::size_t s = 0; s < 4; ++s) sums[s] += 0 * values[k + s];
    for (; k < count; ++k) sums[0] += 0 * values[k];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]) == 0;
}

// Calls work(first, last) for all rows, in as many threads as pay.
template <class Work>
void run_in_threads(const RowsView& rows, std::size_t planes, std::size_t threads, Work work) {
    const std::size_t useful = stored_values(rows) * planes / kThreadWork;
    const std::size_t parts = std::clamp<std::size_t>(std::min(threads, useful), 1, rows.examples);
    const auto from = [&](std::size_t part) { return rows.examples / parts * part + std::min(part, rows.examples % parts); };
    std::vector<std::thread> helpers;
    for (std::size_t part = 1; part < parts; ++part) {
        try {
            helpers.emplace_back(work, from(part), from(part + 1));
        } catch (const std::system_error&) {  // the system refused a thread
            work(from(part), from(part + 1));
        }
    }
    work(from(0), from(1));
    for (std::thread& helper : helpers) helper.join();
}

// Calls use(begin, end, scores) for stretch after stretch of the rows, in as many threads as pay. `out` has room
// for all scores, or is null if only the scores of a stretch are needed.
template <class Use>
Reading visit(const RowsView& rows, const PlanesView& planes, bool check_indices, std::size_t threads, double* out,
              Use use) {
    Layout layout(rows, planes);
    const Weights weights = layout.in_place() ? Weights{} : layout.view();
    const bool sparse = !is_dense(rows.storage);
    if (layout.in_place()) {
        if (sparse && check_indices && !kernels().indices_fit(rows, 0, rows.examples)) return Reading::broken;
        std::vector<double> some(out ? 0 : rows.examples * planes.count);
        double* scores = out ? out : some.data();
        kernels().scores_in_place(rows, planes.w, planes.offsets, planes.count, scores);
        use(0, rows.examples, scores);
        return all_finite(scores, rows.examples * planes.count) ? Reading::finite : Reading::not_finite;
    }

    std::size_t stretch = std::max<std::size_t>(kScores / planes.count, 4);
    if (sparse) stretch = std::clamp<std::size_t>(kEntries * rows.examples / std::max<std::size_t>(stored_values(rows), 1),
                                                  1, stretch);
    std::atomic<bool> finite{true}, broken{false};
    const auto work = [&](std::size_t first, std::size_t last) {
        std::vector<double> scratch(score_room(planes.count)), some(out ? 0 : stretch * planes.count);
        for (std::size_t begin = first; begin < last && !broken; begin += stretch) {
            const std::size_t end = std::min(last, begin + stretch);
            if (sparse && check_indices && !kernels().indices_fit(rows, begin, end)) {
                broken = true;
                return;
            }
            double* scores = out ? out + begin * planes.count : some.data();
            kernels().scores(rows, begin, end, weights, planes.count, scratch.data(), scores);
            if (!all_finite(scores, (end - begin) * planes.count)) finite = false;
            use(begin, end, scores);
        }
    };

    run_in_threads(rows, planes.count, threads, work);
    return broken ? Reading::broken : finite ? Reading::finite : Reading::not_finite;
}

// Without a branch, which could not be predicted.
template <class Score>
std::size_t first_largest(const Score* scores, std::size_t count) {
    Score most = scores[0];
    for (std::size_t c = 1; c < count; ++c) most = scores[c] > most ? scores[c] : most;
    std::size_t best = 0;
    for (std::size_t c = count; c-- > 0;) best = scores[c] == most ? c : best;
    return best;
}

bool is_positive(double score, Tie tie) { return tie == Tie::positive ? score >= 0 : score > 0; }

// A copy of a fixed width is one instruction.
template <class Code>
void write_labels(const LabelsView& labels, std::size_t begin, std::size_t end, Code code_of) {
    const auto copy = [&](auto width) {
        for (std::size_t i = begin; i < end; ++i)
            std::memcpy(labels.out + i * width, labels.classes + code_of(i - begin) * width, width);
    };
    if (labels.width == 8)
        copy(std::integral_constant<std::size_t, 8>{});
    else if (labels.width == 4)
        copy(std::integral_constant<std::size_t, 4>{});
    else
        copy(labels.width);
}

// The class of the largest score: in single precision, and in double precision for undecided rows.
Reading label_largest(const RowsView& rows, const PlanesView& planes, const Float32Planes& float32_planes, std::size_t threads,
                     const LabelsView& labels) {
    Layout layout(rows, planes);
    const Weights weights = layout.view();
    std::atomic<bool> finite{true};
    run_in_threads(rows, planes.count, threads, [&](std::size_t first, std::size_t last) {
        constexpr std::size_t kStretch = 256;
        std::vector<float> float32_scratch(float32_room(rows.features, float32_planes.count), 0.0f);
        std::vector<double> scratch(score_room(planes.count)), scores(kStretch * planes.count);
        std::int32_t codes[kStretch];
        bool try_float32 = true;
        for (std::size_t begin = first; begin < last; begin += kStretch) {
            const std::size_t end = std::min(last, begin + kStretch);
            std::size_t undecided = end - begin;
            if (try_float32) {
                kernels().float32_argmax(rows, begin, end, float32_planes, float32_scratch.data(), codes);
                undecided = static_cast<std::size_t>(std::count(codes, codes + (end - begin), kUndecidedClass));
                for (std::size_t i = begin; undecided && i < end; ++i) {
                    if (codes[i - begin] != kUndecidedClass) continue;
                    kernels().scores(rows, i, i + 1, weights, planes.count, scratch.data(), scores.data());
                    if (!all_finite(scores.data(), planes.count)) finite = false;
                    codes[i - begin] = static_cast<std::int32_t>(first_largest(scores.data(), planes.count));
                }
                try_float32 = undecided <= (end - begin) / 4;  // many undecided rows: stop trying
            } else {
                kernels().scores(rows, begin, end, weights, planes.count, scratch.data(), scores.data());
                if (!all_finite(scores.data(), (end - begin) * planes.count)) finite = false;
                for (std::size_t r = 0; r < end - begin; ++r)
                    codes[r] = static_cast<std::int32_t>(first_largest(scores.data() + r * planes.count, planes.count));
            }
            write_labels(labels, begin, end, [&](std::size_t r) { return static_cast<std::size_t>(codes[r]); });
        }
    });
    return finite ? Reading::finite : Reading::not_finite;
}

}  // namespace

Reading score_rows(const RowsView& rows, const PlanesView& planes, bool check_indices, std::size_t threads, double* out) {
    return visit(rows, planes, check_indices, threads, out, [](std::size_t, std::size_t, const double*) {});
}

Reading label_rows(const RowsView& rows, const PlanesView& planes, Decision decision, Tie tie, bool check_indices,
                   std::size_t threads, const LabelsView& labels) {
    const std::size_t count = planes.count;
    const auto write = [&](std::size_t begin, std::size_t end, const double* scores) {
        if (decision == Decision::sign) {
            write_labels(labels, begin, end,
                         [&](std::size_t r) { return std::size_t{is_positive(scores[r], tie)}; });
        } else if (decision == Decision::largest) {
            write_labels(labels, begin, end,
                         [&](std::size_t r) { return first_largest(scores + r * count, count); });
        } else {
            std::vector<double> votes(2 * labels.count);
            write_labels(labels, begin, end, [&](std::size_t r) {
                count_votes(scores + r * count, labels.count, tie, votes.data(), votes.data() + labels.count);
                return first_largest(votes.data(), labels.count);
            });
        }
    };
    if (decision == Decision::largest && is_dense(rows.storage) && rows.examples >= kManyRows && rows.features > 0) {
        const Float32PlaneStore float32_planes(planes.w, planes.offsets, count, rows.features);
        if (float32_planes.usable()) return label_largest(rows, planes, float32_planes.view(), threads, labels);
    }
    return visit(rows, planes, check_indices, threads, nullptr, write);
}

template <class Score>
void label_scores(const Score* scores, std::size_t n, std::size_t columns, const LabelsView& labels) {
    if (columns == 1)
        write_labels(labels, 0, n, [&](std::size_t r) { return std::size_t{scores[r] > 0}; });
    else
        write_labels(labels, 0, n, [&](std::size_t r) { return first_largest(scores + r * columns, columns); });
}

template void label_scores(const float*, std::size_t, std::size_t, const LabelsView&);
template void label_scores(const double*, std::size_t, std::size_t, const LabelsView&);

void count_votes(const double* scores, std::size_t classes, Tie tie, double* votes, double* sums) {
    std::fill_n(votes, classes, 0.0);
    std::fill_n(sums, classes, 0.0);
    for (std::size_t a = 0; a < classes; ++a)
        for (std::size_t b = a + 1; b < classes; ++b) {
            const double score = *scores++;
            votes[is_positive(score, tie) ? b : a] += 1;
            sums[b] += score;
            sums[a] -= score;
        }
    for (std::size_t c = 0; c < classes; ++c) votes[c] += sums[c] / (2 * (std::fabs(sums[c]) + 1));
}

}  // namespace rosenblatt
