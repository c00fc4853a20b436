// Coverage-guided fuzzing of the svmlight parser: any bytes, cut into pieces of any size, must be read or refused,
// without touching memory that is not theirs. What is read must be a CSR matrix, and the same whatever the pieces.
//
// docs/fuzzing.md has the commands.
#include "io/svmlight.hpp"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <variant>

using namespace rosenblatt;

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

template <class Index>
void check(const Svmlight& file, const Csr<Index>& rows) {
    require(rows.starts.size() == file.labels.size() + 1);
    require(rows.starts.data()[0] == 0);
    require(static_cast<std::size_t>(rows.starts.data()[file.labels.size()]) == rows.values.size());
    require(rows.values.size() == rows.indices.size());
    for (std::size_t i = 0; i < file.labels.size(); ++i) {
        require(std::isfinite(file.labels.data()[i]));
        require(rows.starts.data()[i] <= rows.starts.data()[i + 1]);
        for (auto k = rows.starts.data()[i]; k < rows.starts.data()[i + 1]; ++k) {
            require(std::isfinite(rows.values.data()[k]));
            require(rows.indices.data()[k] >= 0);
            require(static_cast<std::uint64_t>(rows.indices.data()[k]) < file.features);
            require(k == rows.starts.data()[i] || rows.indices.data()[k - 1] < rows.indices.data()[k]);
        }
    }
}

struct Read {
    std::optional<Svmlight> file;
    std::string refused;
};

Read read(const std::string& text, const SvmlightWishes& wishes) {
    // A copy of just this size: a byte read past its end is seen.
    char* const copy = static_cast<char*>(std::malloc(text.size() ? text.size() : 1));
    std::memcpy(copy, text.data(), text.size());
    Read found;
    try {
        found.file = parse_svmlight(copy, copy + text.size(), wishes);
    } catch (const SvmlightError& error) {
        found.refused = error.what();
    }
    std::free(copy);
    return found;
}

template <class T>
bool same(const Buffer<T>& one, const Buffer<T>& other) {
    return one.size() == other.size() &&
           (one.size() == 0 || std::memcmp(one.data(), other.data(), one.size() * sizeof(T)) == 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    SvmlightWishes wishes;
    wishes.piece = data[0] % 64 + 1;
    if (data[1] & 1) wishes.zero_based = (data[1] & 2) != 0;
    if (data[1] & 4) wishes.features = data[1] >> 3;
    const std::string text(reinterpret_cast<const char*>(data) + 2, size - 2);
    const Read pieces = read(text, wishes);
    wishes.piece = std::size_t{1} << 24;
    const Read whole = read(text, wishes);
    require(pieces.file.has_value() == whole.file.has_value());
    if (!whole.file) {
        require(pieces.refused.rfind("line ", 0) == 0);
        return 0;
    }
    std::visit(
        [&](const auto& rows) {
            check(*whole.file, rows);
            const auto* others = std::get_if<std::decay_t<decltype(rows)>>(&pieces.file->rows);
            require(others && same(rows.values, others->values) && same(rows.indices, others->indices) &&
                    same(rows.starts, others->starts));
        },
        whole.file->rows);
    require(same(whole.file->labels, pieces.file->labels) && same(whole.file->qids, pieces.file->qids));
    return 0;
}
