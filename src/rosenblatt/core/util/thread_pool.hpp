// Threads that work through jobs together. Who comes late takes what is left, so that a caller can begin a work in one
// thread, do something else, and join in when it needs the result.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace rosenblatt {

class ThreadPool {
   public:
    // Does job(k) for k = 0, ..., jobs - 1 in this thread and in those that help; the first exception comes out.
    void share(std::size_t jobs, const std::function<void(std::size_t)>& job) {
        Work work{job, jobs};
        {
            const std::lock_guard lock(mutex_);
            work_ = &work;
            ++round_;
        }
        changed_.notify_all();
        work.take();
        std::unique_lock lock(mutex_);
        work_ = nullptr;
        changed_.wait(lock, [&] { return busy_ == 0; });
        if (work.thrown) std::rethrow_exception(work.thrown);
    }

    // Helps with whatever is shared until the pool is dismissed.
    void help() {
        std::uint64_t seen = 0;
        std::unique_lock lock(mutex_);
        while (true) {
            changed_.wait(lock, [&] { return dismissed_ || (work_ && round_ != seen); });
            if (dismissed_) return;
            Work& work = *work_;
            seen = round_;
            ++busy_;
            lock.unlock();
            work.take();
            lock.lock();
            --busy_;
            changed_.notify_all();
        }
    }

    void dismiss() {
        const std::lock_guard lock(mutex_);
        dismissed_ = true;
        changed_.notify_all();
    }

   private:
    struct Work {
        const std::function<void(std::size_t)>& job;
        const std::size_t jobs;
        std::atomic<std::size_t> next{0};
        std::mutex mutex{};
        std::exception_ptr thrown{};

        void take() {
            try {
                for (std::size_t k = next++; k < jobs; k = next++) job(k);
            } catch (...) {
                const std::lock_guard lock(mutex);
                if (!thrown) thrown = std::current_exception();
                next = jobs;
            }
        }
    };

    std::mutex mutex_;
    std::condition_variable changed_;
    Work* work_ = nullptr;
    std::uint64_t round_ = 0;
    std::size_t busy_ = 0;
    bool dismissed_ = false;
};

// Threads that help a pool for as long as this lives.
class Helpers {
   public:
    Helpers(ThreadPool& pool, std::size_t count) : pool_(pool) {
        threads_.reserve(count);
        try {
            while (threads_.size() < count) threads_.emplace_back([&pool] { pool.help(); });
        } catch (const std::system_error&) {
            // no thread to be had: the others do its share
        }
    }
    Helpers(const Helpers&) = delete;
    Helpers& operator=(const Helpers&) = delete;
    ~Helpers() {
        pool_.dismiss();
        for (std::thread& thread : threads_) thread.join();
    }

   private:
    ThreadPool& pool_;
    std::vector<std::thread> threads_;
};

// The same for a single work, in up to `threads` threads.
template <class Job>
void in_parallel(std::size_t jobs, unsigned threads, const Job& job) {
    ThreadPool pool;
    const Helpers helpers(pool, std::min<std::size_t>(std::max(threads, 1U), std::max<std::size_t>(jobs, 1)) - 1);
    pool.share(jobs, job);
}

}  // namespace rosenblatt
