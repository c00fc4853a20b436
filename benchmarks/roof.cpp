// The maximum rates of this machine for a number of threads: bytes read per second from memory, in order and in scattered rows;
// products per second of such rows with weights that are gathered by index; and multiply-adds per second in registers, fused
// (one rounding) and unfused (two, as the core computes). Printed as one JSON object.
//
//     c++ -O3 -march=native -std=c++20 -ffp-contract=off -pthread roof.cpp -o roof && ./roof THREADS
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <thread>
#include <vector>
#ifdef __linux__
#include <sys/mman.h>
#endif

namespace {

// Bytes of a register. Longer vectors would pass through memory.
#if defined(__AVX512F__)
constexpr std::size_t kVector = 64;
#elif defined(__AVX__)
constexpr std::size_t kVector = 32;
#else
constexpr std::size_t kVector = 16;
#endif
constexpr std::size_t kLine = 64;                      // bytes of a cache line
constexpr std::size_t kBuffer = std::size_t{1} << 28;  // bytes a thread: far beyond any cache
constexpr int kPasses = 3;
constexpr int kRepeats = 5;
constexpr std::uint64_t kSteps = 1 << 22;
constexpr int kChains = 12;  // independent sums: enough to hide the latency of a multiplication and an addition

using Words __attribute__((vector_size(kVector))) = std::uint64_t;

volatile double sink;  // a result that is written here is not optimized away

double end_lanes(const Words& sum) { return static_cast<double>(sum[0] + sum[kVector / 8 - 1]); }

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
template <class T>
using Array = std::unique_ptr<T[], Free>;

// In huge pages, like the arrays of NumPy.
template <class T>
Array<T> array(std::size_t count) {
    constexpr std::size_t kPage = std::size_t{1} << 21;
    const std::size_t bytes = (count * sizeof(T) + kPage - 1) / kPage * kPage;
    void* memory = std::aligned_alloc(kPage, bytes);
    if (!memory) std::exit(1);
#ifdef __linux__
    madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return Array<T>(static_cast<T*>(memory));
}

using Buffers = std::vector<Array<std::uint64_t>>;

// One for each thread.
Buffers filled_buffers(unsigned threads) {
    Buffers buffers;
    for (unsigned t = 0; t < threads; ++t) {
        buffers.push_back(array<std::uint64_t>(kBuffer / 8));
        std::fill_n(buffers.back().get(), kBuffer / 8, t + 1);
    }
    return buffers;
}

double bytes_a_second(unsigned threads, const Buffers& buffers) {
    const double seconds = best_of(threads, [&](unsigned t) {
        const auto* words = reinterpret_cast<const Words*>(buffers[t].get());
        Words sums[4] = {};
        for (int pass = 0; pass < kPasses; ++pass)
            for (std::size_t i = 0; i < kBuffer / kVector; i += 4)
                for (std::size_t k = 0; k < 4; ++k) sums[k] += words[i + k];
        sink = end_lanes(sums[0] + sums[1] + sums[2] + sums[3]);
    });
    return static_cast<double>(threads) * kPasses * kBuffer / seconds;
}

// Rows of eight cache lines in a random order, each prefetched.
double scattered_bytes_a_second(unsigned threads, const Buffers& buffers) {
    constexpr std::size_t kRow = 8 * kLine / kVector;  // vectors
    constexpr std::size_t kAhead = 16;
    std::vector<std::uint32_t> order(kBuffer / kVector / kRow);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), std::mt19937(0));
    const double seconds = best_of(threads, [&](unsigned t) {
        const auto* words = reinterpret_cast<const Words*>(buffers[t].get());
        Words sum = {};
        for (std::size_t k = 0; k < order.size(); ++k) {
            const Words* next = words + kRow * order[k + kAhead < order.size() ? k + kAhead : k];
            for (std::size_t v = 0; v < kRow; v += kLine / kVector) __builtin_prefetch(next + v, 0, 2);
            for (std::size_t v = 0; v < kRow; ++v) sum += words[kRow * order[k] + v];
        }
        sink = end_lanes(sum);
    });
    return static_cast<double>(threads) * kBuffer / seconds;
}

