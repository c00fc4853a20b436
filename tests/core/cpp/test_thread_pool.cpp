#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "util/thread_pool.hpp"

using namespace rosenblatt;

TEST_CASE("every job runs once, for any number of jobs and threads") {
    for (const std::size_t jobs : {0u, 1u, 2u, 7u, 1000u})
        for (const unsigned threads : {0u, 1u, 2u, 5u}) {
            std::vector<std::atomic<int>> runs(jobs);
            parallel_for(jobs, threads, [&](std::size_t k) { runs[k] += 1; });
            for (const std::atomic<int>& count : runs) CHECK(count == 1);
        }
}

TEST_CASE("jobs run in several threads") {
    // Each job waits for the other, so one thread alone would not end.
    std::atomic<int> arrived{0};
    parallel_for(2, 2, [&](std::size_t) {
        arrived += 1;
        while (arrived < 2) std::this_thread::yield();
    });
    CHECK(arrived == 2);
}

TEST_CASE("an exception in a job reaches the caller, and the pool can be used again") {
    ThreadPool pool;
    const Workers workers(pool, 2);
    for (int round = 0; round < 50; ++round) {
        std::atomic<int> done{0};
        CHECK_THROWS_AS(pool.run(100,
                                   [&](std::size_t k) {
                                       if (k == 50) throw std::runtime_error("job 50");
                                       done += 1;
                                   }),
                        std::runtime_error);
        CHECK(done <= 99);
        done = 0;
        pool.run(100, [&](std::size_t) { done += 1; });
        CHECK(done == 100);
    }
}
