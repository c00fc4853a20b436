// The word, or run of words, that fills most of each bucket of hashed texts, so that weights can be shown by words.
//
// One candidate per bucket, found by the majority vote of Boyer and Moore (1981): a word that is more than half of what
// falls into a bucket is always found. Memory grows with the number of buckets, not with the texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "io/text_hash.hpp"

namespace rosenblatt {

class BucketWords {
   public:
    BucketWords(unsigned bits, unsigned ngrams)
        : shift_(64 - bits), ngrams_(ngrams), hashes_(std::size_t{1} << bits), counts_(hashes_.size()), texts_(hashes_.size()) {}

    void add(const unsigned char* p, const unsigned char* end) {
        words_.clear();
        while (p < end) {
            while (p < end && !detail::is_word_byte(*p)) ++p;
            const unsigned char* const begin = p;
            while (p < end && detail::is_word_byte(*p)) ++p;
            if (p - begin >= 2) words_.push_back({begin, p, hash_of_word(begin, p)});
        }
        for (std::size_t k = 0; k < words_.size(); ++k) {
            std::uint64_t h = 0;
            for (std::size_t n = 0; n < ngrams_ && k + n < words_.size(); ++n) {
                h = n == 0 ? words_[k].hash : combined(h, words_[k + n].hash);
                vote(h, k, k + n);
            }
        }
    }

    // The text of each bucket; empty for a bucket without words.
    const std::vector<std::string>& texts() const { return texts_; }

   private:
    struct Word {
        const unsigned char* begin;
        const unsigned char* end;
        std::uint64_t hash;
    };

    void vote(std::uint64_t h, std::size_t first, std::size_t last) {
        const std::size_t bucket = h >> shift_;
        if (hashes_[bucket] == h && counts_[bucket]) {
            ++counts_[bucket];
        } else if (counts_[bucket]) {
            --counts_[bucket];
        } else {
            hashes_[bucket] = h;
            counts_[bucket] = 1;
            std::string& text = texts_[bucket];
            text.clear();
            for (std::size_t k = first; k <= last; ++k) {
                if (k > first) text.push_back(' ');
                for (const unsigned char* p = words_[k].begin; p < words_[k].end; ++p)
                    text.push_back(static_cast<char>(detail::lowered(*p)));
            }
        }
    }

    unsigned shift_;
    unsigned ngrams_;
    std::vector<std::uint64_t> hashes_;
    std::vector<std::uint32_t> counts_;
    std::vector<std::string> texts_;
    std::vector<Word> words_;
};

}  // namespace rosenblatt
