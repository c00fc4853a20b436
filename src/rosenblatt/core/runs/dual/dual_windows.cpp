// A dual run without the whole Gram matrix: one window of examples at a time.
#include <algorithm>

#include "runs/dual/dual_run.hpp"

namespace rosenblatt {

DualPause DualRun::seek(bool pause_at_epoch) {
    const Space space{scores_.data(), static_cast<std::size_t>(count_), nullptr};  // not updated here: no example is a mistake
    while (!live_.empty() && !not_finite_) {
        if (question_) return DualPause::question;
        if (pauses(pause_at_epoch)) return DualPause::epoch;
        if (!in_epoch_) begin_epoch();
        if (!in_epoch_) continue;
        if (external_scores_) return DualPause::window;
        if (plan_.order == Order::misclassified) {
            draw();
            return DualPause::window;
        }
        const std::uint64_t end = stretch_end(count_);
        for (; position_ < end; ++position_) {
            const std::uint32_t i = order_[position_];
            if (any_mistake(i, space.scores, count_, i)) return DualPause::window;
            present(i, space, i);
        }
        if (position_ == count_)
            finish_epoch();
        else
            settle(false);
    }
    return DualPause::done;
}

const std::vector<std::uint32_t>& DualRun::open_window(std::size_t limit) {
    changed_.clear();
    changes_.clear();
    window_begin_ = position_;
    if (plan_.order == Order::misclassified) {
        window_.assign(1, drawn_);
    } else {
        const std::uint64_t end = std::min<std::uint64_t>(count_, position_ + std::max<std::size_t>(limit, 1));
        window_.assign(order_.begin() + static_cast<std::ptrdiff_t>(position_),
                       order_.begin() + static_cast<std::ptrdiff_t>(end));
    }
    window_scores_.assign(planes_ * window_.size(), 0.0);
    if (!external_scores_)
        for (std::size_t c = 0; c < planes_; ++c)
            for (std::size_t r = 0; r < window_.size(); ++r)
                window_scores_[c * window_.size() + r] = scores_[c * count_ + window_[r]];
    return window_;
}

void DualRun::present_window(const double* gram) {
    const Space space{window_scores_.data(), window_.size(), gram};
    if (plan_.order == Order::misclassified) {
        present_drawn(space, 0);
        return;
    }
    const std::uint64_t end = window_begin_ + window_.size();
    while (position_ < end && !live_.empty() && !not_finite_) present_stretch(space, end, true);
}

std::optional<std::size_t> DualRun::present_to_mistake() {
    const Space space{window_scores_.data(), window_.size(), nullptr};
    const std::uint64_t end = window_begin_ + window_.size();
    while (position_ < end && !live_.empty() && !not_finite_) {
        const std::uint64_t stop = stretch_end(end);
        while (position_ < stop) {
            const std::uint64_t at = position_ - window_begin_;
            const bool mistake = any_mistake(window_[at], space.scores, space.size, at);
            present(window_[at], space, at);
            ++position_;
            if (not_finite_ || mistake) {
                if (!not_finite_ && position_ < count_) settle(false);
                return at;
            }
        }
        if (position_ < count_) settle(false);
    }
    return std::nullopt;
}

void DualRun::close_window() {
    if (external_scores_ && !external_coef_) {
        for (std::size_t c = 0; c < planes_; ++c)
            for (std::size_t r = 0; r < window_.size(); ++r)
                scores_[c * count_ + window_[r]] = window_scores_[c * window_.size() + r];
        complete_from_ = window_begin_;
    }
    if (!in_epoch_ || live_.empty() || not_finite_) return;
    if (plan_.order == Order::misclassified)
        find_misclassified();
    else if (position_ == count_)
        finish_epoch();
}

}  // namespace rosenblatt
