// Memory that begins on a cache line, and much of it on large pages where the system has them.
#pragma once

#include <cstddef>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace rosenblatt {

inline std::align_val_t alignment_of(std::size_t bytes) {
    constexpr std::size_t kLine = 64, kLargePage = std::size_t{1} << 21;
    return std::align_val_t{bytes >= 2 * kLargePage ? kLargePage : kLine};
}

inline void* allocate_aligned(std::size_t bytes) {
    const std::align_val_t align = alignment_of(bytes);
    void* const memory = ::operator new(bytes ? bytes : 1, align);
#ifdef MADV_HUGEPAGE
    // A wish: its refusal costs only time.
    if (align != alignment_of(0)) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return memory;
}

// `bytes` as it was allocated with.
inline void free_aligned(void* memory, std::size_t bytes) noexcept { ::operator delete(memory, alignment_of(bytes)); }

// Vectors begin on a cache line: an unaligned one costs the kernels two loads where one would do.
template <class T>
struct Aligned {
    using value_type = T;

    Aligned() = default;
    template <class Other>
    explicit Aligned(const Aligned<Other>&) {}

    T* allocate(std::size_t count) { return static_cast<T*>(allocate_aligned(count * sizeof(T))); }
    void deallocate(T* memory, std::size_t count) { free_aligned(memory, count * sizeof(T)); }
    template <class Other>
    bool operator==(const Aligned<Other>&) const {
        return true;
    }
};

}  // namespace rosenblatt
