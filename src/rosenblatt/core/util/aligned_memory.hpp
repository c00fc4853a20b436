// Memory aligned to cache lines; large blocks are aligned to huge pages, where the system has them.
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
    // A hint; without huge pages the program is only slower.
    if (align != alignment_of(0)) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return memory;
}

// `bytes` is the size that was allocated.
inline void free_aligned(void* memory, std::size_t bytes) noexcept { ::operator delete(memory, alignment_of(bytes)); }

// Allocator for vectors that start on a cache line, so that no load of a register crosses two lines.
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
