// Questions about rows that are asked once, before anything is computed with them.
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
    constexpr std::size_t kSums = 16;  // side by side, for the compiler to put into registers
    for (std::size_t begin = 0; begin < count; begin += kBlock) {
        const std::size_t end = count < begin + kBlock ? count : begin + kBlock;
        Value sums[kSums] = {};  // 0 * x is 0, or NaN for the values sought: a loop without a branch
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

// What is wrong with a CSR matrix, as a position in `starts` or `indices`; nothing if it can be read safely.
struct CsrFault {
    bool in_starts;
    std::size_t position;
};

template <class Index>
std::optional<CsrFault> csr_fault(const Index* starts, std::size_t rows, const Index* indices, std::size_t entries,
                                  std::size_t features) {
    if (starts[0] != 0) return CsrFault{true, 0};
    for (std::size_t i = 0; i < rows; ++i)
        if (starts[i + 1] < starts[i]) return CsrFault{true, i + 1};
    if (static_cast<std::uint64_t>(starts[rows]) > entries) return CsrFault{true, rows};
    const auto stored = static_cast<std::size_t>(starts[rows]);
    constexpr std::size_t kBlock = 4096;
    for (std::size_t begin = 0; begin < stored; begin += kBlock) {
        const std::size_t end = stored < begin + kBlock ? stored : begin + kBlock;
        Index least = 0, most = 0;  // a loop without a branch
        for (std::size_t k = begin; k < end; ++k) {
            least = indices[k] < least ? indices[k] : least;
            most = indices[k] > most ? indices[k] : most;
        }
        if (least >= 0 && static_cast<std::uint64_t>(most) < features) continue;
        for (std::size_t k = begin; k < end; ++k)
            if (indices[k] < 0 || static_cast<std::uint64_t>(indices[k]) >= features) return CsrFault{false, k};
    }
    return std::nullopt;
}

}  // namespace rosenblatt
