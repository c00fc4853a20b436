#include "accelerate/speculative/pipeline.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>

#include "util/exactness.hpp"

namespace rosenblatt {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

constexpr std::uint64_t kFinished = std::numeric_limits<std::uint64_t>::max();

// In eight sums, which the compiler vectorises. The tail of dense weights counts twice, which only raises the bound.
double sum_of_squares(const double* values, std::size_t count) {
    double sums[8] = {};
    std::size_t j = 0;
    for (; j + 8 <= count; j += 8)
        for (std::size_t s = 0; s < 8; ++s) sums[s] += values[j + s] * values[j + s];
    for (; j < count; ++j) sums[0] += values[j] * values[j];
    double sum = 0;
    for (const double part : sums) sum += part;
    return sum;
}

// Waits for the other thread, which needs a few microseconds; later it lets other programs run.
class Pause {
   public:
    void wait() {
        constexpr int kSpins = 64;
        if (++turns_ > kSpins) return std::this_thread::yield();
        pause_processor();
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

SpeculativePipeline::SpeculativePipeline(const RowsView& rows, bool always)
    : always_(always),
      copy_(is_dense(rows.storage) ? with_tail(rows.features) : rows.features),
      lengths_(rows.examples),
      log_(kMaxLogged + 1),
      workers_(std::make_unique<Workers>(pool_, 1)) {
    // Handing a block over takes about as long as some hundred products, so blocks of short rows have more of them.
    constexpr std::size_t kBlockValues = 1 << 13, kTurnValues = 1 << 19;
    const std::size_t values = stored_values(rows) / std::max<std::size_t>(rows.examples, 1) + 1;
    largest_block_ = kBlockValues / values;
    turn_ = kTurnValues / values + 1;
}

// Proofs of a long block are older when they are used: on average few updates should come in between.
std::uint64_t SpeculativePipeline::block_size() const {
    constexpr double kUpdates = 0.25;  // per block
    const double examples = std::min(static_cast<double>(largest_block_), kUpdates / std::max(mistake_rate_, 1e-9));
    return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(examples) / kPart * kPart, kMinBlock, kMaxBlock);
}

bool SpeculativePipeline::pays() const {
    constexpr double kMaxTime = 0.97;  // of that of one thread
    if (always_ || !alone_.examples || !together_.examples) return true;
    return together_.per_example() < kMaxTime * alone_.per_example();
}

std::uint64_t SpeculativePipeline::run(const Examples& examples, const Presentation& at, const Rule& rule,
                                       const Planes& planes, Problem& problem) {
    Presentation turn = at;
    while (turn.begin < at.end) {
        const std::uint64_t mistakes = problem.mistakes;
        const bool few = always_ || mistake_rate_ <= kMaxMistakes;
        const bool together = few && pays() && (always_ || alone_.examples);
        turn.end = together ? at.end : std::min(at.end, turn.begin + turn_);
        const Clock::time_point begin = Clock::now();
        const std::uint64_t reached = together ? run_in_two_threads(examples, turn, rule, planes, problem)
                                               : kernels().online(examples, turn, rule, planes, &problem, nullptr, nullptr);
        if (few) {
            Timing& timing = together ? together_ : alone_;
            timing.examples += reached - turn.begin;
            timing.seconds += seconds_since(begin);
        }
        const std::uint64_t made = problem.mistakes - mistakes;
        if (problem.not_finite || (made > 0 && problem.mistakes >= problem.max_updates)) return reached;
        mistake_rate_ = static_cast<double>(made) / static_cast<double>(reached - turn.begin);
        turn.presented += reached - turn.begin;
        turn.begin = reached;
    }
    return at.end;
}

// Returns early if mistakes become frequent.
std::uint64_t SpeculativePipeline::run_in_two_threads(const Examples& examples, const Presentation& at, const Rule& rule,
                                                      const Planes& planes, Problem& problem) {
    const Weights& weights = planes.weights;
    std::copy_n(weights.data, copy_.size(), copy_.data());
    copied_offset_ = weights.offsets[0];
    start_length_ = kRoundUp * std::sqrt(copied_offset_ * copied_offset_ + sum_of_squares(copy_.data(), copy_.size()));
    block_ = block_size();
    log_[0] = {0, 0.0, 0.0};
    logged_.store(0, std::memory_order_relaxed);
    front_.store(0, std::memory_order_relaxed);
    for (Slot& slot : slots_) slot.ready.store(kFinished, std::memory_order_relaxed);
    const Stretch stretch{examples, at, rule, planes, problem, (at.end - at.begin + block_ - 1) / block_};
    std::uint64_t reached = at.begin;
    // Either thread may take either job. A proving job that begins after the stretch has ended returns at once.
    pool_.run(2, [&](std::size_t job) {
        if (job == 0) {
            reached = present(stretch);
            front_.store(kFinished, std::memory_order_release);
        } else {
            prove(stretch);
        }
    });
    return reached;
}

Segment SpeculativePipeline::segment_of(const Stretch& stretch, std::uint64_t begin, std::uint64_t end,
                                        std::uint64_t block) const {
    const std::uint64_t block_end = stretch.at.begin + (block + 1) * block_;
    return {stretch.at.order, begin, end, block_end, block_, stretch.at.end};
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
        const std::uint64_t claimed = block * (kMaxParts + 1);
        slot.ready.store(claimed, std::memory_order_release);
        for (std::uint64_t part = 0; part * kPart < block_; ++part) {
            const std::uint64_t begin = at.begin + block * block_ + part * kPart;
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

// A bound on the distance that the weights have moved since an earlier version. Sums are rounded by less than kMaxLogged units of
// 2^-53.
float SpeculativePipeline::moved_since(std::uint64_t version) const {
    const std::uint64_t logged = logged_.load(std::memory_order_relaxed);
    if (version == logged) return 0;
    const double now = log_[logged].moved;
    return static_cast<float>((now - log_[version].moved) * kRoundUp + now * 1e-11) * 1.000001F + kLeastMove;
}

std::uint64_t SpeculativePipeline::present(const Stretch& stretch) {
    const Presentation& at = stretch.at;
    const bool at_once = stretch.planes.changes.data == stretch.planes.weights.data;  // false in batch mode
    // Mistakes are frequent if a window of this many has half of the examples that kMaxMistakes allows, or fewer.
    constexpr std::uint64_t kWindowMistakes = 32;
    constexpr auto kWindowExamples = static_cast<std::uint64_t>(kWindowMistakes / (2 * kMaxMistakes));
    std::uint64_t window_begin = at.begin, window_mistakes = 0;
    for (std::uint64_t block = 0; block < stretch.blocks; ++block) {
        front_.store(block, std::memory_order_release);
        const Slot& slot = slots_[block % kSlots];
        const std::uint64_t claimed = block * (kMaxParts + 1);
        const std::uint64_t block_end = std::min(at.end, at.begin + (block + 1) * block_);
        const std::uint64_t block_begin = at.begin + block * block_;
        std::uint64_t k = block_begin;
        while (k < block_end) {
            const std::uint64_t part = (k - block_begin) / kPart;
            const std::uint64_t ready = slot.ready.load(std::memory_order_acquire);
            const bool is_claimed = ready >= claimed && ready <= claimed + kMaxParts;
            const bool proved = is_claimed && ready > claimed + part;
            // Parts that were proved with the same weights are presented together.
            std::uint64_t next_part = part + 1;
            if (proved)
                while (claimed + next_part < ready && slot.versions[next_part] == slot.versions[part]) ++next_part;
            const std::uint64_t end = is_claimed ? std::min(block_begin + next_part * kPart, block_end) : block_end;
            const float* allowances = proved ? slot.allowances + (k - block_begin) : nullptr;
            const float moved = proved ? moved_since(slot.versions[part]) : 0.0F;
            const std::uint64_t mistakes = stretch.problem.mistakes;
            const Presentation rest{at.order, k, end, at.presented + (k - at.begin), at.clock, at.listener};
            SegmentResult found;
            const std::uint64_t reached =
                kernels().present_segment(stretch.examples, rest, segment_of(stretch, k, end, block), stretch.rule,
                                          stretch.planes, stretch.problem, allowances, moved, found);
            k = reached;
            if (stretch.problem.not_finite) return k;
            if (stretch.problem.mistakes == mistakes) continue;
            if (stretch.problem.mistakes >= stretch.problem.max_updates) return k;
            if (++window_mistakes == kWindowMistakes) {
                if (k - window_begin <= kWindowExamples && !always_) return k;
                window_begin = k;
                window_mistakes = 0;
            }
            if (!log(found.update, at_once)) {
                front_.store(kFinished, std::memory_order_release);
                const Presentation alone{at.order, k, at.end, at.presented + (k - at.begin), at.clock, at.listener};
                return kernels().online(stretch.examples, alone, stretch.rule, stretch.planes, &stretch.problem, nullptr,
                                        nullptr);
            }
        }
    }
    return at.end;
}

}  // namespace rosenblatt
