// Accelerator "gram": scores of few examples, kept up to date by rows of their Gram matrix (gram_view.hpp has the proof).
#pragma once

#include <optional>

#include "accelerate/accelerator.hpp"
#include "accelerate/gram/gram_scores.hpp"

namespace rosenblatt {

class Gram final : public Accelerator {
   public:
    explicit Gram(bool forced) : forced_(forced) {}

    const char* name() const override { return "gram"; }
    bool consider(const Situation& situation) override;
    std::uint64_t prepare(const Examples& examples, const Problem& problem) override;
    Pass pass() override { return {kernels().gram, scores_->view()}; }
    void release() override { scores_.reset(); }

   private:
    bool forced_;
    bool fit_intercept_ = false;
    std::optional<GramScores> scores_;
    std::uint64_t next_decision_ = 0;      // epoch
    std::uint64_t mistakes_decided_ = 0;  // mistakes of the run at the last decision
};

}  // namespace rosenblatt
