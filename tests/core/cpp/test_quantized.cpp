// The bound of quantized rows, for every row and weight vector: the score from codes differs from the exact one by no more
// than the bound. Compiled for the instruction set of the compiler's default.
#define ROSENBLATT_ISA quantized_test

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "accelerate/quantized/encode.hpp"
#include "accelerate/quantized/quantized_cost.hpp"
#include "accelerate/quantized/quantized_rows.hpp"
#include "rows/weight_store.hpp"

using namespace rosenblatt;

namespace {

constexpr std::size_t kExamples = 64;

enum class Kind { gaussian, integers, constant, outlier, tiny, huge, scales };

std::vector<double> values_of(Kind kind, std::size_t features, std::mt19937_64& generator) {
    std::normal_distribution<double> normal;
    std::vector<double> x(kExamples * features);
    for (std::size_t k = 0; k < x.size(); ++k) {
        double& value = x[k] = normal(generator);
        if (kind == Kind::integers) value = std::round(3 * value);
        if (kind == Kind::constant && k % features % 3 == 0) value = 2.5;
        if (kind == Kind::outlier && k == 5) value = 1e6;
        if (kind == Kind::tiny) value *= 1e-150;
        if (kind == Kind::huge) value *= 1e120;
        if (kind == Kind::scales) value *= std::pow(10.0, static_cast<double>(k % features % 13) - 6);
    }
    return x;
}

long double exact_score(const double* x, const double* w, std::size_t features, double offset) {
    long double sum = offset;
    for (std::size_t j = 0; j < features; ++j) sum += static_cast<long double>(x[j]) * w[j];
    return sum;
}

}  // namespace

TEST_CASE("no score is farther from the exact one than its bound, and the bound is of use") {
    std::mt19937_64 generator(6);
    std::normal_distribution<double> normal;
    for (const Kind kind : {Kind::gaussian, Kind::integers, Kind::constant, Kind::outlier, Kind::tiny, Kind::huge, Kind::scales})
        for (const std::size_t features : {16u, 17u, 31u, 60u, 200u}) {
            CAPTURE(static_cast<int>(kind));
            CAPTURE(features);
            const std::vector<double> x = values_of(kind, features, generator);
            const RowsView rows{Storage::dense64, kExamples, features, x.data(), static_cast<std::ptrdiff_t>(features), nullptr, nullptr};
            const std::vector<std::int32_t> labels(kExamples, 1);
            std::vector<double> w(features);
            for (double& weight : w) weight = normal(generator);
            // The reference direction is an earlier weight vector, or none.
            for (const bool referenced : {true, false}) {
                auto owned = std::make_shared<QuantizedRows>(rows, referenced ? w.data() : nullptr);
                QuantizedState state(owned, features, 1);
                QuantizedView& view = *state.view();
                quantized_test::encode_dense_rows(x.data(), rows.stride, features, labels.data(), kExamples, view.rows, view);
                WeightStore store(Storage::dense64, 1, features);
                int useful = 0;
                for (int turn = 0; turn < 6; ++turn) {
                    const double offset = turn * normal(generator);
                    store.set(0, w.data(), offset);
                    quantized_test::quantize_plane(view, store.view(), 0, features);
                    const QuantizedPlanes& planes = view.planes;
                    for (std::size_t i = 0; i < kExamples; ++i) {
                        const std::uint8_t* codes = view.rows + i * view.stride;
                        const CodeTrailer tail = quantized_test::trailer_of(codes, view.stride);
                        std::int32_t dot;
                        quantized_test::code_dots<1, 1>(&codes, planes.weights, view.stride, &dot);
                        const double score = planes.scale[0] * dot + planes.constant[0] + planes.parallel[0] * tail.along;
                        const double bound = planes.orthogonal[0] * tail.rest +
                                             planes.lost[0] * quantized_test::from_upper_half(tail.codes) + planes.rounding[0];
                        const long double exact = exact_score(x.data() + i * features, w.data(), features, offset);
                        CHECK(std::fabs(exact - score) <= bound);
                        useful += std::fabs(exact) > bound;
                    }
                    for (double& weight : w) weight += 0.02 * normal(generator) * std::fabs(weight);
                }
                if (kind == Kind::gaussian) CHECK(useful > 300);  // of 384
            }
        }
}

TEST_CASE("quantized rows save time where rows are long and mistakes are few, and lose it to mistakes and undecided rows") {
    for (const bool avx512 : {false, true}) {
        const QuantizedCost pixels{784, 784 * 4, 10, false, false, avx512};
        CHECK(pixels.saved(0.001, 0.001) > 0);
        CHECK(pixels.saved(0.1, 0.1) < 0);
        CHECK(pixels.saved(0.001, 0.3) < 0);
        const QuantizedCost short_rows{54, 54 * 8, 7, false, false, avx512};
        CHECK(short_rows.saved(0.02, 0.27) < 0);
        const QuantizedCost shuffled{54, 54 * 8, 1, true, false, avx512};
        CHECK(shuffled.saved(0.05, 0.055) > 0);
        const QuantizedCost in_cache{54, 54 * 8, 1, true, true, avx512};
        CHECK(in_cache.saved(0.05, 0.055) < 0);
    }
}

TEST_CASE("a run goes on for as long as it has taken, and longer the more of its examples are mistakes") {
    CHECK(epochs_expected(1, 0, 1000) == 1);
    CHECK(epochs_expected(7, 10, 1000) == doctest::Approx(7.1));
    CHECK(epochs_expected(1, 100, 1000) == 11);
}
