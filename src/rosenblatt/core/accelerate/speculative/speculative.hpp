// Accelerator "speculative": one problem on two threads. The second thread proves examples correct ahead of the pass
// (speculative_view.hpp); the pass presents the others in order, so the path is that of one thread.
#pragma once

#include <optional>

#include "accelerate/accelerator.hpp"
#include "accelerate/speculative/pipeline.hpp"

namespace rosenblatt {

class Speculative final : public Accelerator {
   public:
    explicit Speculative(bool forced) : forced_(forced) {}

    const char* name() const override { return "speculative"; }
    bool consider(const Situation& situation) override;
    Pass pass() override;
    bool has_run() const override { return pipeline_ && pipeline_->has_run(); }
    void release() override { pipeline_.reset(); }

   private:
    bool pays(const Situation& situation);

    bool forced_;
    bool given_up_ = false;
    std::optional<SpeculativePipeline> pipeline_;
};

}  // namespace rosenblatt
