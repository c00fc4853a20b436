// Validation of rows: finite values, row pointers and column indices of CSR matrices.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace rosenblatt {

// The position of the first value that is NaN or infinite.
template <class Value>
std::optional<std::size_t> first_nonfinite(const Value* values, std::size_t count) {
    constexpr std::size_t kBlock = 1024;
    constexpr std::size_t kSums = 16;  // independent sums, which the compiler vectorises
    for (std::size_t begin = 0; begin < count; begin += kBlock) {
        const std::size_t end = count < begin + kBlock ? count : begin + kBlock;
        Value sums[kSums] = {};  // 0 * x is 0, or NaN where x is not finite; no branch in the loop
        std::size_t k = begin;
        for (; k + kSums <= end; k += kSums)
            for (std::size_t s = 0; s < kSums; ++s) sums[s] += values[k + s] * Value(0);
        for (; k < end; ++k) sums[0] += values[k] * Value(0);
        for (std::size_t s = 1; s < kSums; ++s) sums[0] += sums[s];
        if (sums[0] == 0) continue;
        for (k = begin; k < end; ++k)
            if (!std::isfinite(values[k])) return k;
    }
    return std::nullopt;
}

// The first position in `starts` at which the row pointers of a CSR matrix are invalid.
template <class Index>
std::optional<std::size_t> starts_fault(const Index* starts, std::size_t rows, std::size_t entries) {
    if (starts[0] != 0) return 0;
    for (std::size_t i = 0; i < rows; ++i)
        if (starts[i + 1] < starts[i]) return i + 1;
    if (static_cast<std::uint64_t>(starts[rows]) > entries) return rows;
    return std::nullopt;
}

// The position of the first column index out of range.
template <class Index>
std::optional<std::size_t> indices_fault(const Index* indices, std::size_t stored, std::size_t features) {
    constexpr std::size_t kBlock = 4096;
    for (std::size_t begin = 0; begin < stored; begin += kBlock) {
        const std::size_t end = stored < begin + kBlock ? stored : begin + kBlock;
        Index least = 0, most = 0;  // no branch in the loop
        for (std::size_t k = begin; k < end; ++k) {
            least = indices[k] < least ? indices[k] : least;
            most = indices[k] > most ? indices[k] : most;
        }
        if (least >= 0 && static_cast<std::uint64_t>(most) < features) continue;
        for (std::size_t k = begin; k < end; ++k)
            if (indices[k] < 0 || static_cast<std::uint64_t>(indices[k]) >= features) return k;
    }
    return std::nullopt;
}

}  // namespace rosenblatt
