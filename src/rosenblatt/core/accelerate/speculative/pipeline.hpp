// The two threads of a speculative stretch (speculative_view.hpp): one presents the examples in order, the other proves blocks
// of them ahead.
//
// The presenting thread never waits within a stretch. It skips what has been proved when it arrives and scores the rest itself; a
// proving thread that is late costs nothing but its own time, except at the end of a stretch, which both threads must reach. The
// proving thread is at most kMaxLead blocks ahead: farther ahead its weights would be too old.
//
// While mistakes are frequent, proofs do not hold for long, and the stretch is presented by one thread in short turns, until the
// mistakes of a turn are few. In each epoch one such turn is timed as well; if an example takes two threads as long as one, which
// depends on the machine and on what else it does, one thread presents the rest. Times decide about the speed only, never about the
// path.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "accelerate/speculative/speculative_view.hpp"
#include "passes/problem.hpp"
#include "simd/kernels.hpp"
#include "util/aligned_memory.hpp"
#include "util/thread_pool.hpp"

namespace rosenblatt {

class SpeculativePipeline {
   public:
    // `always`: two threads also present examples with frequent mistakes.
    SpeculativePipeline(const RowsView& rows, bool always);

    // The stretch of a pass; see PassFunction.
    std::uint64_t run(const Examples& examples, const Presentation& at, const Rule& rule, const Planes& planes,
                      Problem& problem);

    void begin_epoch() { alone_ = together_ = {}; }

    // Whether two threads have presented examples in this epoch, and whether they were faster than one.
    bool has_run() const { return together_.examples > 0; }
    bool pays() const;

    // Mistakes per example that the two threads are worth.
    static constexpr double kMaxMistakes = 0.015;

   private:
    static constexpr std::uint64_t kMinBlock = 32;
    static constexpr std::uint64_t kMaxBlock = 128;
    static constexpr std::uint64_t kPart = 16;  // the proving thread takes over new updates at the beginning of each part
    static constexpr std::uint64_t kMaxParts = kMaxBlock / kPart;
    static constexpr std::uint64_t kMaxLead = 4;
    static constexpr std::uint64_t kSlots = kMaxLead + 1;

    struct Update {
        std::uint32_t example;
        double scale;
        double moved;  // sum of |scale| |x~| up to this update
    };

    // The proofs of one block. `ready` is block * (kMaxParts + 1) plus the number of parts proved.
    struct alignas(128) Slot {
        std::atomic<std::uint64_t> ready{0};
        std::uint64_t versions[kMaxParts] = {};  // updates before each part was scored
        float allowances[kMaxBlock] = {};
    };

    struct Stretch;

    // Examples that were presented while mistakes were few, and how long it took.
    struct Timing {
        std::uint64_t examples = 0;
        double seconds = 0;

        double per_example() const { return seconds / static_cast<double>(examples); }
    };

    std::uint64_t run_in_two_threads(const Examples& examples, const Presentation& at, const Rule& rule, const Planes& planes,
                                     Problem& problem);
    std::uint64_t block_size() const;
    void prove(const Stretch& stretch);
    std::uint64_t present(const Stretch& stretch);
    bool log(const LoggedUpdate& update, bool changes_weights);
    float moved_since(std::uint64_t version) const;
    Segment segment_of(const Stretch& stretch, std::uint64_t begin, std::uint64_t end, std::uint64_t block) const;

    bool always_;
    std::uint64_t largest_block_;   // examples
    std::uint64_t turn_;            // examples that one thread presents before mistakes and time are measured
    double mistake_rate_ = 1;       // of the last turn
    std::uint64_t block_ = kMinBlock;  // examples per block of the present stretch
    std::vector<double, Aligned<double>> copy_;  // the weights of the proving thread
    double copied_offset_ = 0;
    std::vector<float> lengths_;
    std::vector<Update> log_;
    double start_length_ = 0;  // |w~| at the beginning of the stretch, rounded up
    Timing alone_, together_;  // of the present epoch, by one thread and by two
    Slot slots_[kSlots];
    alignas(128) std::atomic<std::uint64_t> front_{0};   // the block that is being presented
    alignas(128) std::atomic<std::uint64_t> logged_{0};  // entries of log_ that the proving thread may read
    ThreadPool pool_;
    std::unique_ptr<Workers> workers_;  // destroyed first
};

}  // namespace rosenblatt
