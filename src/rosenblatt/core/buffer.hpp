// Memory for large arrays that somebody else will own: not filled in advance, on large pages where the system has them.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <utility>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace rosenblatt {

template <class T>
class Buffer {
   public:
    Buffer() = default;
    explicit Buffer(std::size_t size) : size_(size) {
        if (size > std::numeric_limits<std::size_t>::max() / sizeof(T) / 2) throw std::bad_alloc();
        const std::size_t bytes = size * sizeof(T);
        const std::size_t align = bytes >= 2 * kLargePage ? kLargePage : kLine;
        data_ = Memory(static_cast<T*>(::operator new(bytes ? bytes : 1, std::align_val_t{align})), Free{align});
#ifdef MADV_HUGEPAGE
        if (align == kLargePage) madvise(data_.get(), bytes, MADV_HUGEPAGE);  // a wish: its refusal costs only time
#endif
    }

    T* data() const { return data_.get(); }
    std::size_t size() const { return size_; }
    void shrink(std::size_t size) { size_ = size; }  // the memory past it was never touched

   private:
    static constexpr std::size_t kLine = 64;
    static constexpr std::size_t kLargePage = std::size_t{1} << 21;
    struct Free {
        std::size_t align = kLine;
        void operator()(T* memory) const { ::operator delete(memory, std::align_val_t{align}); }
    };
    using Memory = std::unique_ptr<T, Free>;

    std::size_t size_ = 0;
    Memory data_;
};

}  // namespace rosenblatt
