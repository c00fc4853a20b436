// Owns coarse rows, which several runs over the same examples may read, and what each of them has orthogonal.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "accelerate/quantized/quantized_view.hpp"
#include "rows/views.hpp"
#include "util/buffer.hpp"

namespace rosenblatt {

class QuantizedRows {
   public:
    // `w` has the weights of the plane, if they are for one run with one plane; else it is null.
    QuantizedRows(const RowsView& rows, const double* w);

    // Rows are written by kernels, in the order of the examples, by all runs that want them: each takes some, writes them
    // and says so. Where none are left to take, it waits for what the others have taken; nobody keeps that for long.
    struct Part {
        std::size_t begin;
        std::size_t end;
    };
    Part take(std::size_t most);
    void wrote(const Part& part, double longest);
    // The length that no row exceeds.
    double wait();

    // What a run needs of them.
    QuantizedView view();

   private:
    void set_reference(const double* w, std::size_t features);

    std::size_t examples_;
    Buffer<std::uint8_t> rows_;
    std::vector<double> low_;
    std::vector<double> width_;
    std::vector<double> per_width_;
    std::vector<float> centre_;
    std::vector<float> reference_;
    std::vector<std::uint8_t> middle_;
    QuantizedView view_{};

    std::mutex mutex_;
    std::condition_variable written_all_;
    std::size_t taken_ = 0;
    std::size_t written_ = 0;
};

// For the runs of one fit, whose examples and labels are the same.
class SharedQuantizedRows {
   public:
    // Those that some run has begun to write, or new ones.
    std::shared_ptr<QuantizedRows> rows(const RowsView& rows) {
        const std::lock_guard lock(mutex_);
        if (!rows_) rows_ = std::make_shared<QuantizedRows>(rows, nullptr);
        return rows_;
    }

   private:
    std::mutex mutex_;
    std::shared_ptr<QuantizedRows> rows_;
};

// The view of one run.
class QuantizedState {
   public:
    QuantizedState(std::shared_ptr<QuantizedRows> rows, std::size_t examples, std::size_t features, std::size_t planes,
                   bool with_residuals);

    QuantizedView* view() { return &view_; }
    QuantizedRows& rows() { return *rows_; }

    // Where mistakes are rare, a pass looks far ahead.
    void set_mistake_rate(double mistakes_per_example);

    // How many times examples were read in full since the last call.
    std::uint64_t take_read();

   private:
    std::shared_ptr<QuantizedRows> rows_;
    Buffer<std::uint8_t> residuals_;  // memory is taken as rows are written
    std::vector<std::uint32_t> residual_index_;
    std::vector<std::int16_t> rounded_;
    std::vector<double> bounds_;
    std::vector<std::int32_t> positives_;
    std::vector<Undecided> undecided_;
    QuantizedView view_;
};

}  // namespace rosenblatt
