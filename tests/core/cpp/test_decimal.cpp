#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>

#include "io/decimal.hpp"

using namespace rosenblatt;

namespace {

// The number at the front of the text, and how many characters it has.
struct Found {
    double value;
    std::ptrdiff_t length;  // -1 where there is no finite number
};

Found read(const std::string& number, const std::string& after = "") {
    const std::string line = number + after + "\n";
    const Decimal found = read_decimal(line.data(), line.data() + line.size());
    return {found.value, found.end ? found.end - line.data() : -1};
}

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

void check_as_strtod(const std::string& number) {
    CAPTURE(number);
    const Found found = read(number);
    CHECK(found.length == static_cast<std::ptrdiff_t>(number.size()));
    CHECK(same_bits(found.value, std::strtod(number.c_str(), nullptr)));
}

}  // namespace

TEST_CASE("a decimal is rounded as strtod rounds it") {
    for (const char* number :
         {"0", "-0", "+1", "1.", ".5", "-.5e1", "0.1", "1e22", "1e23", "9007199254740993", "1e-22", "1E+5", "123456789012345678901234567890",
          "0.000000000000000000000000000000000000000001", "2.2250738585072011e-308", "4.9406564584124654e-324", "2.4703282292062327e-324",
          "2.4703282292062328e-324", "1.7976931348623157e308", "1e-400", "-1e-400", "0e999999", "8.5e-00000003", "1e00000000000000000005",
          "9223372036854775807", "18446744073709551616", "0.30000000000000004440892098500626161694526672363281250"})
        check_as_strtod(number);
}

TEST_CASE("random decimals are rounded as strtod rounds them") {
    std::mt19937_64 generator(2);
    const auto below = [&](std::uint64_t n) { return generator() % n; };
    for (int trial = 0; trial < 200'000; ++trial) {
        std::string number = below(3) ? "" : "-";
        const auto digits = [&](std::uint64_t count) {
            for (std::uint64_t k = 0; k < count; ++k) number += static_cast<char>('0' + below(10));
        };
        digits(1 + below(below(8) ? 8 : 25));
        if (below(3)) {
            number += '.';
            digits(below(below(8) ? 10 : 25));
        }
        if (!below(4)) number += "e" + std::to_string(static_cast<int>(below(600)) - 300);
        if (std::isfinite(std::strtod(number.c_str(), nullptr))) check_as_strtod(number);
    }
}

TEST_CASE("doubles with 17 digits come back") {
    std::mt19937_64 generator(3);
    for (int trial = 0; trial < 100'000; ++trial) {
        const std::uint64_t bits = generator();
        double value;
        std::memcpy(&value, &bits, sizeof value);
        if (!std::isfinite(value)) continue;
        char text[40];
        std::snprintf(text, sizeof text, "%.17g", value);
        CHECK(same_bits(read(text).value, value));
    }
}

TEST_CASE("a number ends where its characters end") {
    for (const char* after : {" 2", ":3", ",4", " inf", "x", "#", "\t", "e", "e+", "-"}) {
        CAPTURE(after);
        const bool broken = after[0] == 'e';  // an exponent without digits
        CHECK(read("1.25", after).length == (broken ? -1 : 4));
    }
}

TEST_CASE("what is no finite number is refused") {
    for (const char* text : {"", "-", "+", ".", "e5", "-.", "x", "inf", "nan", "-inf", "1e999", "-1e400", "--1", "+-1", "1e", " 1"}) {
        CAPTURE(text);
        CHECK(read(text).length == -1);
    }
}
