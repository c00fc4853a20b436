// The random numbers of a run: the same in C++ and in conventions/randomness.py, on every machine.
//
// SplitMix64 (Steele, Lea, Flood 2014), keyed by seed, purpose and counter, so that epoch 7's order can be had without
// the six before it. A draw below k is the high half of a 64-by-64-bit product: its bias is under k / 2^64.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "views.hpp"

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#endif

namespace rosenblatt {

enum class Purpose : std::uint64_t { order = 1, start = 2, sample = 3 };

class Stream {
   public:
    Stream(std::uint64_t seed, Purpose purpose, std::uint64_t counter)
        : state_(mix(mix(seed + kGamma) + kGamma * static_cast<std::uint64_t>(purpose)) + kGamma * counter) {}

    std::uint64_t next() {
        state_ += kGamma;
        return mix(state_);
    }

    // Uniform in 0, ..., k - 1.
    std::uint64_t below(std::uint64_t k) {
#if defined(_MSC_VER) && !defined(__clang__)
        return __umulh(next(), k);
#else
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::uint64_t>((static_cast<Wide>(next()) * k) >> 64);
#endif
    }

   private:
    static constexpr std::uint64_t kGamma = 0x9E3779B97F4A7C15;

    static std::uint64_t mix(std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        return z ^ (z >> 31);
    }

    std::uint64_t state_;
};

// The order of an epoch: a uniform permutation of 0, ..., n - 1 (Fisher-Yates, from the end).
inline void epoch_order(std::uint64_t seed, std::uint64_t epoch, std::uint32_t n, std::vector<std::uint32_t>& order) {
    order.resize(n);
    for (std::uint32_t i = 0; i < n; ++i) order[i] = i;
    Stream stream(seed, Purpose::order, epoch);
    // Where the swaps go is known without making them, so memory is asked for many at once.
    constexpr std::uint32_t kAhead = 32;
    std::uint32_t partners[kAhead];
    for (std::uint32_t i = n; i > 1;) {
        const std::uint32_t count = i - 1 < kAhead ? i - 1 : kAhead;
        for (std::uint32_t k = 0; k < count; ++k) {
            partners[k] = static_cast<std::uint32_t>(stream.below(i - k));
            ROSENBLATT_PREFETCH(order.data() + partners[k]);
        }
        for (std::uint32_t k = 0; k < count; ++k) std::swap(order[i - k - 1], order[partners[k]]);
        i -= count;
    }
}

}  // namespace rosenblatt
