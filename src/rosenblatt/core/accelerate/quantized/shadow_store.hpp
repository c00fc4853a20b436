// Owns coarse rows, which several runs over the same examples may read, and what each of them has beside.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "accelerate/quantized/shadow.hpp"
#include "rows/views.hpp"
#include "util/buffer.hpp"

namespace rosenblatt {

class CoarseRows {
   public:
    // `w` has the weights of the plane, if they are for one run with one plane; else it is null.
    CoarseRows(const RowsView& rows, const double* w);

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
    Shadow view();

   private:
    void set_guide(const double* w, std::size_t features);

    std::size_t examples_;
    Buffer<std::uint8_t> rows_;
    std::vector<double> low_;
    std::vector<double> width_;
    std::vector<double> per_width_;
    std::vector<float> centre_;
    std::vector<float> guide_;
    std::vector<std::uint8_t> middle_;
    Shadow view_{};

    std::mutex mutex_;
    std::condition_variable written_all_;
    std::size_t taken_ = 0;
    std::size_t written_ = 0;
};

// For the runs of one fit, whose examples and labels are the same.
class CoarseShare {
   public:
    // Those that some run has begun to write, or new ones.
    std::shared_ptr<CoarseRows> rows(const RowsView& rows) {
        const std::lock_guard lock(mutex_);
        if (!rows_) rows_ = std::make_shared<CoarseRows>(rows, nullptr);
        return rows_;
    }

   private:
    std::mutex mutex_;
    std::shared_ptr<CoarseRows> rows_;
};

// The shadow of one run.
class ShadowStore {
   public:
    ShadowStore(std::shared_ptr<CoarseRows> rows, std::size_t examples, std::size_t features, std::size_t planes);

    Shadow* view() { return &view_; }
    CoarseRows& rows() { return *rows_; }

    // Where mistakes are rare, a pass looks far ahead.
    void expect(double mistakes_an_example);

    // How many times examples were read in full since the last call.
    std::uint64_t take_read();

   private:
    std::shared_ptr<CoarseRows> rows_;
    Buffer<std::uint8_t> fine_;  // memory is taken as rows are written
    std::vector<std::uint32_t> fine_place_;
    std::vector<std::int16_t> rounded_;
    std::vector<double> bounds_;
    std::vector<std::int32_t> positives_;
    std::vector<Doubts> doubts_;
    Shadow view_;
};

}  // namespace rosenblatt
