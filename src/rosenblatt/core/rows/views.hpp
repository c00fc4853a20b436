// Views of arrays that the caller owns: the interface between the runs, compiled once, and the kernels, compiled once per
// instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

// Prefetches into the second-level cache, which can have more lines in flight than the first.
// GCC 12 drops calls of functions that only prefetch, unless they are always inlined.
#if defined(__GNUC__)
#define ROSENBLATT_PREFETCH(address) __builtin_prefetch(address, 0, 2)
#define ROSENBLATT_INLINE __attribute__((always_inline)) inline
// Unrolls a short loop completely, so that the arrays it indexes can stay in registers.
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

// n examples of `features` features. Dense: rows are `stride` values apart. CSR: as in SciPy.
struct RowsView {
    Storage storage;
    std::size_t examples;
    std::size_t features;
    const void* values;
    std::ptrdiff_t stride;
    const void* indices;
    const void* starts;
};

// The size of a dense row.
constexpr std::size_t row_bytes(const RowsView& rows) {
    return rows.features * (rows.storage == Storage::dense32 ? sizeof(float) : sizeof(double));
}

// Rows of narrow integers are padded with zeros to a multiple of this, the bytes of the widest register.
constexpr std::size_t kIntegerPad = 64;

// A block of planes that CSR kernels score together; their weights are padded to a multiple of it.
constexpr int kPlaneBlock = 8;

constexpr std::size_t padded_to_block(std::size_t planes) {
    return (planes + kPlaneBlock - 1) / kPlaneBlock * kPlaneBlock;
}

// Size of the scratch array of a kernel: the scores of four examples.
constexpr std::size_t score_room(std::size_t planes) { return 4 * padded_to_block(planes); }

// Dense rows are summed in this many lanes (ordered_sum.hpp).
constexpr std::size_t kLanes = 16;

// A dense weight vector is followed by its tail: its last kLanes weights, zero where a complete block includes them. With the
// tail the last, incomplete block of a row is computed like the others, without reading past the end of the row.
constexpr std::size_t with_tail(std::size_t features) { return (features + 7) / 8 * 8 + kLanes; }

template <class Pointer>
Pointer tail_of(Pointer w, std::size_t features) {
    return w + (features + 7) / 8 * 8;
}

// The tail is zero in the lanes below this one, which belong to the last complete block.
constexpr std::size_t tail_begin(std::size_t features) { return kLanes - features % kLanes; }

constexpr bool has_tail(std::size_t features) { return features > kLanes && features % kLanes != 0; }

// The weights of several planes: one per binary problem, or one per class where all classes learn jointly. Dense storage:
// plane c's vector begins at data + c * stride. CSR: feature j's block begins at data + j * stride.
struct Weights {
    double* data;
    std::size_t stride;
    bool problem_major;
    double* offsets;  // one per plane

    double& at(std::size_t c, std::size_t j) const {
        return problem_major ? data[c * stride + j] : data[j * stride + c];
    }

    // The weights of plane c if they are contiguous, else null.
    double* vector(std::size_t c) const { return problem_major ? data + c * stride : stride == 1 ? data + c : nullptr; }
};

}  // namespace rosenblatt
