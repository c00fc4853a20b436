// What this machine can do at most, with a number of threads: bytes read a second from memory, and multiply-adds a
// second in registers, fused (one rounding) and unfused (two, as the core computes). Printed as one JSON object.
//
//     c++ -O3 -march=native -std=c++20 -ffp-contract=off -pthread roof.cpp -o roof && ./roof THREADS
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <thread>
#include <vector>
#ifdef __linux__
#include <sys/mman.h>
#endif

namespace {

constexpr std::size_t kVector = 64;                    // bytes: the compiler splits it where registers are shorter
constexpr std::size_t kBuffer = std::size_t{1} << 28;  // bytes a thread: far beyond any cache
constexpr int kPasses = 3;
constexpr int kRepeats = 5;
constexpr std::uint64_t kSteps = 1 << 22;
constexpr int kChains = 12;  // independent sums: enough to hide the latency of a multiplication and an addition

using Words __attribute__((vector_size(kVector))) = std::uint64_t;

volatile double sink;  // what is written here cannot be left out

// Seconds of the best of some repeats, all threads at work.
double best_of(unsigned threads, const std::function<void(unsigned)>& work) {
    double best = 1e300;
    for (int repeat = 0; repeat < kRepeats; ++repeat) {
        const auto begin = std::chrono::steady_clock::now();
        std::vector<std::thread> others;
        for (unsigned t = 1; t < threads; ++t) others.emplace_back(work, t);
        work(0);
        for (std::thread& other : others) other.join();
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    return best;
}

struct Free {
    void operator()(void* p) const { std::free(p); }
};

double bytes_a_second(unsigned threads) {
    std::vector<std::unique_ptr<void, Free>> buffers;
    for (unsigned t = 0; t < threads; ++t) {
        void* buffer = std::aligned_alloc(std::size_t{1} << 21, kBuffer);
        if (!buffer) std::exit(1);
#ifdef __linux__
        madvise(buffer, kBuffer, MADV_HUGEPAGE);  // as NumPy asks for its arrays
#endif
        std::fill_n(static_cast<std::uint64_t*>(buffer), kBuffer / 8, t + 1);
        buffers.emplace_back(buffer);
    }
    const double seconds = best_of(threads, [&](unsigned t) {
        const auto* words = static_cast<const Words*>(buffers[t].get());
        Words sums[4] = {};
        for (int pass = 0; pass < kPasses; ++pass)
            for (std::size_t i = 0; i < kBuffer / kVector; i += 4)
                for (std::size_t k = 0; k < 4; ++k) sums[k] += words[i + k];
        const Words all = sums[0] + sums[1] + sums[2] + sums[3];
        sink = static_cast<double>(all[0] + all[7]);
    });
    return static_cast<double>(threads) * kPasses * kBuffer / seconds;
}

template <class Number>
using Vector __attribute__((vector_size(kVector))) = Number;

template <bool fused, class Number>
void chains() {
    Vector<Number> sums[kChains], factor = {}, term = {};
    factor += static_cast<Number>(1) - static_cast<Number>(0x1p-20);
    term += static_cast<Number>(0x1p-10);
    for (int k = 0; k < kChains; ++k) sums[k] = term * static_cast<Number>(k + 1);
    for (std::uint64_t step = 0; step < kSteps; ++step)
        for (int k = 0; k < kChains; ++k) {
            if constexpr (fused) {
                for (std::size_t lane = 0; lane < kVector / sizeof(Number); ++lane)
                    sums[k][lane] = sizeof(Number) == 8
                                        ? static_cast<Number>(__builtin_fma(sums[k][lane], factor[lane], term[lane]))
                                        : static_cast<Number>(__builtin_fmaf(sums[k][lane], factor[lane], term[lane]));
            } else {
                sums[k] = sums[k] * factor + term;
            }
        }
    Vector<Number> all = {};
    for (const Vector<Number>& sum : sums) all += sum;
    sink = static_cast<double>(all[0]);
}

template <bool fused, class Number>
double multiply_adds_a_second(unsigned threads) {
    const double seconds = best_of(threads, [](unsigned) { chains<fused, Number>(); });
    return static_cast<double>(threads) * kSteps * kChains * (kVector / sizeof(Number)) / seconds;
}

}  // namespace

int main(int count, char** arguments) {
    const unsigned threads = count > 1 ? static_cast<unsigned>(std::atoi(arguments[1])) : 1;
    std::printf("{\"bytes\": %.4g, ", bytes_a_second(threads));
    std::printf("\"float64\": %.4g, \"float32\": %.4g, ", multiply_adds_a_second<false, double>(threads),
                multiply_adds_a_second<false, float>(threads));
    std::printf("\"fused_float64\": %.4g, \"fused_float32\": %.4g}\n", multiply_adds_a_second<true, double>(threads),
                multiply_adds_a_second<true, float>(threads));
}
