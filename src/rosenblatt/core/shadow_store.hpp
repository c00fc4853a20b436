// Owns a shadow, and says when one is worth its memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "buffer.hpp"
#include "shadow.hpp"
#include "views.hpp"

namespace rosenblatt {

class ShadowStore {
   public:
    // `w` has the weights of the plane, if there is one only; else it is null.
    ShadowStore(const RowsView& rows, std::size_t planes, const double* w);

    Shadow* view() { return &view_; }

    // Rows are written by a kernel, in the order of the examples.
    std::size_t written() const { return written_; }
    void wrote_until(std::size_t example) { written_ = example; }

    // Where mistakes are rare, a pass looks far ahead.
    void expect(double mistakes_an_example);

    // How many times examples were read in full since the last call.
    std::uint64_t take_read();

   private:
    void set_guide(const double* w, std::size_t features);

    Buffer<std::uint8_t> rows_;
    Buffer<std::uint8_t> fine_;  // memory is taken as rows are written
    std::vector<double> low_;
    std::vector<double> width_;
    std::vector<double> per_width_;
    std::vector<float> centre_;
    std::vector<float> guide_;
    std::vector<std::uint8_t> middle_;
    std::vector<std::int16_t> rounded_;
    std::vector<double> bounds_;
    std::vector<std::int32_t> positives_;
    std::vector<Doubts> doubts_;
    std::size_t written_ = 0;
    Shadow view_{};
};

}  // namespace rosenblatt
