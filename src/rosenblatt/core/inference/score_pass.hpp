// The scores of a stretch of rows, for prediction.
#pragma once

#include <cstddef>

#include "rows/rows.hpp"

namespace rosenblatt::ROSENBLATT_ISA {

// out[(i - begin) * count + c] = w_c . x_i + offset_c for begin <= i < end; `scores` has room for score_room(count).
template <class Rows>
void score_pass(const Rows& rows, std::size_t begin, std::size_t end, const Weights& weights, std::size_t count,
                double* scores, double* out) {
    constexpr std::size_t kAhead = 16;  // CSR rows, which the hardware does not prefetch well
    const std::size_t stride = padded_to_block(count);
    if (count == 1) {
        const double offset = weights.offsets[0];
        for (std::size_t i = begin; i < end; ++i) {
            if (!Rows::kDense && i + kAhead < end) rows.prefetch(i + kAhead);
            double block[kPlaneBlock];  // CSR rows may score a whole block
            rows.scores(i, weights, 0, 1, block);
            *out++ = block[0] + offset;
        }
        return;
    }
    for (std::size_t i = begin; i < end;) {
        std::size_t scored = 1;
        if (Rows::kTogether > 1 && i + Rows::kTogether <= end) {
            rows.prefetch_stream(i);
            std::size_t members[Rows::kTogether];
            for (std::size_t r = 0; r < Rows::kTogether; ++r) members[r] = i + r;
            rows.scores_together(members, weights, count, scores, stride);
            scored = Rows::kTogether;
        } else {
            if (!Rows::kDense && i + kAhead < end) rows.prefetch(i + kAhead);
            rows.scores(i, weights, 0, count, scores);
        }
        for (std::size_t r = 0; r < scored; ++r)
            for (std::size_t c = 0; c < count; ++c) *out++ = scores[r * stride + c] + weights.offsets[c];
        i += scored;
    }
}

}  // namespace rosenblatt::ROSENBLATT_ISA
