// Text cut at line ends, and threads that work through the pieces.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace rosenblatt {

struct Lines {
    const char* begin;
    const char* end;
};

// Pieces of at least `size` bytes (the last may have fewer), each of whole lines; the last line may lack its newline.
inline std::vector<Lines> cut_at_lines(const char* begin, const char* end, std::size_t size) {
    std::vector<Lines> pieces;
    while (begin < end) {
        const char* stop = end;
        if (static_cast<std::size_t>(end - begin) > size) {
            const char* const from = begin + size;
            const void* const newline = std::memchr(from, '\n', static_cast<std::size_t>(end - from));
            if (newline) stop = static_cast<const char*>(newline) + 1;
        }
        pieces.push_back({begin, stop});
        begin = stop;
    }
    return pieces;
}

// Does `job(k)` for k = 0, ..., jobs - 1 in up to `threads` threads; the first exception comes out.
template <class Job>
void in_parallel(std::size_t jobs, unsigned threads, const Job& job) {
    std::atomic<std::size_t> next{0};
    std::exception_ptr thrown;
    std::mutex mutex;
    const auto work = [&] {
        try {
            for (std::size_t k = next++; k < jobs; k = next++) job(k);
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (!thrown) thrown = std::current_exception();
            next = jobs;
        }
    };
    std::vector<std::thread> helpers;
    for (std::size_t t = 1; t < std::min<std::size_t>(threads, jobs); ++t) {
        try {
            helpers.emplace_back(work);
        } catch (const std::system_error&) {
            break;  // no thread to be had: the others do its share
        }
    }
    work();
    for (std::thread& helper : helpers) helper.join();
    if (thrown) std::rethrow_exception(thrown);
}

}  // namespace rosenblatt
