// Accelerator "quantized": a copy of dense rows with one byte a feature that proves most correct examples correct without
// reading the rows (quantized_view.hpp has the proof).
#pragma once

#include <optional>

#include "accelerate/accelerator.hpp"
#include "accelerate/quantized/quantized_rows.hpp"

namespace rosenblatt {

struct QuantizedOptions {
    bool reference = true;  // store each residual's projection onto the weights at encoding time
    bool residuals = true;  // store a second byte a feature for rows that the first could not decide
};

class Quantized final : public Accelerator {
   public:
    Quantized(bool forced, const QuantizedOptions& options) : forced_(forced), options_(options) {}

    const char* name() const override { return "quantized"; }
    bool consider(const Situation& situation) override;
    std::uint64_t prepare(const Examples& examples, const Problem& problem) override;
    Pass pass() override { return {kernels().quantized, state_->view()}; }
    void release() override { state_.reset(); }

   private:
    bool can_run(const Situation& situation) const;

    bool forced_;
    QuantizedOptions options_;
    bool given_up_ = false;
    bool ready_ = false;
    std::optional<QuantizedState> state_;
};

}  // namespace rosenblatt
