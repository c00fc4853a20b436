// An array whose memory is not initialised: large results are written once, and untouched pages cost nothing.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <new>

#include "util/aligned_memory.hpp"

namespace rosenblatt {

template <class T>
class Buffer {
   public:
    Buffer() = default;
    explicit Buffer(std::size_t size) : size_(size) {
        if (size > std::numeric_limits<std::size_t>::max() / sizeof(T) / 2) throw std::bad_alloc();
        const std::size_t bytes = size * sizeof(T);
        data_ = Memory(static_cast<T*>(allocate_aligned(bytes)), Free{bytes});
    }

    T* data() const { return data_.get(); }
    std::size_t size() const { return size_; }
    void shrink(std::size_t size) { size_ = size; }  // the memory past it was never touched

   private:
    struct Free {
        std::size_t bytes = 0;
        void operator()(T* memory) const { free_aligned(memory, bytes); }
    };
    using Memory = std::unique_ptr<T, Free>;

    std::size_t size_ = 0;
    Memory data_;
};

}  // namespace rosenblatt
