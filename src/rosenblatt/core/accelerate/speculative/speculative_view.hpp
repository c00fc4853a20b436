// A second thread that proves examples correct ahead of the pass, for one problem.
//
// The pass presents the examples of a stretch in order, in one thread. The second thread has a copy of the weights, scores
// blocks of examples that the pass has not reached, and stores for each how far the weights may move before the example
// could become a mistake: its allowance. Every update of the pass is also logged as (example, scale); the second thread
// repeats the same additions in the same order, so after v updates its copy w_v has the bits that the pass had then. When the
// pass reaches such an example, it skips it if the weights have moved by less than the allowance: a correct example changes
// nothing. The pass scores all other examples itself. So the path is that of one thread, bit for bit, and it does not depend
// on the speed of either thread.
//
// Proof. Let u = 2^-53, x~ = (x, 1), w~ = (w, b), d the number of features, v and t >= v the updates of the stretch before
// the example was scored and before it is presented, and
//
//     D  =  sum over the updates k = v + 1, ..., t of |scale_k| |x~_k|.
//
// By the triangle inequality |w~_t - w~_v| <= D, up to the rounding of the additions, so by the Cauchy-Schwarz inequality the
// exact scores differ by at most D |x~|. Let R be a bound on |w~_v|. Each computed score differs from the exact one of its weights by
// less than (d + 64) u (R + D) |x~|, and t - v additions round the weights by less than 2 (t - v) u (R + D). With
//
//     kappa  =  4 u (d + 64 + kMaxLogged),
//
// all of this is less than kappa (R + D) |x~|. So y * score at t exceeds the margin if
//
//     D (1 + kappa)  <  (y * score_v - margin) / |x~| - kappa R  =  allowance.
//
// |x~| >= 1, so squares that underflow do not count. Lengths are rounded up, allowances down. An allowance is negative where
// R |x~| or the score exceeds 1e300, so no sum on the way can overflow. D is raised by kLeastMove, far above whatever underflow
// hides. Where v = t, the scores are equal bit for bit.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rosenblatt {

constexpr std::size_t kMaxLogged = std::size_t{1} << 14;  // updates of a stretch that are logged
constexpr double kRoundUp = 1 + 1.0 / (1 << 20);
constexpr float kLeastMove = 1e-37F;

// Consecutive positions of a stretch: begin <= k < end. Rows are prefetched ahead; those beyond `block_end` belong to the other
// thread, which mostly handles every other block, so `skip` positions more are added there.
struct Segment {
    const std::uint32_t* order;
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t block_end;
    std::uint64_t skip;
    std::uint64_t stretch_end;
};

// The parts of the problem that the second thread reads.
struct ProofTask {
    std::int32_t positive;
    double margin;
    double weights_length;  // R
    double kappa;
    float* lengths;  // |x~| of each example, rounded up; 0 if it has not been computed yet
};

struct LoggedUpdate {
    std::uint32_t example;
    double scale;   // of x, with its sign
    double length;  // |x~|, rounded up
};

struct SegmentResult {
    std::uint64_t scored = 0;  // examples that were not skipped
    LoggedUpdate update{};     // the one that ended the segment, if any
};

}  // namespace rosenblatt
