// Plain descriptions of arrays that somebody else owns: what the callers, compiled once, hand to the kernels, compiled
// once per instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

// Into the second-level cache: it can wait for more lines at once than the first, and a row comes in many.
// A function that only prefetches looks pure to GCC 12, which then drops the call unless it is inlined by force.
#if defined(__GNUC__)
#define ROSENBLATT_PREFETCH(address) __builtin_prefetch(address, 0, 2)
#define ROSENBLATT_INLINE __attribute__((always_inline)) inline
// Before a loop of few turns, all of which stand one after the other: so that an array it counts through can be registers.
#if defined(__clang__)
#define ROSENBLATT_UNROLL _Pragma("unroll")
#else
#define ROSENBLATT_UNROLL _Pragma("GCC unroll 16")
#endif
#else
#define ROSENBLATT_PREFETCH(address) ((void)(address))
#define ROSENBLATT_INLINE inline
#define ROSENBLATT_UNROLL
#endif

namespace rosenblatt {

enum class Storage : std::uint8_t { dense32, dense64, csr32_i32, csr32_i64, csr64_i32, csr64_i64 };

constexpr bool is_dense(Storage storage) { return storage == Storage::dense32 || storage == Storage::dense64; }

// n examples of `features` features. Dense: `values` with `stride` values from row to row. CSR: as scipy has it.
struct RowsView {
    Storage storage;
    std::size_t examples;
    std::size_t features;
    const void* values;
    std::ptrdiff_t stride;
    const void* indices;
    const void* starts;
};

// Of a dense row.
constexpr std::size_t row_bytes(const RowsView& rows) {
    return rows.features * (rows.storage == Storage::dense32 ? sizeof(float) : sizeof(double));
}

// Rows of narrow integers are padded with zeros to a multiple of this: as many bytes as the widest register has.
constexpr std::size_t kIntegerPad = 64;

// A block of planes that CSR kernels score together; their weights are padded to a multiple of it.
constexpr int kPlaneBlock = 8;

constexpr std::size_t padded_to_block(std::size_t planes) {
    return (planes + kPlaneBlock - 1) / kPlaneBlock * kPlaneBlock;
}

// Room for the scores that a kernel has at hand: of at most four examples at once.
constexpr std::size_t score_room(std::size_t planes) { return 4 * padded_to_block(planes); }

// Dense rows are summed in this many lanes (ordered_sum.hpp).
constexpr std::size_t kLanes = 16;

// A dense weight vector is followed by its tail: its last kLanes weights, zero where a complete block has them already.
// With it the last, incomplete block of a row is a block like any other, without reading past the row's end.
constexpr std::size_t with_tail(std::size_t features) { return (features + 7) / 8 * 8 + kLanes; }

template <class Pointer>
Pointer tail_of(Pointer w, std::size_t features) {
    return w + (features + 7) / 8 * 8;
}

// Lanes below this one belong to the last complete block, and stay zero in the tail.
constexpr std::size_t tail_begin(std::size_t features) { return kLanes - features % kLanes; }

constexpr bool has_tail(std::size_t features) { return features > kLanes && features % kLanes != 0; }

// The weights of several planes: one a binary problem, or one a class where all classes learn jointly. Dense storage:
// plane c's vector begins at data + c * stride. CSR: feature j's block begins at data + j * stride.
struct Weights {
    double* data;
    std::size_t stride;
    bool problem_major;
    double* offsets;  // w0, one a plane

    double& at(std::size_t c, std::size_t j) const {
        return problem_major ? data[c * stride + j] : data[j * stride + c];
    }

    // The weights of plane c, if they lie side by side; else null.
    double* vector(std::size_t c) const { return problem_major ? data + c * stride : stride == 1 ? data + c : nullptr; }
};

}  // namespace rosenblatt
