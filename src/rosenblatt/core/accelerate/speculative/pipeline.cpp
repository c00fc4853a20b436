#include "accelerate/speculative/pipeline.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>
#include <utility>

namespace rosenblatt {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

constexpr std::uint64_t kFinished = std::numeric_limits<std::uint64_t>::max();

// Waits for the other thread, which needs a few microseconds; later it lets other programs run.
class Pause {
   public:
    void wait() {
        constexpr int kSpins = 64;
        if (++turns_ > kSpins) return std::this_thread::yield();
#if defined(__x86_64__) && defined(__GNUC__)
        __builtin_ia32_pause();
#endif
    }

   private:
    int turns_ = 0;
};

}  // namespace

struct SpeculativePipeline::Stretch {
    const Examples& examples;
    const Presentation& at;
    const Rule& rule;
    const Planes& planes;
    Problem& problem;
    std::uint64_t blocks;
};

SpeculativePipeline::SpeculativePipeline(const RowsView& rows)
    : copy_(is_dense(rows.storage) ? with_tail(rows.features) : rows.features),
      lengths_(rows.examples),
      log_(kMaxLogged + 1),
      workers_(std::make_unique<Workers>(pool_, 1)) {}

std::uint64_t SpeculativePipeline::take_skipped() { return std::exchange(skipped_, 0); }

double SpeculativePipeline::take_waiting_share() {
    const double taken = std::exchange(taken_, 0.0);
    const double waited = std::exchange(waited_, 0.0);
    return taken > 0 ? waited / taken : 0;
}

std::uint64_t SpeculativePipeline::run(const Examples& examples, const Presentation& at, const Rule& rule,
                                       const Planes& planes, Problem& problem) {
    const Weights& weights = planes.weights;
    double squares = weights.offsets[0] * weights.offsets[0];
    for (std::size_t j = 0; j < copy_.size(); ++j) {
        copy_[j] = weights.data[j];
        squares += copy_[j] * copy_[j];  // the tail counts twice, which only raises the bound
    }
    start_length_ = kRoundUp * std::sqrt(squares);
    copied_offset_ = weights.offsets[0];
    log_[0] = {0, 0.0, 0.0};
    logged_.store(0, std::memory_order_relaxed);
    front_.store(0, std::memory_order_relaxed);
    for (Slot& slot : slots_) slot.ready.store(kFinished, std::memory_order_relaxed);
    const Stretch stretch{examples, at, rule, planes, problem, (at.end - at.begin + kBlock - 1) / kBlock};
    std::uint64_t reached = at.begin;
    const Clock::time_point begin = Clock::now();
    double presented = 0;
    // Either thread may take either job. A proving job that begins after the stretch has ended returns at once.
    pool_.run(2, [&](std::size_t job) {
        if (job == 0) {
            reached = present(stretch);
            front_.store(kFinished, std::memory_order_release);
            presented = seconds_since(begin);
        } else {
            prove(stretch);
        }
    });
    taken_ += seconds_since(begin);
    waited_ += seconds_since(begin) - presented;
    return reached;
}

Segment SpeculativePipeline::segment_of(const Stretch& stretch, std::uint64_t begin, std::uint64_t end,
                                        std::uint64_t block) const {
    const std::uint64_t block_end = stretch.at.begin + (block + 1) * kBlock;
    return {stretch.at.order, begin, end, block_end, kBlock, stretch.at.end};
}

