// exp and tanh of every instruction set, against long double.
#include <doctest/doctest.h>

#include <cfloat>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "simd/dispatch.hpp"

using namespace rosenblatt;

static_assert(LDBL_MANT_DIG >= 64, "these tests need a long double that is wider than double");

namespace {

// The distance of the doubles at |exact|, subnormal ones included.
long double ulp(long double exact) {
    const long double size = std::fabs(exact);
    if (size < DBL_MIN) return std::ldexp(1.0L, -1074);
    return std::ldexp(1.0L, std::ilogb(size) - 52);
}

template <class Function, class Exact>
long double worst_error(Function function, Exact exact, const std::vector<double>& numbers) {
    std::vector<double> found(numbers.size());
    function(numbers.data(), numbers.size(), found.data());
    long double worst = 0;
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        const long double value = exact(static_cast<long double>(numbers[k]));
        worst = std::fmax(worst, std::fabs(found[k] - value) / ulp(value));
    }
    return worst;
}

std::vector<double> uniform(double low, double high, std::size_t count) {
    std::mt19937_64 generator(5);
    std::uniform_real_distribution<double> distribution(low, high);
    std::vector<double> numbers(count);
    for (double& number : numbers) number = distribution(generator);
    return numbers;
}

}  // namespace

TEST_CASE("exp and tanh are as exact as they promise") {
    const auto exact_exp = [](long double x) { return std::exp(x); };
    const auto exact_tanh = [](long double x) { return std::tanh(x); };
    for (const Kernels* table : available_kernels()) {
        CAPTURE(table->name);
        for (const double reach : {1e-10, 0.4, 3.0, 40.0, 708.3})
            CHECK(worst_error(table->products.exponentials, exact_exp, uniform(-reach, reach, 100'001)) < 0.7L);
        CHECK(worst_error(table->products.exponentials, exact_exp, uniform(-745, -708.3, 10'001)) < 1.1L);
        for (const double reach : {1e-10, 0.4, 3.0, 25.0})
            CHECK(worst_error(table->products.tangents, exact_tanh, uniform(-reach, reach, 100'001)) < 1.5L);
    }
}

TEST_CASE("exp and tanh have the same bits on every instruction set, at every place of an array") {
    const std::vector<double> numbers = uniform(-750, 715, 10'007);
    const std::vector<const Kernels*> tables = available_kernels();
    for (const auto function : {&ProductKernels::exponentials, &ProductKernels::tangents}) {
        std::vector<double> expected(numbers.size());
        for (std::size_t k = 0; k < numbers.size(); ++k)
            (tables[0]->products.*function)(&numbers[k], 1, &expected[k]);
        for (const Kernels* table : tables) {
            CAPTURE(table->name);
            std::vector<double> found(numbers.size());
            (table->products.*function)(numbers.data(), numbers.size(), found.data());
            CHECK(std::memcmp(found.data(), expected.data(), found.size() * sizeof(double)) == 0);
        }
    }
}
