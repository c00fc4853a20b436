// Finds where a run in file order comes back to an earlier state. Brent (1980) finds the period; two runs that are one period
// apart have equal states from the end of the pre-period on; one more period counts the mistakes of each example.
//
// In exact arithmetic these counts prove that no separator exists: the updates of one period add up to zero.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rows/weight_store.hpp"
#include "simd/kernels.hpp"

namespace rosenblatt {

struct Cycle {
    std::uint64_t pre_period = 0;        // epochs before the first state that comes back
    std::uint64_t period = 0;            // in epochs; 0 if none was found
    std::uint64_t epochs = 0;            // run to find it
    bool separated = false;              // an epoch without a mistake ended the search
    std::vector<std::uint64_t> mistakes; // of each example over one period
};

class CycleSearch {
   public:
    CycleSearch(const Examples& examples, const Rule& rule, std::int32_t positive, const double* start,
                double start_offset);

    // Runs for about `epochs` epochs; returns true when the search has ended.
    bool advance(std::uint64_t epochs);

    const Cycle& found() const { return found_; }

   private:
    // A perceptron that runs one epoch per call.
    struct Walker {
        WeightStore weights;
        Problem problem;

        bool same_as(const Walker& other, std::size_t features) const;
    };

    enum class Stage : std::uint8_t { period, lead, pre_period, count, ended };

    void walk(Walker& walker);
    void present(Walker& walker, std::size_t begin, std::size_t end);
    void count_mistakes();

    Examples examples_;
    Rule rule_;
    Walker start_;
    Walker hare_;      // finds the period
    Walker tortoise_;  // Brent's copy, then the run from the start
    std::vector<double> scores_;
    std::uint64_t kept_at_ = 0;
    std::uint64_t keep_next_ = 1;
    std::uint64_t walked_ = 0;
    Stage stage_ = Stage::period;
    Cycle found_;
};

}  // namespace rosenblatt
