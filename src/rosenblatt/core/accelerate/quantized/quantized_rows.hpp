// Owns quantized rows, which several runs over the same examples may share, and the state of one run.
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
    // `w` has the weights that give the reference direction; null where several problems or runs use the rows.
    QuantizedRows(const RowsView& rows, const double* w);

    // All runs that share the rows encode them together: each takes a part, encodes it and reports it. When no part is left,
    // `wait` blocks until the other runs have reported theirs.
    struct Part {
        std::size_t begin;
        std::size_t end;
    };
    Part take(std::size_t most);
    void wrote(const Part& part, double longest);
    // Returns a bound on the length of every row.
    double wait();

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
    QuantizedView view_{};

    std::mutex mutex_;
    std::condition_variable written_all_;
    std::size_t taken_ = 0;
    std::size_t written_ = 0;
};

// Shared by the runs of one fit, whose examples and labels are the same.
class SharedQuantizedRows {
   public:
    // `pairs`: of an example and a problem, over all runs of the fit.
    explicit SharedQuantizedRows(double pairs) : pairs_(pairs) {}

    double pairs() const { return pairs_; }

    // The rows that some run has begun to encode, or new ones.
    std::shared_ptr<QuantizedRows> rows(const RowsView& rows) {
        const std::lock_guard lock(mutex_);
        if (!rows_) rows_ = std::make_shared<QuantizedRows>(rows, nullptr);
        return rows_;
    }

   private:
    double pairs_;
    std::mutex mutex_;
    std::shared_ptr<QuantizedRows> rows_;
};

// The state of one run.
class QuantizedState {
   public:
    QuantizedState(std::shared_ptr<QuantizedRows> rows, std::size_t features, std::size_t planes);

    QuantizedView* view() { return &view_; }
    QuantizedRows& rows() { return *rows_; }

    // Sets the block size: where mistakes are rare, the pass scores far ahead.
    void set_mistake_rate(double mistakes_per_example);

    // Rows read in full since the last call.
    std::uint64_t take_read();

   private:
    std::shared_ptr<QuantizedRows> rows_;
    std::vector<std::int16_t> rounded_;
    std::vector<double> bounds_;
    std::vector<std::int32_t> positives_;
    std::vector<std::uint32_t> undecided_;
    QuantizedView view_;
};

}  // namespace rosenblatt
