#include "accelerate/quantized/quantized_rows.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rosenblatt {

namespace {

// The range of each feature is estimated from this many rows. A value outside gets the nearest code, and the difference is
// part of its row's residual: a rare outlier makes its own row undecided and no other.
constexpr std::size_t kSample = 8192;

// Bound on the rounding error of a weight: 1/2, and up to 32767 * 2^-24 for single precision.
constexpr double kHalf = 0.5025;

template <class Value>
void find_ranges(const RowsView& rows, std::vector<double>& low, std::vector<double>& high, std::vector<double>& mean) {
    const auto* values = static_cast<const Value*>(rows.values);
    const std::size_t step = std::max<std::size_t>(1, rows.examples / kSample);
    const std::size_t count = (rows.examples + step - 1) / step;
    std::vector<Value> least(values, values + rows.features), most(least);
    for (std::size_t i = 0; i < rows.examples; i += step) {
        const Value* x = values + static_cast<std::ptrdiff_t>(i) * rows.stride;
        for (std::size_t j = 0; j < rows.features; ++j) {
            least[j] = x[j] < least[j] ? x[j] : least[j];
            most[j] = x[j] > most[j] ? x[j] : most[j];
            mean[j] += static_cast<double>(x[j]);
        }
    }
    for (std::size_t j = 0; j < rows.features; ++j) {
        low[j] = static_cast<double>(least[j]);
        high[j] = static_cast<double>(most[j]);
        mean[j] /= static_cast<double>(count);
    }
}

}  // namespace

QuantizedRows::QuantizedRows(const RowsView& rows, const double* w)
    : examples_(rows.examples), rows_(examples_ * code_stride(rows.features)) {
    view_.stride = code_stride(rows.features);
    low_.assign(view_.stride, 0.0);
    width_.assign(view_.stride, 0.0);
    per_width_.assign(view_.stride, 0.0);
    centre_.assign(view_.stride, 0.0f);
    reference_.assign(view_.stride, 0.0f);
    std::vector<double> high(view_.stride, 0.0), mean(view_.stride, 0.0);
    if (rows.storage == Storage::dense32)
        find_ranges<float>(rows, low_, high, mean);
    else
        find_ranges<double>(rows, low_, high, mean);
    double low_squares = 0, width_squares = 0;
    for (std::size_t j = 0; j < rows.features; ++j) {
        // A feature that is constant in the sample may be a rare flag.
        const double range = high[j] > low_[j] ? high[j] - low_[j] : 1.0;
        width_[j] = range / 254;
        per_width_[j] = 254 / range;
        // Zeros are frequent: they get a code of their own, without a residual.
        if (low_[j] <= 0 && high[j] >= 0) low_[j] = -std::round(-low_[j] * per_width_[j]) * width_[j];
        low_squares += low_[j] * low_[j];
        width_squares += width_[j] * width_[j];
        view_.widest = std::max(view_.widest, width_[j]);
        const double middle = std::round((mean[j] - low_[j]) * per_width_[j]);
        centre_[j] = middle >= 0 && middle <= 255 ? static_cast<float>(middle) : 0;  // any value is valid
        view_.centre_total += centre_[j];
    }
    if (w) set_reference(w, rows.features);
    view_.rows = rows_.data();
    view_.low = low_.data();
    view_.width = width_.data();
    view_.per_width = per_width_.data();
    view_.centre = centre_.data();
    view_.reference = reference_.data();
    view_.low_length = std::sqrt(low_squares) * 1.0001;
    view_.width_length = std::sqrt(width_squares) * 1.0001;
}

QuantizedView QuantizedRows::view() {
    const std::lock_guard lock(mutex_);
    return view_;
}

void QuantizedRows::set_reference(const double* w, std::size_t features) {
    double squares = 0;
    for (std::size_t j = 0; j < features; ++j) squares += (w[j] * width_[j]) * (w[j] * width_[j]);
    const double length = std::sqrt(squares);
    if (!(length > 0 && std::isfinite(length))) return;
    for (std::size_t j = 0; j < features; ++j) {
        reference_[j] = static_cast<float>(w[j] * width_[j] / length);
        view_.reference_squared += static_cast<double>(reference_[j]) * static_cast<double>(reference_[j]);
    }
}

QuantizedRows::Part QuantizedRows::take(std::size_t most) {
    const std::lock_guard lock(mutex_);
    const std::size_t begin = taken_;
    taken_ = std::min(examples_, taken_ + most);
    return {begin, taken_};
}

void QuantizedRows::wrote(const Part& part, double longest) {
    const std::lock_guard lock(mutex_);
    if (!(longest <= view_.longest)) view_.longest = longest;  // NaN stays
    written_ += part.end - part.begin;
    if (written_ == examples_) written_all_.notify_all();
}

double QuantizedRows::wait() {
    std::unique_lock lock(mutex_);
    written_all_.wait(lock, [&] { return written_ == examples_; });
    return view_.longest;
}

QuantizedState::QuantizedState(std::shared_ptr<QuantizedRows> rows, std::size_t features, std::size_t planes)
    : rows_(std::move(rows)), view_(rows_->view()) {
    const std::size_t padded = padded_to_block(planes);
    rounded_.assign(view_.stride * padded, 0);
    bounds_.assign(7 * padded, 0.0);
    positives_.assign(padded, 0);
    undecided_.resize(planes);
    // Weights of 16 bits; and 255 times their sum, each half a unit more by rounding, must fit into 31.
    const auto count = static_cast<double>(features);
    view_.finest = std::max(1.0 / 32767, std::sqrt(count) * 255 / (2147480000.0 - 255 * kHalf * count));
    view_.lost = std::sqrt(count) * kHalf;
    double* const bounds = bounds_.data();
    view_.planes = {rounded_.data(),     bounds,
                    bounds + padded,     bounds + 2 * padded,
                    bounds + 3 * padded, bounds + 4 * padded,
                    bounds + 5 * padded, bounds + 6 * padded,
                    positives_.data()};
    view_.undecided = undecided_.data();
}

void QuantizedState::set_mistake_rate(double mistakes_per_example) {
    view_.block = mistakes_per_example * kLargestBlock < 0.25 ? kLargestBlock : kSmallestBlock;
}

std::uint64_t QuantizedState::take_read() {
    const std::uint64_t read = view_.read;
    view_.read = 0;
    return read;
}

}  // namespace rosenblatt
