// Threads of a caller share nothing but what they are given: eight runs at once, and predictions from shared weights.
// This is the condition for a Python without the global interpreter lock. `tools/sanitize_threads` runs it under
// ThreadSanitizer.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "accelerate/quantized/quantized_rows.hpp"
#include "inference/inference.hpp"
#include "runs/online/online_run.hpp"

using namespace rosenblatt;

namespace {

constexpr std::size_t kThreads = 8, kExamples = 400, kFeatures = 48;
constexpr std::int32_t kClasses = 3;

struct Table {
    std::vector<double> values;
    std::vector<std::int32_t> labels;

    Table() : values(kExamples * kFeatures), labels(kExamples) {
        std::mt19937_64 generator(11);
        std::normal_distribution<double> normal;
        for (std::size_t i = 0; i < kExamples; ++i) {
            labels[i] = static_cast<std::int32_t>(i % kClasses);
            for (std::size_t j = 0; j < kFeatures; ++j)
                values[i * kFeatures + j] = normal(generator) + (j % kClasses == i % kClasses ? 0.6 : 0.0);
        }
    }

    RowsView rows() const {
        return {Storage::dense64, kExamples, kFeatures, values.data(), kFeatures, nullptr, nullptr};
    }
};

// The weights after 15 epochs of all classes against the rest. The runs of a fit may share quantized rows.
std::vector<double> trained(const Table& table, std::uint64_t seed, const std::shared_ptr<SharedQuantizedRows>& shared) {
    Plan plan;
    plan.limits.max_iter = 15;
    plan.order = Order::shuffle;
    plan.seed = seed;
    plan.average = seed % 2 == 1;
    const std::vector<double> start(kClasses * kFeatures), offsets(kClasses);
    OnlineRun run({table.rows(), table.labels.data(), nullptr, nullptr}, nullptr, plan, {0, 1, 2}, start.data(),
                  offsets.data());
    if (shared) run.share_copies(shared);
    while (run.advance(std::uint64_t{1} << 14, false) != Pause::done) {
    }
    std::vector<double> weights;
    for (std::size_t p = 0; p < run.problems(); ++p) {
        const Outcome outcome = run.outcome(p);
        for (const Snapshot* state : {&outcome.last, &outcome.average}) {
            weights.insert(weights.end(), state->w.begin(), state->w.end());
            weights.insert(weights.end(), state->offsets.begin(), state->offsets.end());
        }
    }
    return weights;
}

std::vector<std::uint32_t> predicted(const Table& table, const PlanesView& planes, std::size_t threads) {
    std::vector<std::uint32_t> found(kExamples);
    const std::uint32_t names[kClasses] = {0, 1, 2};
    const LabelsView labels{reinterpret_cast<const unsigned char*>(names), kClasses, sizeof(std::uint32_t),
                            reinterpret_cast<unsigned char*>(found.data())};
    const Reading reading = label_rows(table.rows(), planes, Decision::largest, Tie::mistake, true, threads, labels);
    return reading == Reading::finite ? found : std::vector<std::uint32_t>{};
}

template <class Job>
void run_at_once(const Job& job) {
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < kThreads; ++t) threads.emplace_back([&job, t] { job(t); });
    for (std::thread& thread : threads) thread.join();
}

void choose_accelerator(const char* name) {
#ifdef _WIN32
    _putenv_s("ROSENBLATT_ACCELERATOR", name);
#else
    setenv("ROSENBLATT_ACCELERATOR", name, 1);
#endif
}

}  // namespace

TEST_CASE("eight threads with a run each get what one thread gets") {
    const Table table;
    for (const char* name : {"none", "auto", "gram", "quantized", "speculative", "branchless"})
        for (const bool sharing : {false, true}) {
            CAPTURE(name);
            CAPTURE(sharing);
            choose_accelerator(name);  // before the threads start: the environment is not safe to change among them
            const auto shared = sharing ? std::make_shared<SharedQuantizedRows>(double{kThreads * kExamples * kClasses}) : nullptr;
            std::vector<std::vector<double>> together(kThreads);
            run_at_once([&](std::size_t t) { together[t] = trained(table, t, shared); });
            for (std::size_t t = 0; t < kThreads; ++t) {
                REQUIRE(!together[t].empty());
                CHECK(together[t] == trained(table, t, nullptr));
            }
        }
    choose_accelerator("auto");
}

TEST_CASE("eight threads that predict from the same weights get what one thread gets") {
    const Table table;
    std::vector<double> w(kClasses * kFeatures), offsets(kClasses);
    for (std::size_t c = 0; c < kClasses; ++c)
        for (std::size_t j = c; j < kFeatures; j += kClasses) w[c * kFeatures + j] = 1.0;
    const PlanesView planes{w.data(), offsets.data(), kClasses};
    const std::vector<std::uint32_t> expected = predicted(table, planes, 1);
    REQUIRE(expected.size() == kExamples);
    for (const std::size_t inner : {1u, 2u}) {
        std::vector<std::vector<std::uint32_t>> found(kThreads);
        run_at_once([&](std::size_t t) {
            for (int round = 0; round < 20; ++round) found[t] = predicted(table, planes, inner);
        });
        for (const std::vector<std::uint32_t>& labels : found) CHECK(labels == expected);
    }
}
