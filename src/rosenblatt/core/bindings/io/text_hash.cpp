// Hashes columns of texts in the layout of Arrow: all bytes, and the offset of each text.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "io/bucket_words.hpp"
#include "io/text_hash.hpp"

namespace rosenblatt {

using namespace nb::literals;

namespace {

void check(const Vector<std::uint8_t>& bytes, const Vector<std::int64_t>& offsets, unsigned bits) {
    if (bits < 1 || bits > 30) throw std::invalid_argument("a hash must have between 1 and 30 bits");
    if (offsets.shape(0) < 1) throw std::invalid_argument("n texts have n + 1 offsets");
    for (std::size_t i = 0; i + 1 < offsets.shape(0); ++i)
        if (offsets.data()[i] < 0 || offsets.data()[i] > offsets.data()[i + 1])
            throw std::invalid_argument("the offsets of texts must increase");
    if (offsets.data()[offsets.shape(0) - 1] > static_cast<std::int64_t>(bytes.shape(0)))
        throw std::invalid_argument("the texts end beyond their bytes");
}

// (counts, buckets, starts): text i has the bytes offsets[i] ... offsets[i + 1].
nb::tuple hashed_words(Vector<std::uint8_t> bytes, Vector<std::int64_t> offsets, unsigned bits, unsigned ngrams,
                       unsigned threads) {
    check(bytes, offsets, bits);
    const std::size_t texts = offsets.shape(0) - 1;
    std::vector<HashedTexts> parts(std::max<std::size_t>(1, std::min<std::size_t>(threads, texts)));
    HashedTexts all;
    {
        nb::gil_scoped_release release;
        const auto run = [&](std::size_t part) {
            TextHasher hasher(bits, ngrams);
            const std::size_t begin = texts * part / parts.size(), end = texts * (part + 1) / parts.size();
            for (std::size_t i = begin; i < end; ++i)
                hasher.add(bytes.data() + offsets.data()[i], bytes.data() + offsets.data()[i + 1], parts[part]);
        };
        std::vector<std::thread> others;
        for (std::size_t part = 1; part < parts.size(); ++part) others.emplace_back(run, part);
        run(0);
        for (std::thread& other : others) other.join();
        all.ends.push_back(0);
        for (const HashedTexts& part : parts) {
            const auto before = static_cast<std::int64_t>(all.buckets.size());
            all.counts.insert(all.counts.end(), part.counts.begin(), part.counts.end());
            all.buckets.insert(all.buckets.end(), part.buckets.begin(), part.buckets.end());
            for (const std::int64_t end : part.ends) all.ends.push_back(before + end);
        }
    }
    return nb::make_tuple(numpy_array(std::move(all.counts)), numpy_array(std::move(all.buckets)),
                          numpy_array(std::move(all.ends)));
}

nb::object hashed_texts(Vector<std::uint8_t> bytes, Vector<std::int64_t> offsets, unsigned bits) {
    check(bytes, offsets, bits);
    std::vector<std::int32_t> buckets(offsets.shape(0) - 1);
    for (std::size_t i = 0; i < buckets.size(); ++i)
        buckets[i] = static_cast<std::int32_t>(
            hash_of(bytes.data() + offsets.data()[i], bytes.data() + offsets.data()[i + 1]) >> (64 - bits));
    return numpy_array(std::move(buckets));
}

// Adds texts, of which text i has the bytes offsets[i] ... offsets[i + 1].
void add_words(BucketWords& words, Vector<std::uint8_t> bytes, Vector<std::int64_t> offsets) {
    check(bytes, offsets, 1);
    nb::gil_scoped_release release;
    for (std::size_t i = 0; i + 1 < offsets.shape(0); ++i)
        words.add(bytes.data() + offsets.data()[i], bytes.data() + offsets.data()[i + 1]);
}

nb::dict words_of(const BucketWords& words) {
    nb::dict found;
    for (std::size_t bucket = 0; bucket < words.texts().size(); ++bucket)
        if (!words.texts()[bucket].empty()) found[nb::int_(bucket)] = words.texts()[bucket];
    return found;
}

}  // namespace

void bind_text(nb::module_& m) {
    m.def("hashed_words", &hashed_words, "bytes"_a, "offsets"_a, nb::kw_only(), "bits"_a, "ngrams"_a, "threads"_a = 1,
          "Counts of hashed words and runs of up to `ngrams` words in each text, as the arrays of a CSR matrix.");
    m.def("hashed_texts", &hashed_texts, "bytes"_a, "offsets"_a, nb::kw_only(), "bits"_a,
          "The bucket of each text as a whole.");
    nb::class_<BucketWords>(m, "BucketWords", "The word or run of words that fills most of each bucket.")
        .def(
            "__init__",
            [](BucketWords* self, unsigned bits, unsigned ngrams) {
                if (bits < 1 || bits > 30) throw std::invalid_argument("a hash must have between 1 and 30 bits");
                new (self) BucketWords(bits, ngrams);
            },
            nb::kw_only(), "bits"_a, "ngrams"_a)
        .def("add", &add_words, "bytes"_a, "offsets"_a)
        .def("words", &words_of, "The word of each bucket that has one.");
}

}  // namespace rosenblatt
