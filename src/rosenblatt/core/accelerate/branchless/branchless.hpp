// Accelerator "branchless": one problem of 16 to 64 dense features with unpredictable mistakes. Every example updates the
// weights, which stay in registers; a correct one adds -0 (branchless_pass.hpp).
#pragma once

#include "accelerate/accelerator.hpp"

namespace rosenblatt {

// Whether the branchless pass can make the updates of this run.
bool can_run_branchless(const Situation& situation);

// Mistakes per example of the first problem in the epoch before.
double mistake_rate(const Situation& situation);

class Branchless final : public Accelerator {
   public:
    explicit Branchless(bool forced) : forced_(forced) {}

    const char* name() const override { return "branchless"; }
    bool consider(const Situation& situation) override;
    Pass pass() override { return {kernels().branchless, &state_}; }

   private:
    bool forced_;
    BranchlessState state_;
};

}  // namespace rosenblatt
