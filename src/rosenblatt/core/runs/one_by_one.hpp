// Learning from single examples; features and classes are added as they appear.
//
// An example is a list of (slot, value). Each class has a plane against all others. One more plane, for unseen classes, has
// learned every example as a negative one. A new class starts as a copy of it, so that all planes are those of a run that
// knew the classes from the start. If the classes are declared in advance, there is no such plane, and two classes share
// one plane.
//
// Scores are summed as CSR rows sum theirs (rows.hpp), in the order in which the example gives its entries.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "passes/rule.hpp"

namespace rosenblatt {

struct SlotValue {
    std::size_t slot;
    double value;
};

class OneByOne {
   public:
    static constexpr std::ptrdiff_t kUnseenClass = -1;  // class of the plane for unseen classes

    struct Plane {
        std::ptrdiff_t label;
        double offset = 0;
        double delayed_offset = 0;
        std::uint64_t mistakes = 0;
    };

    OneByOne(const Rule& rule, bool average) : rule_(rule), average_(average) {}

    std::size_t features() const { return features_; }
    std::size_t planes() const { return planes_.size(); }
    Plane& plane(std::size_t p) { return planes_[p]; }
    const Plane& plane(std::size_t p) const { return planes_[p]; }
    double clock() const { return static_cast<double>(seen_); }
    std::uint64_t seen() const { return seen_; }
    void start_at(std::uint64_t seen) { seen_ = seen; }

    void grow(std::size_t features) {
        features_ = features;
        w_.resize(features * stride_);
        if (average_) delayed_.resize(features * stride_);
    }

    // A new plane for a class: zeros, or a copy of plane `like`.
    void add_plane(std::ptrdiff_t label, std::ptrdiff_t like) {
        if (planes_.size() == stride_) restride(2 * stride_);
        const std::size_t p = planes_.size();
        planes_.push_back(like < 0 ? Plane{label} : planes_[static_cast<std::size_t>(like)]);
        planes_[p].label = label;
        for (std::size_t j = 0; like >= 0 && j < features_; ++j) {
            w_[j * stride_ + p] = w_[j * stride_ + static_cast<std::size_t>(like)];
            if (average_) delayed_[j * stride_ + p] = delayed_[j * stride_ + static_cast<std::size_t>(like)];
        }
    }

    double& w(std::size_t p, std::size_t j) { return w_[j * stride_ + p]; }
    double& delayed(std::size_t p, std::size_t j) { return delayed_[j * stride_ + p]; }

    // The published weight j of plane p: with averaging, the mean over all examples seen.
    double mean(std::size_t p, std::size_t j) const { return mean(w_[j * stride_ + p], delayed_[j * stride_ + p]); }
    double mean_offset(std::size_t p) const { return mean(planes_[p].offset, planes_[p].delayed_offset); }

    // Returns false, without an update, if a score or a weight is not finite.
    bool learn(const std::vector<SlotValue>& x, std::ptrdiff_t label) {
        score(x, [this](std::size_t p, std::size_t j) { return w_[j * stride_ + p]; });
        double squared = rule_.fit_intercept ? 1 : 0;
        if (rule_.step != Step::constant) {
            double sum = 0;
            for (const SlotValue& entry : x) sum += entry.value * entry.value;
            squared += sum;
        }
        for (std::size_t p = 0; p < planes_.size(); ++p)
            if (!std::isfinite(scores_[p] + planes_[p].offset)) return false;
        for (std::size_t p = 0; p < planes_.size(); ++p) {
            Plane& plane = planes_[p];
            const bool positive = plane.label == label;
            const double s = scores_[p] + plane.offset;
            const double agreement = positive ? s : -s;
            if (!rule_.is_mistake(agreement, positive)) continue;
            const double size = rule_.scale(rule_.eta0, agreement, squared);
            update(x, plane, p, positive ? size : -size);
        }
        ++seen_;
        return true;
    }

    // The scores of all planes with the published weights.
    const std::vector<double>& published(const std::vector<SlotValue>& x) {
        if (average_ && seen_ > 0) {
            score(x, [this](std::size_t p, std::size_t j) { return mean(p, j); });
            for (std::size_t p = 0; p < planes_.size(); ++p) scores_[p] += mean_offset(p);
        } else {
            score(x, [this](std::size_t p, std::size_t j) { return w_[j * stride_ + p]; });
            for (std::size_t p = 0; p < planes_.size(); ++p) scores_[p] += planes_[p].offset;
        }
        return scores_;
    }

   private:
    double mean(double weight, double delayed) const {
        if (seen_ == 0) return weight;
        const double total = clock();
        return (total * weight - delayed) / total;
    }

    template <class Weight>
    void score(const std::vector<SlotValue>& x, Weight weight) {
        const std::size_t count = planes_.size();
        lanes_.assign(4 * count, 0.0);
        for (std::size_t k = 0; k < x.size(); ++k) {
            double* lane = lanes_.data() + (k % 4) * count;
            if (x[k].slot >= features_) continue;  // an unknown feature
            for (std::size_t p = 0; p < count; ++p) lane[p] += x[k].value * weight(p, x[k].slot);
        }
        scores_.resize(count);
        for (std::size_t p = 0; p < count; ++p)
            scores_[p] = (lanes_[p] + lanes_[2 * count + p]) + (lanes_[count + p] + lanes_[3 * count + p]);
    }

    void update(const std::vector<SlotValue>& x, Plane& plane, std::size_t p, double scale) {
        for (const SlotValue& entry : x) w_[entry.slot * stride_ + p] += scale * entry.value;
        if (rule_.fit_intercept) plane.offset += scale;
        plane.mistakes += 1;
        if (!average_) return;
        const double delayed = scale * clock();
        for (const SlotValue& entry : x) delayed_[entry.slot * stride_ + p] += delayed * entry.value;
        if (rule_.fit_intercept) plane.delayed_offset += delayed;
    }

    void restride(std::size_t stride) {
        for (std::vector<double>* store : {&w_, &delayed_}) {
            if (store->empty()) continue;
            std::vector<double> wider(features_ * stride);
            for (std::size_t j = 0; j < features_; ++j)
                std::copy_n(store->data() + j * stride_, planes_.size(), wider.data() + j * stride);
            *store = std::move(wider);
        }
        stride_ = stride;
    }

    Rule rule_;
    bool average_;
    std::size_t features_ = 0;
    std::size_t stride_ = 4;  // capacity in planes
    std::uint64_t seen_ = 0;
    std::vector<Plane> planes_;
    std::vector<double> w_;
    std::vector<double> delayed_;
    std::vector<double> lanes_;
    std::vector<double> scores_;
};

}  // namespace rosenblatt
