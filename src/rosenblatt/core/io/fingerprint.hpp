// XXH64 (Collet 2012, seed 0): a fast fingerprint of files. It is not cryptographic.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace rosenblatt {

namespace detail {

constexpr std::uint64_t kPrime1 = 0x9E3779B185EBCA87, kPrime2 = 0xC2B2AE3D27D4EB4F, kPrime3 = 0x165667B19E3779F9,
                        kPrime4 = 0x85EBCA77C2B2AE63, kPrime5 = 0x27D4EB2F165667C5;

template <class Word>
Word little_endian(const unsigned char* p) {
    Word word = 0;
    if constexpr (std::endian::native == std::endian::little) {
        std::memcpy(&word, p, sizeof(Word));
    } else {
        for (std::size_t k = sizeof(Word); k-- > 0;) word = static_cast<Word>(word << 8 | p[k]);
    }
    return word;
}

inline std::uint64_t round(std::uint64_t lane, std::uint64_t input) {
    return std::rotl(lane + input * kPrime2, 31) * kPrime1;
}

}  // namespace detail

// Bytes can be added in parts of any length; the hash does not depend on the parts.
class Xxh64 {
   public:
    void add(const unsigned char* p, std::size_t size) {
        if (size == 0) return;
        const unsigned char* const end = p + size;
        const std::size_t waiting = size_ % kStripe;
        size_ += size;
        if (waiting + size < kStripe) {
            std::memcpy(rest_ + waiting, p, size);
            return;
        }
        if (waiting > 0) {
            std::memcpy(rest_ + waiting, p, kStripe - waiting);
            take(rest_);
            p += kStripe - waiting;
        }
        for (; end - p >= static_cast<std::ptrdiff_t>(kStripe); p += kStripe) take(p);
        if (p < end) std::memcpy(rest_, p, static_cast<std::size_t>(end - p));
    }

    std::uint64_t value() const {
        using namespace detail;
        std::uint64_t hash = kPrime5;
        if (size_ >= kStripe) {
            hash = std::rotl(lanes_[0], 1) + std::rotl(lanes_[1], 7) + std::rotl(lanes_[2], 12) +
                   std::rotl(lanes_[3], 18);
            for (const std::uint64_t lane : lanes_) hash = (hash ^ round(0, lane)) * kPrime1 + kPrime4;
        }
        hash += size_;
        const unsigned char* p = rest_;
        const unsigned char* const end = rest_ + size_ % kStripe;
        for (; end - p >= 8; p += 8)
            hash = std::rotl(hash ^ round(0, little_endian<std::uint64_t>(p)), 27) * kPrime1 + kPrime4;
        for (; end - p >= 4; p += 4)
            hash = std::rotl(hash ^ little_endian<std::uint32_t>(p) * kPrime1, 23) * kPrime2 + kPrime3;
        for (; p < end; ++p) hash = std::rotl(hash ^ *p * kPrime5, 11) * kPrime1;
        hash = (hash ^ hash >> 33) * kPrime2;
        hash = (hash ^ hash >> 29) * kPrime3;
        return hash ^ hash >> 32;
    }

   private:
    static constexpr std::size_t kStripe = 32;

    void take(const unsigned char* p) {
        for (std::size_t k = 0; k < 4; ++k)
            lanes_[k] = detail::round(lanes_[k], detail::little_endian<std::uint64_t>(p + 8 * k));
    }

    std::uint64_t lanes_[4] = {detail::kPrime1 + detail::kPrime2, detail::kPrime2, 0, 0 - detail::kPrime1};
    std::uint64_t size_ = 0;
    unsigned char rest_[kStripe] = {};
};

inline std::uint64_t xxh64(const unsigned char* p, std::size_t size) {
    Xxh64 hash;
    hash.add(p, size);
    return hash.value();
}

}  // namespace rosenblatt
