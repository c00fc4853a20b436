// Accelerator "flags": dense rows in which eight columns of two values take one byte, for the branchless pass
// (packed_flags.hpp). Nothing is rounded: values are restored bit for bit.
#pragma once

#include <optional>

#include "accelerate/accelerator.hpp"
#include "accelerate/flags/packed_flag_rows.hpp"

namespace rosenblatt {

class Flags final : public Accelerator {
   public:
    explicit Flags(bool forced) : forced_(forced) {}

    const char* name() const override { return "flags"; }
    bool consider(const Situation& situation) override;
    std::uint64_t prepare(const Examples& examples, const Problem& problem) override;
    bool failed() const override { return given_up_; }
    Pass pass() override;
    void release() override { rows_.reset(); }

   private:
    bool forced_;
    bool given_up_ = false;
    std::optional<PackedFlagRows> rows_;
    BranchlessState state_;
};

}  // namespace rosenblatt
