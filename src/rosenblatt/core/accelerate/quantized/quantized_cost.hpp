// The cost model of quantized rows: the time that they save or lose, against the plain pass.
//
// Times are nanoseconds on a processor of 2020 with AVX2, by regression over `benchmarks/workloads/accelerators.py` and synthetic data of
// 32 to 784 features, 1 to 10 problems and 0 to 30% mistakes; only their ratios matter. Per pair of an example and a problem,
// an epoch saves arithmetic and memory traffic (shared by all problems of a row), and pays for every mistake, after which the
// weights are quantized and the block is scored again, and for every correct example that the codes leave undecided.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace rosenblatt {

struct QuantizedCost {
    std::size_t features;
    std::size_t row_bytes;
    std::size_t planes;
    bool shuffled;
    bool in_cache;  // the rows as a whole fit into the last-level cache

    // Time saved per pair and epoch; negative if quantized rows lose. `mistakes` and `undecided` are shares of all pairs.
    double saved(double mistakes, double undecided) const {
        const auto d = static_cast<double>(features), bytes = static_cast<double>(row_bytes);
        const double memory = in_cache ? 0.015 * bytes : shuffled ? 10 + 0.08 * bytes : 0.035 * bytes;
        const double scored = 0.04 * d + (memory - 8) / static_cast<double>(planes);
        const double mistake = planes == 1 ? 150 + 2.5 * d : 80 + d;
        return scored - mistakes * mistake - std::max(0.0, undecided - mistakes) * (10 + 0.3 * d);
    }

    // Time to encode a row, memory that is touched for the first time included.
    double encode() const { return 2 * static_cast<double>(features); }
};

// The number of epochs that a run is expected to go on. Mistakes fall from epoch to epoch until a separable run ends: with M
// mistakes left, it seldom takes fewer than 2 log2 M epochs (10^6 x 200 examples: 46 epochs after 10^4 mistakes).
inline double epochs_expected(double limit, std::uint64_t mistakes) {
    return std::min(limit, 2 * std::log2(1 + static_cast<double>(mistakes)));
}

}  // namespace rosenblatt
