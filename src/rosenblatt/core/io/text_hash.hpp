// Texts as counts of hashed words and n-grams, without a vocabulary, for any language that separates its words.
//
// A word is a run of at least two letters, digits and underscores; bytes beyond ASCII count as letters, and ASCII letters
// are lowered. A word's hash is its FNV-1a (64 bits, mixed); that of a run of words combines theirs in order. The bucket
// is the top `bits` of it. Each text becomes a CSR row: its buckets in increasing order, each with its count.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rosenblatt {

struct HashedTexts {
    std::vector<double> counts;
    std::vector<std::int32_t> buckets;
    std::vector<std::int64_t> ends;  // end of each row among the entries
};

namespace detail {

constexpr bool is_word_byte(unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c >= 0x80;
}

constexpr unsigned char lowered(unsigned char c) { return c >= 'A' && c <= 'Z' ? static_cast<unsigned char>(c + 32) : c; }

// The last steps of MurmurHash3 (Appleby): every bit of the hash depends on every bit of the input.
constexpr std::uint64_t mixed(std::uint64_t h) {
    h ^= h >> 33;
    h *= 0xff51afd7ed558ccd;
    h ^= h >> 33;
    h *= 0xc4ceb9fe1a85ec53;
    return h ^ h >> 33;
}

}  // namespace detail

// The hash of a whole text, for categories.
inline std::uint64_t hash_of(const unsigned char* p, const unsigned char* end) {
    std::uint64_t h = 0xcbf29ce484222325;
    for (; p < end; ++p) h = (h ^ *p) * 0x100000001b3;
    return detail::mixed(h);
}

// The hash of a word, whose ASCII letters are lowered.
inline std::uint64_t hash_of_word(const unsigned char* p, const unsigned char* end) {
    std::uint64_t h = 0xcbf29ce484222325;
    for (; p < end; ++p) h = (h ^ detail::lowered(*p)) * 0x100000001b3;
    return detail::mixed(h);
}

// The hash of a run of words and the word after it.
constexpr std::uint64_t combined(std::uint64_t run, std::uint64_t word) {
    return detail::mixed(run * 0x9E3779B97F4A7C15 + word);
}

class TextHasher {
   public:
    TextHasher(unsigned bits, unsigned ngrams) : shift_(64 - bits), ngrams_(ngrams) {}

    void add(const unsigned char* p, const unsigned char* end, HashedTexts& out) {
        words_.clear();
        found_.clear();
        while (p < end) {
            while (p < end && !detail::is_word_byte(*p)) ++p;
            const unsigned char* const begin = p;
            while (p < end && detail::is_word_byte(*p)) ++p;
            if (p - begin >= 2) words_.push_back(hash_of_word(begin, p));
        }
        for (std::size_t k = 0; k < words_.size(); ++k) {
            std::uint64_t h = 0;
            for (std::size_t n = 0; n < ngrams_ && k + n < words_.size(); ++n) {
                h = n == 0 ? words_[k] : combined(h, words_[k + n]);
                found_.push_back(static_cast<std::int32_t>(h >> shift_));
            }
        }
        std::sort(found_.begin(), found_.end());
        for (std::size_t k = 0; k < found_.size();) {
            std::size_t next = k;
            while (next < found_.size() && found_[next] == found_[k]) ++next;
            out.buckets.push_back(found_[k]);
            out.counts.push_back(static_cast<double>(next - k));
            k = next;
        }
        out.ends.push_back(static_cast<std::int64_t>(out.buckets.size()));
    }

   private:
    unsigned shift_;
    unsigned ngrams_;
    std::vector<std::uint64_t> words_;
    std::vector<std::int32_t> found_;
};

}  // namespace rosenblatt
