// Accelerator "float32": scores in single precision prove most examples of several problems correct (float32_view.hpp).
#pragma once

#include <vector>

#include "accelerate/accelerator.hpp"
#include "accelerate/float32/float32_view.hpp"
#include "util/aligned_memory.hpp"

namespace rosenblatt {

class Float32 final : public Accelerator {
   public:
    explicit Float32(bool forced) : forced_(forced) {}

    const char* name() const override { return "float32"; }
    bool consider(const Situation& situation) override;
    Pass pass() override { return {kernels().float32, &view_}; }
    void release() override;

   private:
    bool pays(const Situation& situation);

    bool forced_;
    bool given_up_ = false;
    std::vector<float, Aligned<float>> w_, scratch_;
    std::vector<Float32Plane> planes_;
    std::vector<std::int32_t> undecided_;
    Float32View view_{};
};

}  // namespace rosenblatt
