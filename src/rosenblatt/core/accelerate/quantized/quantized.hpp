// Accelerator "quantized": a copy of dense rows with one byte per feature that proves most correct examples correct without
// reading the rows (quantized_view.hpp has the proof).
#pragma once

#include <optional>

#include "accelerate/accelerator.hpp"
#include "accelerate/quantized/quantized_rows.hpp"

namespace rosenblatt {

class Quantized final : public Accelerator {
   public:
    // `with_reference`: store the projection of each residual onto the weights at encoding time.
    explicit Quantized(bool forced, bool with_reference = true) : forced_(forced), with_reference_(with_reference) {}

    const char* name() const override { return "quantized"; }
    bool consider(const Situation& situation) override;
    std::uint64_t prepare(const Examples& examples, const Problem& problem) override;
    Pass pass() override { return {kernels().quantized, state_->view()}; }
    void release() override { state_.reset(); }

   private:
    bool can_run(const Situation& situation) const;
    bool pays(const Situation& situation, const double* reference);

    bool forced_;
    bool with_reference_;
    unsigned threads_ = 1;  // that encode the rows
    bool given_up_ = false;
    std::uint64_t next_trial_ = 0;  // epoch
    bool ready_ = false;
    std::optional<QuantizedState> state_;
};

}  // namespace rosenblatt
