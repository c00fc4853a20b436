// A lock for Python objects whose calls run Python code.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

namespace rosenblatt {

namespace nb = nanobind;

// Held during a whole call. The global interpreter lock does not suffice, nor do the critical sections of a free-threaded Python:
// both may be released while the call runs Python code, such as the `__float__` of a value or the comparison of two labels.
class CallLock {
   public:
    // Waits without the interpreter lock, which the thread that holds this lock may need in order to go on.
    void lock() {
        if (holder_ == std::this_thread::get_id())
            throw std::runtime_error("a value or a label of the example calls the model that reads it");
        if (!mutex_.try_lock()) {
            nb::gil_scoped_release release;
            mutex_.lock();
        }
        holder_ = std::this_thread::get_id();
    }

    void unlock() {
        holder_ = std::thread::id();
        mutex_.unlock();
    }

   private:
    std::mutex mutex_;
    std::atomic<std::thread::id> holder_{};
};

// The method as a function that holds `self.call_lock` while it runs.
template <class Self, class Result, class... Args>
auto exclusive(Result (Self::*method)(Args...)) {
    return [method](Self& self, Args... args) -> Result {
        const std::lock_guard held(self.call_lock);
        return (self.*method)(std::forward<Args>(args)...);
    };
}

}  // namespace rosenblatt
