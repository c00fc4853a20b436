// The cost model (measured in docs/performance-details.md). Scoring all problems in single precision costs a quarter of the plain pass. A
// pair of a row and a problem that is left undecided, which is nearly always a mistake, costs about twice as much as in the plain pass.
#include "accelerate/float32/float32.hpp"

#include <cmath>
#include <limits>
#include <new>

namespace rosenblatt {

namespace {

constexpr std::size_t kMinPlanes = 4;     // fewer problems are limited by memory, which quantized rows save
constexpr std::size_t kMinFeatures = 48;  // shorter rows spend their time outside of the products
constexpr double kMaxUndecided = 0.25;    // of all pairs

}  // namespace

bool Float32::pays(const Situation& situation) {
    if (view_.read > kMaxUndecided * situation.pairs()) given_up_ = true;
    view_.read = 0;
    return !given_up_ && situation.planes >= kMinPlanes && situation.examples.rows.features >= kMinFeatures;
}

bool Float32::consider(const Situation& situation) {
    const RowsView& rows = situation.examples.rows;
    if (!kernels().float32 || !is_dense(rows.storage) || situation.plan.joint) return false;
    if (rows.features < kLanes || rows.features >= kFloat32Features) return false;
    if (!forced_ && !pays(situation)) return false;
    if (!planes_.empty()) return true;
    try {
        w_.assign(situation.planes * float32_width(rows.features), 0.0F);
        scratch_.assign(float32_room(rows.features, situation.planes), 0.0F);
        undecided_.assign(situation.planes * kFloat32Rows, 0);
        planes_.resize(situation.planes);
    } catch (const std::bad_alloc&) {
        given_up_ = true;  // the run goes on without it
        return false;
    }
    auto margin = static_cast<float>(situation.plan.rule.margin);
    if (static_cast<double>(margin) < situation.plan.rule.margin)
        margin = std::nextafter(margin, std::numeric_limits<float>::infinity());
    view_ = {w_.data(), planes_.data(), scratch_.data(), undecided_.data(), margin, 0};
    return true;
}

void Float32::release() {
    w_ = {};
    scratch_ = {};
    undecided_ = {};
    planes_ = {};
}

}  // namespace rosenblatt
