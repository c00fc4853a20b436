// A thread pool for batches of numbered jobs. Threads may join a batch that is under way: so a caller can start a batch in
// other threads, do something else, and then work on the rest of it.
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

// Tells the processor that this thread waits for another one in a loop.
inline void pause_processor() {
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_ia32_pause();
#endif
}

class ThreadPool {
   public:
    // Runs job(k) for k = 0, ..., jobs - 1 in this thread and the pool's workers. Rethrows the first exception.
    void run(std::size_t jobs, const std::function<void(std::size_t)>& job) {
        Batch batch{job, jobs};
        {
            const std::lock_guard lock(mutex_);
            batch_ = &batch;
            ++round_;
        }
        changed_.notify_all();
        batch.run_jobs();
        wait_briefly([&] { return busy_ == 0; });
        std::unique_lock lock(mutex_);
        batch_ = nullptr;
        changed_.wait(lock, [&] { return busy_ == 0; });
        if (batch.exception) std::rethrow_exception(batch.exception);
    }

    // Works on batches, in the calling thread, until the pool is stopped.
    void work() {
        std::uint64_t seen = 0;
        while (true) {
            wait_briefly([&] { return stopped_ || round_ != seen; });
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return stopped_ || (batch_ && round_ != seen); });
            if (stopped_) return;
            Batch& batch = *batch_;
            seen = round_;
            ++busy_;
            lock.unlock();
            batch.run_jobs();
            lock.lock();
            --busy_;
            changed_.notify_all();
        }
    }

    void stop() {
        const std::lock_guard lock(mutex_);
        stopped_ = true;
        changed_.notify_all();
    }

   private:
    // Waits up to some ten microseconds: sleeping and waking takes longer. The members that `done` reads are atomic for this.
    template <class Done>
    static void wait_briefly(const Done& done) {
        constexpr int kTurns = 1000;
        for (int turn = 0; turn < kTurns && !done(); ++turn) pause_processor();
    }

    struct Batch {
        const std::function<void(std::size_t)>& job;
        const std::size_t jobs;
        std::atomic<std::size_t> next{0};
        std::mutex mutex{};
        std::exception_ptr exception{};

        void run_jobs() {
            try {
                for (std::size_t k = next++; k < jobs; k = next++) job(k);
            } catch (...) {
                const std::lock_guard lock(mutex);
                if (!exception) exception = std::current_exception();
                next = jobs;
            }
        }
    };

    std::mutex mutex_;
    std::condition_variable changed_;
    Batch* batch_ = nullptr;
    std::atomic<std::uint64_t> round_{0};
    std::atomic<std::size_t> busy_{0};
    std::atomic<bool> stopped_{false};
};

// Threads that work for a pool during the lifetime of this object.
class Workers {
   public:
    Workers(ThreadPool& pool, std::size_t count) : pool_(pool) {
        threads_.reserve(count);
        try {
            while (threads_.size() < count) threads_.emplace_back([&pool] { pool.work(); });
        } catch (const std::system_error&) {
            // The system refused a thread: the others do its jobs.
        }
    }
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;
    ~Workers() {
        pool_.stop();
        for (std::thread& thread : threads_) thread.join();
    }

   private:
    ThreadPool& pool_;
    std::vector<std::thread> threads_;
};

// Runs a single batch in up to `threads` threads.
template <class Job>
void parallel_for(std::size_t jobs, unsigned threads, const Job& job) {
    ThreadPool pool;
    const Workers workers(pool, std::min<std::size_t>(std::max(threads, 1U), std::max<std::size_t>(jobs, 1)) - 1);
    pool.run(jobs, job);
}

}  // namespace rosenblatt
