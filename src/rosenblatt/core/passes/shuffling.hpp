// Shuffles the order of an epoch with the random numbers of random.hpp, many at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rows/views.hpp"
#include "util/random.hpp"

namespace rosenblatt::ROSENBLATT_ISA {

// Equals Stream::below(k) for a stream with this state, for k < 2^32; needs no 128-bit product.
inline std::uint32_t draw_below(std::uint64_t state, std::uint64_t k) {
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * kMixFirst;
    z = (z ^ (z >> 27)) * kMixSecond;
    z ^= z >> 31;
    return static_cast<std::uint32_t>(((z >> 32) * k + ((z & 0xFFFFFFFF) * k >> 32)) >> 32);
}

// Fisher-Yates from the end. The draws are independent of each other, so a block of them is vectorised.
inline void shuffle_order(std::uint64_t state, std::uint32_t n, std::uint32_t* order) {
    constexpr std::uint32_t kBlock = 256;
    constexpr std::uint32_t kCached = 8192;  // orders up to this size stay in the first-level cache
    std::uint32_t draws[kBlock];
    for (std::uint32_t i = 0; i < n; ++i) order[i] = i;
    for (std::uint32_t left = n; left > 1;) {
        const std::uint32_t count = left - 1 < kBlock ? left - 1 : kBlock;
        for (std::uint32_t t = 0; t < count; ++t) draws[t] = draw_below(state + kGamma * (t + 1ull), left - t);
        // The targets of the swaps are known in advance and are prefetched together.
        if (n > kCached)
            for (std::uint32_t t = 0; t < count; ++t) ROSENBLATT_PREFETCH(order + draws[t]);
        for (std::uint32_t t = 0; t < count; ++t) {
            const std::uint32_t last = order[left - 1 - t];
            order[left - 1 - t] = order[draws[t]];
            order[draws[t]] = last;
        }
        state += kGamma * count;
        left -= count;
    }
}

}  // namespace rosenblatt::ROSENBLATT_ISA