// Rows of values and indices are read from memory, in order or scattered, and prefetched; each value is multiplied by the weight of
// its index. Few words are frequent: of 47,000 weights, the frequency of number k is proportional to k to the power of -2/3.
template <bool Scattered>
double gathered_products_a_second(unsigned threads) {
    constexpr std::size_t kWeights = 47'000, kRow = 70, kRows = kBuffer / (kRow * 12), kAhead = 8, kEntriesAhead = 768;
    const Array<double> values = array<double>(kRows * kRow + kEntriesAhead);
    const Array<std::int32_t> indices = array<std::int32_t>(kRows * kRow + kEntriesAhead);
    std::vector<double> weights(kWeights, 0.5);
    std::vector<std::uint32_t> order(kRows);
    std::iota(order.begin(), order.end(), 0);
    std::mt19937 numbers(0);
    for (std::size_t row = 0; row < kRows; ++row) {
        std::int32_t* row_indices = indices.get() + row * kRow;
        for (std::size_t k = 0; k < kRow; ++k) {
            const double share = numbers() / 4294967296.0;
            row_indices[k] = static_cast<std::int32_t>(static_cast<double>(kWeights) * share * share * share);
            values.get()[row * kRow + k] = 0.25;
        }
        std::sort(row_indices, row_indices + kRow);
    }
    if (Scattered) std::shuffle(order.begin(), order.end(), numbers);
    [[maybe_unused]] const auto prefetch = [](const auto* row) {
        for (std::size_t k = 0; k < kRow; k += 64 / sizeof *row) __builtin_prefetch(row + k, 0, 2);
        __builtin_prefetch(row + kRow - 1, 0, 2);
    };
    const double seconds = best_of(threads, [&](unsigned) {
        double all = 0;
        for (std::size_t place = 0; place < kRows; ++place) {
            if constexpr (Scattered) {
                const std::size_t next = order[std::min(place + kAhead, kRows - 1)] * kRow;
                prefetch(values.get() + next);
                prefetch(indices.get() + next);
            }
            const double* x = values.get() + order[place] * kRow;
            const std::int32_t* j = indices.get() + order[place] * kRow;
            double sums[4] = {};
            const auto product = [&](std::size_t k) { return x[k] * weights[static_cast<std::size_t>(j[k])]; };
            std::size_t k = 0;
            for (; k + 4 <= kRow; k += 4) {
                if constexpr (!Scattered) {
                    __builtin_prefetch(x + k + kEntriesAhead, 0, 2);
                    __builtin_prefetch(j + k + kEntriesAhead, 0, 2);
                }
                for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += product(k + lane);
            }
            for (; k < kRow; ++k) sums[k % 4] += product(k);
            all += (sums[0] + sums[2]) + (sums[1] + sums[3]);
        }
        sink = all;
    });
    return static_cast<double>(threads) * kRows * kRow / seconds;
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
    {
        const Buffers buffers = filled_buffers(threads);
        std::printf("{\"bytes\": %.4g, ", bytes_a_second(threads, buffers));
        std::printf("\"scattered\": %.4g, ", scattered_bytes_a_second(threads, buffers));
    }
    std::printf("\"gathered\": %.4g, ", gathered_products_a_second<false>(threads));
    std::printf("\"gathered_scattered\": %.4g, ", gathered_products_a_second<true>(threads));
    std::printf("\"float64\": %.4g, \"float32\": %.4g, ", multiply_adds_a_second<false, double>(threads),
                multiply_adds_a_second<false, float>(threads));
    std::printf("\"fused_float64\": %.4g, \"fused_float32\": %.4g}\n", multiply_adds_a_second<true, double>(threads),
                multiply_adds_a_second<true, float>(threads));
}
