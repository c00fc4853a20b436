// The random numbers of a run: the same in C++ and in conventions/randomness.py, on every machine.
//
// SplitMix64 (Steele, Lea, Flood 2014), keyed by seed, purpose and counter, so that the order of epoch 7 needs none
// of the epochs before it. A draw below k is the high half of a 64-by-64-bit product: its bias is under k / 2^64.
#pragma once

#include <cstdint>

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#endif

namespace rosenblatt {

enum class Purpose : std::uint64_t { order = 1, start = 2, sample = 3 };

constexpr std::uint64_t kGamma = 0x9E3779B97F4A7C15;
constexpr std::uint64_t kMixFirst = 0xBF58476D1CE4E5B9;
constexpr std::uint64_t kMixSecond = 0x94D049BB133111EB;

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

    // The state, from which all later numbers follow.
    std::uint64_t state() const { return state_; }

   private:
    static std::uint64_t mix(std::uint64_t z) {
        z = (z ^ (z >> 30)) * kMixFirst;
        z = (z ^ (z >> 27)) * kMixSecond;
        return z ^ (z >> 31);
    }

    std::uint64_t state_;
};

}  // namespace rosenblatt
