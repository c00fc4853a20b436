// Coverage-guided fuzzing of the quick reader of plain tables: any bytes, cut into pieces of any size, give the same
// matrix or are left to the general reader. docs/fuzzing.md has the commands.
#include "io/plain_table.hpp"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

using namespace rosenblatt;

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

std::optional<PlainTable> read(const std::string& text, const std::vector<Role>& roles, std::size_t piece) {
    // A copy of just this size: a byte read past its end is seen.
    char* const copy = static_cast<char*>(std::malloc(text.size() ? text.size() : 1));
    std::memcpy(copy, text.data(), text.size());
    std::optional<PlainTable> found = parse_plain_table(copy, copy + text.size(), ',', roles, 1, piece);
    std::free(copy);
    return found;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    std::vector<Role> roles;
    bool labelled = false;
    for (int j = 0; j <= data[1] % 4; ++j) {
        Role role = static_cast<Role>((data[1] >> (2 * j)) % 3);
        if (role == Role::label && labelled) role = Role::skipped;
        labelled = labelled || role == Role::label;
        roles.push_back(role);
    }
    const std::string text(reinterpret_cast<const char*>(data) + 2, size - 2);
    const auto whole = read(text, roles, std::size_t{1} << 24);
    const auto pieces = read(text, roles, data[0] % 64 + 1);
    require(whole.has_value() == pieces.has_value());
    if (!whole) return 0;
    require(whole->rows == pieces->rows && whole->labels == pieces->labels);
    require(whole->values.size() == whole->rows * whole->columns);
    for (std::size_t k = 0; k < whole->values.size(); ++k) {
        require(std::isfinite(whole->values.data()[k]));
        require(whole->values.data()[k] == pieces->values.data()[k]);
    }
    for (std::size_t k = 0; k < whole->codes.size(); ++k)
        require(whole->codes.data()[k] == pieces->codes.data()[k] &&
                static_cast<std::size_t>(whole->codes.data()[k]) < whole->labels.size());
    return 0;
}
