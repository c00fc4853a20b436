// The stretch of online_pass.hpp on the same path: a row that its scores in single precision prove correct is skipped
// (float32_view.hpp); every other one is scored in double precision.
#pragma once

#include "accelerate/float32/float32_view.hpp"
#include "passes/online_pass.hpp"
#include "rows/float32_tile.hpp"

#if defined(__GNUC__)

namespace rosenblatt::ROSENBLATT_ISA {

// Rounds the weights of problem c and computes the bound on the error of their scores.
inline void narrow_plane(const Float32View& view, const Weights& weights, std::size_t c, std::size_t features) {
    const double* w = weights.data + c * weights.stride;
    float* const to = view.w + c * float32_width(features);
    Register sums{};
    std::size_t j = 0;
    for (; j + kWidth <= features; j += kWidth) {
        const Register values = load(w + j);
        const FloatRegister narrow = narrowed(values);
        std::memcpy(to + j, &narrow, sizeof narrow);
        sums += values * values;
    }
    double squared = total(sums);
    for (; j < features; ++j) {
        to[j] = static_cast<float>(w[j]);
        squared += w[j] * w[j];
    }
    const double offset = weights.offsets[c], size = offset < 0 ? -offset : offset;
    const auto count = static_cast<double>(features);
    const bool bounded = squared <= kFloat32Largest * kFloat32Largest && size <= kFloat32Largest;
    const Float32Error error = float32_error(__builtin_sqrt(squared), size, count, __builtin_sqrt(count));
    Float32Plane& plane = view.planes[c];
    plane.offset = bounded ? static_cast<float>(offset) : 0.0F;
    plane.per_norm = bounded ? static_cast<float>(error.per_norm) : __builtin_inff();
    plane.at_least = bounded ? static_cast<float>(error.at_least) : __builtin_inff();
}

// The rows that are presented together: with their scores in single precision for all problems.
template <class Value>
class Float32Rows {
   public:
    Float32Rows(const DenseRows<Value>& rows, const Float32View& view, std::size_t planes)
        : rows_(rows), view_(view), planes_(planes), width_(float32_width(rows.features())),
          scores_(view.scratch + kFloat32Rows * width_) {}

    // Scores the rows `members` for all problems; the rows `later` are prefetched.
    ROSENBLATT_INLINE void score(const std::size_t (&members)[kFloat32Rows], const std::size_t (&later)[kFloat32Rows],
                                 const std::int32_t* labels) {
        for (std::size_t r = 0; r < kFloat32Rows; ++r) {
            const std::size_t i = members[r];
            x_[r] = narrow_row(rows_.row(i), rows_.features(), view_.scratch + r * width_);
            labels_[r] = labels[i];
            later_[r] = rows_.row(later[r]);
            ROSENBLATT_PREFETCH(labels + later[r]);
        }
        FloatByRow squares;
        score_block(planes_, x_, later_, view_.w, width_, scores_, squares);
        for (std::size_t r = 0; r < kFloat32Rows; ++r) norm_[r] = __builtin_sqrtf(squares[r]);
        any_ = IntegerByRow{};
        for (std::size_t c = 0; c < planes_; ++c) decide(c);
    }

    // Scores the same rows again for problem c, whose weights have changed.
    ROSENBLATT_INLINE void score_again(std::size_t c) {
        FloatByRow unused;
        score_tile<1, false>(x_, later_, view_.w + c * width_, width_, scores_ + c * kFloat32Rows, unused);
        decide(c);
    }

    // Whether a problem leaves row r undecided.
    bool any(std::size_t r) const { return any_[r] != 0; }
    bool undecided(std::size_t r, std::size_t c) const { return view_.undecided[c * kFloat32Rows + r] != 0; }

    bool any_of(std::size_t count) const {
        bool found = false;
        for (std::size_t r = 0; r < count; ++r) found |= any(r);
        return found;
    }

   private:
    ROSENBLATT_INLINE void decide(std::size_t c) {
        const Float32Plane& plane = view_.planes[c];
        const FloatByRow score = read<FloatByRow>(scores_ + c * kFloat32Rows) + plane.offset;
        const FloatByRow agreement = labels_ == plane.positive ? score : -score;
        const IntegerByRow undecided = ~(agreement - (norm_ * plane.per_norm + plane.at_least) > view_.margin);
        std::memcpy(view_.undecided + c * kFloat32Rows, &undecided, sizeof undecided);
        any_ |= undecided;
    }

    const DenseRows<Value>& rows_;
    const Float32View& view_;
    std::size_t planes_;
    std::size_t width_;
    float* scores_;
    const float* x_[kFloat32Rows] = {};
    const Value* later_[kFloat32Rows] = {};
    IntegerByRow labels_{};
    FloatByRow norm_{};
    IntegerByRow any_{};
};

// The row at position k, or the last row from the end on.
ROSENBLATT_INLINE std::size_t row_at(const Presentation& at, std::uint64_t k) {
    const std::uint64_t position = k < at.end ? k : at.end - 1;
    return at.order ? at.order[position] : position;
}

template <class Value>
std::uint64_t float32_pass(const DenseRows<Value>& rows, const Examples& examples, const Presentation& at, const Rule& rule,
                           const Planes& planes, Problem* problems, double* scores, Float32View& view) {
    const bool at_once = planes.changes.data == planes.weights.data;  // false in batch mode
    for (std::size_t c = 0; c < planes.count; ++c) {
        view.planes[c].positive = problems[c].positive;
        narrow_plane(view, planes.weights, c, rows.features());
    }
    Float32Rows<Value> block(rows, view, planes.count);
    std::size_t count = 0;
    for (std::uint64_t k = at.begin; k < at.end; k += count) {
        count = at.end - k < kFloat32Rows ? at.end - k : kFloat32Rows;
        // Where fewer rows are left, the last one takes the places of the others, and its scores there are not read.
        std::size_t members[kFloat32Rows], later[kFloat32Rows];
        for (std::size_t r = 0; r < kFloat32Rows; ++r) {
            members[r] = row_at(at, k + r);
            later[r] = row_at(at, k + kFloat32Ahead + r);
        }
        block.score(members, later, examples.labels);
        if (!examples.weights && !block.any_of(count)) continue;
        for (std::size_t r = 0; r < count; ++r) {
            const std::size_t i = members[r];
            const Moment moment = moment_of(examples, at, k + r, i);
            if (!block.any(r)) continue;
            bool limit_reached = false;
            for (std::size_t c = 0; c < planes.count; ++c) {
                if (!block.undecided(r, c)) continue;
                view.read += 1;
                rows.scores(i, planes.weights, c, c + 1, scores);
                const Verdict verdict = present_example(rows, examples, at, rule, planes, problems, c, i, scores[c], moment);
                if (verdict == Verdict::not_finite) return k + r + 1;
                if (verdict == Verdict::correct) continue;
                limit_reached |= problems[c].mistakes >= problems[c].max_updates;
                if (!at_once) continue;
                narrow_plane(view, planes.weights, c, rows.features());
                if (r + 1 < count) block.score_again(c);
            }
            if (limit_reached) return k + r + 1;
        }
    }
    return at.end;
}

}  // namespace rosenblatt::ROSENBLATT_ISA

#endif
