#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "runs/cycle.hpp"

using namespace rosenblatt;

namespace {

// Two planes of three features. `problem_major` chooses between the two layouts of the weights.
struct State {
    explicit State(bool problem_major) : problem_major(problem_major) {}

    Weights view() { return {data.data(), problem_major ? 3u : 2u, problem_major, offsets.data()}; }

    // A state with preperiod `first` and period `period`: its number is the epoch, folded onto the cycle.
    void set(std::uint64_t epoch, std::uint64_t first, std::uint64_t period) {
        const std::uint64_t number = epoch < first ? epoch : first + (epoch - first) % period;
        offsets = {1.0, -static_cast<double>(number)};
    }

    bool problem_major;
    std::vector<double> data = std::vector<double>(6, 0.5);
    std::vector<double> offsets = {0, 0};
};

}  // namespace

TEST_CASE("the first match is the period, at most three times as late as preperiod and period") {
    for (const bool problem_major : {true, false})
        for (std::uint64_t first = 0; first < 40; ++first)
            for (std::uint64_t period = 1; period < 30; ++period) {
                State state(problem_major);
                CycleWatch watch;
                std::uint64_t epoch = 0, found = 0;
                for (; !found && epoch < 1000; ++epoch) {
                    state.set(epoch, first, period);
                    found = watch.observe(epoch, state.view(), 0, 2, 3);
                }
                CHECK(found == period);
                CHECK(epoch <= 3 * (first + period) + 2);
            }
}

TEST_CASE("a change of any single number, also by its last bit, is another state") {
    for (const bool problem_major : {true, false})
        for (std::size_t k = 0; k < 8; ++k) {
            State state(problem_major);
            CycleWatch watch;
            CHECK(watch.observe(0, state.view(), 0, 2, 3) == 0);
            double& number = k < 6 ? state.data[k] : state.offsets[k - 6];
            const double before = number;
            number = std::nextafter(before, 2.0);
            CHECK(watch.observe(1, state.view(), 0, 2, 3, false) == 0);
            number = before;
            CHECK(watch.observe(2, state.view(), 0, 2, 3, false) == 2);
        }
}

TEST_CASE("planes outside of the problem are not compared") {
    State state(true);
    CycleWatch watch;
    watch.observe(0, state.view(), 0, 1, 3);
    state.offsets[1] = 7;
    state.data[4] = 7;
    CHECK(watch.observe(1, state.view(), 0, 1, 3) == 1);
}

TEST_CASE("NaN is never a state that has come back") {
    State state(true);
    state.offsets[0] = std::numeric_limits<double>::quiet_NaN();
    CycleWatch watch;
    for (std::uint64_t epoch = 0; epoch < 20; ++epoch) CHECK(watch.observe(epoch, state.view(), 0, 2, 3) == 0);
}

TEST_CASE("copies are kept after epochs 0, 1, 2, 4, 8") {
    BrentSchedule schedule;
    std::vector<std::uint64_t> kept;
    for (std::uint64_t epoch = 0; epoch < 40; ++epoch)
        if (schedule.is_due(epoch)) {
            schedule.keep(epoch);
            kept.push_back(schedule.kept_at);
        }
    CHECK(kept == std::vector<std::uint64_t>{0, 1, 2, 4, 8, 16, 32});
}
