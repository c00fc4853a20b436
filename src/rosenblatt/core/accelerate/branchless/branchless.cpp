// The cost model (benchmarks/workloads/accelerators.py). A branch predictor fails on noisy data, and a wrong prediction costs more
// than scoring the example. The pass measures the mistake rate itself every few thousand examples and alternates with the
// plain loop; here it is ruled out for a whole epoch where the rate is far below the break-even point.
#include "accelerate/branchless/branchless.hpp"

namespace rosenblatt {

namespace {

// Half of the break-even rate of branchless_pass.hpp.
constexpr double kMinRate = 0.09;

}  // namespace

bool can_run_branchless(const Situation& situation) {
    const Plan& plan = situation.plan;
    const Examples& examples = situation.examples;
    const std::size_t features = examples.rows.features;
    return kernels().branchless && is_dense(examples.rows.storage) && features >= kLanes && features <= kBranchlessFeatures &&
           situation.planes == 1 && plan.rule.margin <= 0 && plan.rule.step == Step::constant && !examples.steps &&
           !examples.weights && !plan.batch && !plan.pocket && !plan.record && !plan.joint;
}

double mistake_rate(const Situation& situation) {
    return static_cast<double>(situation.problems[0].epoch_mistakes) / static_cast<double>(situation.members);
}

bool Branchless::consider(const Situation& situation) {
    if (!can_run_branchless(situation)) return false;
    state_ = {nullptr, mistake_rate(situation), forced_};
    return forced_ || situation.epoch == 0 || state_.mistake_rate > kMinRate;
}

}  // namespace rosenblatt
