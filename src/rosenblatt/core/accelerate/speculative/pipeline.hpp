// The two threads of a speculative stretch (speculative_view.hpp): one presents the examples in order, the other proves blocks
// of them ahead.
//
// The presenting thread never waits within a stretch. It skips what has been proved when it arrives and scores the rest itself; a proving
// thread that is late costs nothing but its own time, except at the end of a stretch, which both threads must reach. The proving thread is at most kMaxLead
// blocks ahead: farther ahead its weights would be too old.
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
    explicit SpeculativePipeline(const RowsView& rows);

    // The stretch of a pass; see PassFunction.
    std::uint64_t run(const Examples& examples, const Presentation& at, const Rule& rule, const Planes& planes,
                      Problem& problem);

    // Examples skipped because they were proved, since the last call.
    std::uint64_t take_skipped();

    // The share of the time since the last call that was spent at the ends of stretches, waiting for the proving thread: much
    // only if that thread does not get a processor.
    double take_waiting_share();

   private:
    static constexpr std::uint64_t kBlock = 32;
    static constexpr std::uint64_t kPart = 16;  // the proving thread takes over new updates at the beginning of each part
    static constexpr std::uint64_t kParts = kBlock / kPart;
    static constexpr std::uint64_t kMaxLead = 4;
    static constexpr std::uint64_t kSlots = kMaxLead + 1;

    struct Update {
        std::uint32_t example;
        double scale;
        double moved;  // sum of |scale| |x~| up to this update
    };

    // The proofs of one block. `ready` is block * (kParts + 1) plus the number of parts proved.
    struct alignas(128) Slot {
        std::atomic<std::uint64_t> ready{0};
        std::uint64_t versions[kParts] = {};  // updates before each part was scored
        float allowances[kBlock] = {};
    };

    struct Stretch;

    void prove(const Stretch& stretch);
    std::uint64_t present(const Stretch& stretch);
    bool log(const LoggedUpdate& update, bool changes_weights);
    Segment segment_of(const Stretch& stretch, std::uint64_t begin, std::uint64_t end, std::uint64_t block) const;

    std::vector<double, Aligned<double>> copy_;  // the weights of the proving thread
    double copied_offset_ = 0;
    std::vector<float> lengths_;
    std::vector<Update> log_;
    double start_length_ = 0;  // |w~| at the beginning of the stretch, rounded up
    std::uint64_t skipped_ = 0;
    double taken_ = 0;   // seconds
    double waited_ = 0;  // of them
    Slot slots_[kSlots];
    alignas(128) std::atomic<std::uint64_t> front_{0};   // the block that is being presented
    alignas(128) std::atomic<std::uint64_t> logged_{0};  // entries of log_ that the proving thread may read
    ThreadPool pool_;
    std::unique_ptr<Workers> workers_;  // destroyed first
};

}  // namespace rosenblatt
