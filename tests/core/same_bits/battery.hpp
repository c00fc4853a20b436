// A fixed battery of computations of the core, each reduced to one digest. Equal digests on two machines mean equal bits.
//
// The data come from the core's integer generator and are scaled by powers of two, so they are the same everywhere. A digest
// is the XXH64 of the results in little-endian order. All NaNs count as equal: IEEE 754 leaves their sign and payload open.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "io/fingerprint.hpp"
#include "rows/views.hpp"
#include "util/buffer.hpp"
#include "util/random.hpp"

namespace rosenblatt::same_bits {

class Digest {
   public:
    template <class Integer>
        requires std::is_integral_v<Integer> || std::is_enum_v<Integer>
    void add(Integer number) {
        const auto wide = static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
        unsigned char bytes[8];
        for (int k = 0; k < 8; ++k) bytes[k] = static_cast<unsigned char>(wide >> 8 * k);
        hash_.add(bytes, sizeof bytes);
    }

    void add(double number) {
        std::uint64_t bits = 0x7FF8000000000000;
        if (!std::isnan(number)) std::memcpy(&bits, &number, sizeof bits);
        add(bits);
    }

    template <class Value>
    void add(const std::vector<Value>& values) {
        add(values.size());
        for (const Value& value : values) add(value);
    }

    template <class Value>
    void add(const Buffer<Value>& values) {
        add(values.size());
        for (std::size_t k = 0; k < values.size(); ++k) add(values.data()[k]);
    }

    std::uint64_t value() const { return hash_.value(); }

   private:
    Xxh64 hash_;
};

inline void report(const std::string& name, const Digest& digest) {
    std::printf("%s %016llx\n", name.c_str(), static_cast<unsigned long long>(digest.value()));
}

enum class Kind : std::uint8_t {
    floats,      // 53 random bits
    decimals,    // one decimal place, so that scores near zero depend on rounding
    integers,    // exact sums
    flags,       // columns with two values, and a few columns of floats
    subnormals,  // sums of subnormal numbers
    extremes,    // exponents over most of the range
};
constexpr const char* kKindNames[] = {"floats", "decimals", "integers", "flags", "subnormals", "extremes"};
constexpr const char* kStorageNames[] = {"dense32", "dense64", "csr32_i32", "csr32_i64", "csr64_i32", "csr64_i64"};
constexpr Storage kStorages[] = {Storage::dense32,   Storage::dense64,   Storage::csr32_i32,
                                 Storage::csr32_i64, Storage::csr64_i32, Storage::csr64_i64};

inline std::string named(Kind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }
inline std::string named(Storage storage) { return kStorageNames[static_cast<std::size_t>(storage)]; }

constexpr bool holds_floats32(Storage storage) {
    return storage == Storage::dense32 || storage == Storage::csr32_i32 || storage == Storage::csr32_i64;
}

// Uniform in [-1, 1), a multiple of 2^-52.
inline double uniform(Stream& stream) {
    return std::ldexp(static_cast<double>(stream.below(std::uint64_t{1} << 53)), -52) - 1;
}

inline std::vector<double> uniforms(std::size_t count, std::uint64_t seed) {
    Stream stream(seed, Purpose::sample, count);
    std::vector<double> values(count);
    for (double& value : values) value = uniform(stream);
    return values;
}

// Examples with labels 0, ..., classes - 1, in one storage. About a third of the values are zero.
class Data {
   public:
    Data(Kind kind, Storage storage, std::size_t examples, std::size_t features, std::int32_t classes, bool noisy,
         std::uint64_t seed)
        : storage_(storage), examples_(examples), features_(features) {
        Stream stream(seed, Purpose::sample, examples * 1000 + features);
        for (std::size_t i = 0; i < examples; ++i) {
            for (std::size_t j = 0; j < features; ++j) values_.push_back(drawn(kind, j, stream));
            labels_.push_back(label_of(values_.data() + i * features, kind, classes, noisy, stream));
        }
        store();
    }

    RowsView view() const {
        const bool narrow = holds_floats32(storage_);
        if (is_dense(storage_)) {
            const void* values = narrow ? static_cast<const void*>(narrow_.data()) : values_.data();
            return {storage_, examples_, features_, values, static_cast<std::ptrdiff_t>(features_), nullptr, nullptr};
        }
        const bool wide = storage_ == Storage::csr32_i64 || storage_ == Storage::csr64_i64;
        return {storage_,
                examples_,
                features_,
                narrow ? static_cast<const void*>(narrow_.data()) : entries_.data(),
                0,
                wide ? static_cast<const void*>(wide_indices_.data()) : indices_.data(),
                wide ? static_cast<const void*>(wide_starts_.data()) : starts_.data()};
    }

    const std::vector<std::int32_t>& labels() const { return labels_; }
    const std::vector<double>& values() const { return values_; }

   private:
    double drawn(Kind kind, std::size_t column, Stream& stream) const {
        const bool zero = stream.below(3) == 0;
        const double u = uniform(stream);
        const std::uint64_t bits = stream.next();
        const bool narrow = holds_floats32(storage_);
        switch (kind) {
            case Kind::decimals: return zero ? 0 : static_cast<double>(static_cast<std::int64_t>(bits % 61) - 30) / 10;
            case Kind::integers: return zero ? 0 : static_cast<double>(static_cast<std::int64_t>(bits % 17) - 8);
            case Kind::flags: return column % 8 == 7 ? u : static_cast<double>(bits % 2);
            case Kind::subnormals: return zero ? 0 : std::ldexp(u, narrow ? -138 : -1062);
            case Kind::extremes: {
                const int exponent = static_cast<int>(bits % (narrow ? 121 : 901)) - (narrow ? 60 : 450);
                return zero ? 0 : std::ldexp(u, exponent);
            }
            default: return zero ? 0 : u;
        }
    }

    static std::int32_t label_of(const double* x, Kind kind, std::int32_t classes, bool noisy, Stream& stream) {
        const auto random = static_cast<std::int32_t>(stream.below(static_cast<std::uint64_t>(classes)));
        if (noisy && stream.below(8) == 0) return random;
        const double first = kind == Kind::flags ? x[0] - 0.5 : x[0];
        return first > 0 ? classes - 1 : first < 0 ? 0 : random;
    }

    void store() {
        if (is_dense(storage_)) {
            narrow_.assign(values_.begin(), values_.end());
            return;
        }
        starts_.push_back(0);
        for (std::size_t k = 0; k < values_.size(); ++k) {
            if (values_[k] != 0) {
                entries_.push_back(values_[k]);
                indices_.push_back(static_cast<std::int32_t>(k % features_));
            }
            if (k % features_ == features_ - 1) starts_.push_back(static_cast<std::int32_t>(indices_.size()));
        }
        narrow_.assign(entries_.begin(), entries_.end());
        wide_indices_.assign(indices_.begin(), indices_.end());
        wide_starts_.assign(starts_.begin(), starts_.end());
    }

    Storage storage_;
    std::size_t examples_, features_;
    std::vector<double> values_, entries_;
    std::vector<float> narrow_;
    std::vector<std::int32_t> labels_, indices_, starts_;
    std::vector<std::int64_t> wide_indices_, wide_starts_;
};

// The parts of the battery, one file each.
void report_online_runs();
void report_accelerators();
void report_pairs();
void report_dual_runs();
void report_kernel_values();
void report_predictions();
void report_compat_runs();
void report_theory();
void report_files();

}  // namespace rosenblatt::same_bits