void SpeculativePipeline::prove(const Stretch& stretch) {
    const Presentation& at = stretch.at;
    const RowsView& rows = stretch.examples.rows;
    const Weights weights{copy_.data(), copy_.size(), stretch.planes.weights.problem_major, &copied_offset_};
    const Weights plane{weights.data, is_dense(rows.storage) ? weights.stride : 1, weights.problem_major, weights.offsets};
    const double kappa = 4 * std::numeric_limits<double>::epsilon() * static_cast<double>(rows.features + 64 + kMaxLogged);
    ProofTask task{stretch.problem.positive, stretch.rule.margin, start_length_, kappa, lengths_.data()};
    std::uint64_t version = 0;
    std::uint64_t next = 1;
    Pause pause;
    while (true) {
        const std::uint64_t front = front_.load(std::memory_order_acquire);
        if (front == kFinished) return;
        // The block after the present one would come too late.
        const std::uint64_t block = std::max(next, front + (front ? 2 : 1));
        if (block >= stretch.blocks) return;
        if (block - front > kMaxLead) {
            pause.wait();
            continue;
        }
        pause = {};
        Slot& slot = slots_[block % kSlots];
        const std::uint64_t claimed = block * (kParts + 1);
        slot.ready.store(claimed, std::memory_order_release);
        for (std::uint64_t part = 0; part < kParts; ++part) {
            const std::uint64_t begin = at.begin + block * kBlock + part * kPart;
            if (begin >= at.end || front_.load(std::memory_order_relaxed) >= block) break;
            const std::uint64_t logged = logged_.load(std::memory_order_acquire);
            for (; version < logged; ++version) {
                const Update& update = log_[version + 1];
                kernels().add_row(rows, update.example, update.scale, plane, 0);
                if (stretch.rule.fit_intercept) copied_offset_ += update.scale;
            }
            task.weights_length = (start_length_ + log_[version].moved) * kRoundUp;
            const Segment segment = segment_of(stretch, begin, std::min(at.end, begin + kPart), block);
            kernels().prove_segment(stretch.examples, segment, plane, task, slot.allowances + part * kPart);
            slot.versions[part] = version;
            slot.ready.store(claimed + part + 1, std::memory_order_release);
        }
        // Every other block; all of them while this thread is well ahead.
        next = block + (block - front > 2 ? 1 : 2);
    }
}

// Publishes an update. False if the log is full.
bool SpeculativePipeline::log(const LoggedUpdate& update, bool changes_weights) {
    if (!changes_weights) return true;
    const std::uint64_t version = logged_.load(std::memory_order_relaxed);
    if (version == kMaxLogged) return false;
    const double moved = log_[version].moved + std::fabs(update.scale) * update.length;
    log_[version + 1] = {update.example, update.scale, moved};
    logged_.store(version + 1, std::memory_order_release);
    return true;
}

std::uint64_t SpeculativePipeline::present(const Stretch& stretch) {
    const Presentation& at = stretch.at;
    const bool at_once = stretch.planes.changes.data == stretch.planes.weights.data;  // false in batch mode
    for (std::uint64_t block = 0; block < stretch.blocks; ++block) {
        front_.store(block, std::memory_order_release);
        const Slot& slot = slots_[block % kSlots];
        const std::uint64_t claimed = block * (kParts + 1);
        const std::uint64_t block_end = std::min(at.end, at.begin + (block + 1) * kBlock);
        std::uint64_t k = at.begin + block * kBlock;
        while (k < block_end) {
            const std::uint64_t part = (k - at.begin) % kBlock / kPart;
            const std::uint64_t ready = slot.ready.load(std::memory_order_acquire);
            const bool is_claimed = ready >= claimed && ready <= claimed + kParts;
            const bool proved = is_claimed && ready > claimed + part;
            const std::uint64_t part_end = at.begin + block * kBlock + (part + 1) * kPart;
            const std::uint64_t end = is_claimed ? std::min(part_end, block_end) : block_end;
            const float* allowances = proved ? slot.allowances + (k - at.begin) % kBlock : nullptr;
            float moved = 0;
            if (proved && slot.versions[part] != logged_.load(std::memory_order_relaxed)) {
                const double now = log_[logged_.load(std::memory_order_relaxed)].moved;
                // The sums are rounded by less than kMaxLogged units of 2^-53.
                moved = static_cast<float>((now - log_[slot.versions[part]].moved) * kRoundUp + now * 1e-11) * 1.000001F + kLeastMove;
            }
            const std::uint64_t mistakes = stretch.problem.mistakes;
            const Presentation rest{at.order, k, end, at.presented + (k - at.begin), at.clock, at.listener};
            SegmentResult found;
            const std::uint64_t reached =
                kernels().present_segment(stretch.examples, rest, segment_of(stretch, k, end, block), stretch.rule,
                                          stretch.planes, stretch.problem, allowances, moved, found);
            skipped_ += reached - k - found.scored;
            k = reached;
            if (stretch.problem.not_finite) return k;
            if (stretch.problem.mistakes == mistakes) continue;
            if (stretch.problem.mistakes >= stretch.problem.max_updates) return k;
            if (!log(found.update, at_once)) {
                front_.store(kFinished, std::memory_order_release);
                const Presentation alone{at.order, k, at.end, at.presented + (k - at.begin), at.clock, at.listener};
                return kernels().online(stretch.examples, alone, stretch.rule, stretch.planes, &stretch.problem, nullptr, nullptr);
            }
        }
    }
    return at.end;
}

}  // namespace rosenblatt
