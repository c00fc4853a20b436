#include "accelerate/gram/gram_scores.hpp"

#include <utility>

namespace rosenblatt {

GramScores::GramScores(const RowsView& rows, double largest) {
    const std::size_t stride = kept_stride(rows.examples);
    products_.assign(rows.examples * stride, 0.0);
    kept_.assign(stride, 0.0);
    plane_.assign(with_tail(rows.features), 0.0);
    undecided_.assign(kWordBits, 0);
    view_.products = products_.data();
    view_.stride = stride;
    view_.kept = kept_.data();
    view_.undecided = undecided_.data();
    view_.plane = plane_.data();
    view_.largest = largest;
    view_.step_reach = static_cast<double>(rows.features) * largest * largest + 1;
    view_.terms = static_cast<double>(rows.features + 64);
    view_.updates = kMaxUpdates;
}

std::uint64_t GramScores::take_scored() { return std::exchange(view_.scored, 0); }

}  // namespace rosenblatt
