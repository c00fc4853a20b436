// Scores of dense rows have one definition, whatever the instruction set: sixteen lanes, folded in halves.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstring>
#include <random>
#include <vector>

#include "rows/weight_store.hpp"
#include "simd/dispatch.hpp"

using namespace rosenblatt;

namespace {

// Value j of a complete block of sixteen goes to lane j mod 16; the last incomplete block is aligned to the right.
template <class Value>
double reference(const Value* x, const double* w, std::size_t features) {
    double lanes[kLanes] = {};
    const std::size_t complete = features / kLanes * kLanes;
    for (std::size_t j = 0; j < complete; ++j) lanes[j % kLanes] += static_cast<double>(x[j]) * w[j];
    for (std::size_t j = complete; j < features; ++j) {
        const std::size_t lane = features < kLanes ? j : j + kLanes - features;
        lanes[lane] += static_cast<double>(x[j]) * w[j];
    }
    for (std::size_t half = kLanes / 2; half > 0; half /= 2)
        for (std::size_t l = 0; l < half; ++l) lanes[l] += lanes[l + half];
    return lanes[0];
}

template <class Value>
void check(Storage storage) {
    std::mt19937_64 generator(1);
    std::normal_distribution<double> normal;
    constexpr std::size_t kRows = 9;
    for (std::size_t features = 1; features <= 100; ++features)
        for (const std::size_t planes : {1u, 2u, 3u, 10u}) {
            std::vector<Value> x(kRows * features);
            for (Value& value : x) value = static_cast<Value>(normal(generator) * std::exp2(10 * normal(generator)));
            std::vector<double> w(planes * features), offsets(planes);
            for (double& weight : w) weight = normal(generator);
            WeightStore store(storage, planes, features);
            for (std::size_t c = 0; c < planes; ++c) {
                offsets[c] = normal(generator);
                store.set(c, w.data() + c * features, offsets[c]);
            }
            std::vector<double> expected(kRows * planes);
            for (std::size_t i = 0; i < kRows; ++i)
                for (std::size_t c = 0; c < planes; ++c)
                    expected[i * planes + c] =
                        reference(x.data() + i * features, w.data() + c * features, features) + offsets[c];
            const RowsView view{storage, kRows, features, x.data(), static_cast<std::ptrdiff_t>(features), nullptr, nullptr};
            for (const Kernels* table : available_kernels()) {
                CAPTURE(table->name);
                CAPTURE(features);
                std::vector<double> scratch(score_room(planes)), found(kRows * planes), in_place(kRows * planes);
                table->scores(view, 0, kRows, store.view(), planes, scratch.data(), found.data());
                table->scores_in_place(view, w.data(), offsets.data(), planes, in_place.data());
                CHECK(std::memcmp(found.data(), expected.data(), expected.size() * sizeof(double)) == 0);
                CHECK(std::memcmp(in_place.data(), expected.data(), expected.size() * sizeof(double)) == 0);
            }
        }
}

}  // namespace

TEST_CASE("every instruction set sums a row of doubles in the same order") { check<double>(Storage::dense64); }

TEST_CASE("every instruction set sums a row of floats in the same order") { check<float>(Storage::dense32); }

TEST_CASE("the baseline is always available") {
    CHECK(std::strcmp(available_kernels().front()->name, "baseline") == 0);
}

#if defined(__x86_64__) && defined(__GNUC__)
TEST_CASE("the instruction sets that the core finds are those that the compiler's library finds") {
    std::size_t expected = 1;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")) {
        ++expected;
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
            __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512cd"))
            expected += 1 + (__builtin_cpu_supports("avx512vnni") != 0);
    }
    CHECK(available_kernels().size() == expected);
}
#endif
