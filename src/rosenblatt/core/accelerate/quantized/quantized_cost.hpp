// The cost model of quantized rows: the time that they save or lose, against the plain pass.
//
// Per pair of an example and a problem, an epoch saves arithmetic and memory traffic (shared by all problems of a row), and pays
// for every mistake, after which the weights are quantized and the block is scored again, and for every correct example that the
// codes leave undecided. Times are nanoseconds, by regression over `benchmarks/workloads/accelerators.py` and synthetic data of 32
// to 784 features, 1 to 10 problems and 0 to 30% mistakes; only their ratios matter. They were measured on a processor with AVX2
// and on a server with AVX-512, of which one core reads half as many bytes in file order and encodes faster.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace rosenblatt {

struct QuantizedCost {
    std::size_t features;
    std::size_t row_bytes;
    std::size_t planes;
    bool shuffled;
    bool in_cache;  // the rows as a whole fit into the last-level cache
    bool avx512;

    // Time saved per pair and epoch; negative if quantized rows lose. `mistakes` and `undecided` are shares of all pairs.
    double saved(double mistakes, double undecided) const {
        const auto d = static_cast<double>(features), bytes = static_cast<double>(row_bytes);
        const double memory = in_cache ? 0.015 * bytes : shuffled ? 10 + 0.08 * bytes : (avx512 ? 0.07 : 0.035) * bytes;
        const double scored = 0.04 * d + (memory - 8) / static_cast<double>(planes);
        const double mistake = planes == 1 ? 150 + 2.5 * d : 80 + d;
        return scored - mistakes * mistake - std::max(0.0, undecided - mistakes) * (10 + 0.3 * d);
    }

    // Time to encode a row, memory that is touched for the first time included.
    double encode() const { return (avx512 ? 1.4 : 2) * static_cast<double>(features); }
};

// The number of epochs that a run is expected to go on: as many as it has taken, and more if the last epoch had many mistakes.
// Most of 44 separable sets (2,000x50 to 200,000x200, 3 to 6,000 mistakes in the first epoch) took this many or more.
inline double epochs_expected(std::uint64_t epoch, std::uint64_t mistakes, std::uint64_t members) {
    const auto count = static_cast<double>(mistakes);
    return static_cast<double>(epoch) + count * count / static_cast<double>(members);
}

}  // namespace rosenblatt
