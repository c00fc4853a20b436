// Sixteen interleaved partial sums, in as many registers as the instruction set needs for them.
//
// The sum of a row is defined by its lanes, not by the registers: value j of a complete block of sixteen goes to lane
// j mod 16, the last incomplete block is aligned to the right, and the lanes are folded in halves. So every instruction
// set gives the same bits.
#pragma once

#include <cstddef>
#include <cstring>

#include "views.hpp"

namespace rosenblatt::ROSENBLATT_ISA {

#if defined(__AVX512F__)
constexpr std::size_t kWidth = 8;
#elif defined(__AVX__)
constexpr std::size_t kWidth = 4;
#else
constexpr std::size_t kWidth = 2;
#endif

#if defined(__GNUC__)

using Pack = double __attribute__((vector_size(kWidth * sizeof(double))));
using FloatPack = float __attribute__((vector_size(kWidth * sizeof(float))));

inline Pack load(const double* values) {
    Pack pack;
    std::memcpy(&pack, values, sizeof pack);
    return pack;
}

inline Pack load(const float* values) {
    FloatPack pack;
    std::memcpy(&pack, values, sizeof pack);
    return __builtin_convertvector(pack, Pack);
}

#else

struct Pack {
    double lane[kWidth] = {};
    Pack& operator+=(const Pack& other) {
        for (std::size_t l = 0; l < kWidth; ++l) lane[l] += other.lane[l];
        return *this;
    }
    friend Pack operator*(Pack a, const Pack& b) {
        for (std::size_t l = 0; l < kWidth; ++l) a.lane[l] *= b.lane[l];
        return a;
    }
};

template <class Value>
inline Pack load(const Value* values) {
    Pack pack;
    for (std::size_t l = 0; l < kWidth; ++l) pack.lane[l] = static_cast<double>(values[l]);
    return pack;
}

#endif

class Lanes {
   public:
    // lane[l] += x[l] * w[l] for a block of kLanes.
    template <class Value>
    void take(const Value* x, const double* w) {
        for (std::size_t p = 0; p < kPacks; ++p) packs_[p] += load(x + p * kWidth) * load(w + p * kWidth);
    }

    double fold() const {
        Pack packs[kPacks];
        for (std::size_t p = 0; p < kPacks; ++p) packs[p] = packs_[p];
        for (std::size_t half = kPacks / 2; half > 0; half /= 2)
            for (std::size_t p = 0; p < half; ++p) packs[p] += packs[p + half];
        double lanes[kWidth];
        std::memcpy(lanes, &packs[0], sizeof lanes);
        for (std::size_t half = kWidth / 2; half > 0; half /= 2)
            for (std::size_t l = 0; l < half; ++l) lanes[l] += lanes[l + half];
        return lanes[0];
    }

   private:
    static constexpr std::size_t kPacks = kLanes / kWidth;
    Pack packs_[kPacks] = {};
};

// The same sum for rows of fewer than kLanes values: each lane holds one product at most.
template <class Value>
double short_dot(const Value* x, const double* w, std::size_t count) {
    double lanes[kLanes];
    for (std::size_t l = 0; l < count; ++l) lanes[l] = static_cast<double>(x[l]) * w[l];
    for (std::size_t half = kLanes / 2; half > 0; half /= 2)
        for (std::size_t l = 0; l + half < count && l < half; ++l) lanes[l] += lanes[l + half];
    return count ? lanes[0] : 0.0;
}

}  // namespace rosenblatt::ROSENBLATT_ISA
