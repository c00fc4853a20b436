// Owns the weights and offsets of the running problems, in the layout that the storage of the rows needs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "rows/views.hpp"
#include "util/aligned_memory.hpp"

namespace rosenblatt {

class WeightStore {
   public:
    WeightStore(Storage storage, std::size_t planes, std::size_t features)
        : problem_major_(is_dense(storage)), planes_(planes), features_(features) {
        allocate();
    }

    // A store of the same shape, all zero.
    WeightStore empty_copy() const { return WeightStore(*this, planes_); }

    Weights view() { return {data_.data(), stride_, problem_major_, offsets_.data()}; }

    void set(std::size_t c, const double* w, double offset) {
        offsets_[c] = offset;
        const Weights weights = view();
        if (double* contiguous = weights.vector(c))
            std::copy_n(w, features_, contiguous);
        else
            for (std::size_t j = 0; j < features_; ++j) weights.at(c, j) = w[j];
        if (!problem_major_ || !has_tail(features_)) return;
        double* tail = tail_of(data_.data() + c * stride_, features_);
        for (std::size_t l = tail_begin(features_); l < kLanes; ++l) tail[l] = w[features_ - kLanes + l];
    }

    void get(std::size_t c, double* w) const {
        if (problem_major_ || stride_ == 1)
            std::copy_n(data_.data() + c * stride_, features_, w);
        else
            for (std::size_t j = 0; j < features_; ++j) w[j] = data_[j * stride_ + c];
    }

    double offset(std::size_t c) const { return offsets_[c]; }

    // Keeps only these planes, in this order.
    void keep(const std::vector<std::size_t>& kept) {
        WeightStore rest(*this, kept.size());
        std::vector<double> w(features_);
        for (std::size_t to = 0; to < kept.size(); ++to) {
            get(kept[to], w.data());
            rest.set(to, w.data(), offsets_[kept[to]]);
        }
        *this = std::move(rest);
    }

    std::size_t planes() const { return planes_; }

    // Adds the other store, of the same shape, and sets it to zero.
    void take(WeightStore& other) {
        for (std::size_t k = 0; k < data_.size(); ++k) data_[k] += other.data_[k];
        for (std::size_t c = 0; c < planes_; ++c) offsets_[c] += other.offsets_[c];
        other.allocate();
    }

   private:
    WeightStore(const WeightStore& like, std::size_t planes)
        : problem_major_(like.problem_major_), planes_(planes), features_(like.features_) {
        allocate();
    }

    void allocate() {
        offsets_.assign(planes_, 0.0);
        if (problem_major_) {
            stride_ = with_tail(features_);
            data_.assign(stride_ * planes_, 0.0);
        } else {
            stride_ = planes_ == 1 ? 1 : padded_to_block(planes_);
            data_.assign(stride_ * features_, 0.0);
        }
    }

    bool problem_major_;
    std::size_t planes_;
    std::size_t features_;
    std::size_t stride_ = 0;
    std::vector<double> offsets_;
    std::vector<double, Aligned<double>> data_;
};

}  // namespace rosenblatt
