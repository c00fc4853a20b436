#include "theory/min_norm.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "simd/kernels.hpp"

namespace rosenblatt {

namespace {

// Below this, s = |p|^2 is rounding. A column whose new component is below kDependent depends on the others.
constexpr double kZeroGap = 1e-27;
constexpr double kDependent = 1e-11;
constexpr double kNoGain = 4e-16;
// One pass over all points serves several steps: its best candidates are tried before the next pass.
constexpr std::size_t kCandidates = 48;

double dot(const double* a, const double* b, std::size_t n) {
    double lanes[4] = {};
    std::size_t j = 0;
    for (; j + 4 <= n; j += 4)
        for (std::size_t l = 0; l < 4; ++l) lanes[l] += a[j + l] * b[j + l];
    for (; j < n; ++j) lanes[0] += a[j] * b[j];
    return (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
}

// sqrt(a^2 + b^2) without overflow. Not std::hypot, whose last bit depends on the C library.
double length_of(double a, double b) {
    const double larger = std::max(std::fabs(a), std::fabs(b)), smaller = std::min(std::fabs(a), std::fabs(b));
    const double ratio = smaller / larger;
    return larger * std::sqrt(1 + ratio * ratio);
}

}  // namespace

MinNorm::MinNorm(std::size_t dim) : dim_(dim), p_(dim), weights_(Storage::dense64, 1, dim) {}

void MinNorm::add(const double* rows, std::size_t count) {
    for (std::size_t begin = 0; begin < count;) {
        const std::size_t used = (size() + begin) % kBlockRows;
        if (used == 0) blocks_.emplace_back();
        const std::size_t taken = std::min(count - begin, kBlockRows - used);
        blocks_.back().insert(blocks_.back().end(), rows + begin * dim_, rows + (begin + taken) * dim_);
        begin += taken;
    }
    in_use_.resize(size() + count);
    candidates_.clear();
    refused_.clear();
}

// The possible decrease by point i: r.(z_i, 1) for the residual r = (-p, s).
double MinNorm::gain(std::size_t i) const { return gap_ - dot(row(i), p_.data(), dim_); }

void MinNorm::find_candidates(double threshold) {
    const std::size_t count = size();
    std::vector<double> minus_p(dim_), out(count), scratch(score_room(1));
    for (std::size_t j = 0; j < dim_; ++j) minus_p[j] = -p_[j];
    weights_.set(0, minus_p.data(), gap_);
    for (std::size_t begin = 0; begin < count; begin += kBlockRows) {
        const std::size_t rows = std::min(kBlockRows, count - begin);
        const RowsView view{Storage::dense64, rows, dim_, row(begin), static_cast<std::ptrdiff_t>(dim_), nullptr, nullptr};
        kernels().scores(view, 0, rows, weights_.view(), 1, scratch.data(), out.data() + begin);
    }
    work_done_ += count * (dim_ + 32);
    for (const std::size_t i : refused_) out[i] = -1;
    candidates_.clear();
    for (std::size_t i = 0; i < count; ++i)
        if (out[i] > threshold && !in_use_[i]) candidates_.push_back(i);
    const std::size_t keep = std::min(kCandidates, candidates_.size());
    std::partial_sort(candidates_.begin(), candidates_.begin() + static_cast<std::ptrdiff_t>(keep), candidates_.end(),
                      [&](std::size_t a, std::size_t b) { return out[a] != out[b] ? out[a] > out[b] : a < b; });
    candidates_.resize(keep);
}

MinNorm::Pause MinNorm::solve(double slack, std::uint64_t work) {
    const std::uint64_t end = work_done_ + work;
    while (true) {
        if (gap_ < kZeroGap) return Pause::zero;
        if (work_done_ >= end) return Pause::slice;
        const double threshold = std::max(kNoGain, slack * gap_);
        double best = threshold;
        std::size_t chosen = candidates_.size();
        for (std::size_t c = 0; c < candidates_.size(); ++c) {
            const double g = gain(candidates_[c]);
            if (g > best) {
                best = g;
                chosen = c;
            }
        }
        work_done_ += candidates_.size() * dim_;
        if (chosen == candidates_.size()) {
            find_candidates(threshold);
            if (candidates_.empty()) return refused_.empty() ? Pause::optimal : Pause::stuck;
            chosen = 0;
        }
        const std::size_t i = candidates_[chosen];
        candidates_.erase(candidates_.begin() + static_cast<std::ptrdiff_t>(chosen));
        if (step_with(i))
            refused_.clear();
        else
            refused_.push_back(i);
    }
}

// Adds point i to the set and moves to the optimum of the new set. False if rounding prevents a gain.
bool MinNorm::step_with(std::size_t i) {
    if (!append(i)) return false;
    least_squares();
    if (mu_.back() <= 0) {
        remove(members_.size() - 1);
        return false;
    }
    const double before = gap_;
    retreat();
    refresh();
    return gap_ < before || !in_use_[i];
}

// Moves from lambda towards mu until a multiplier reaches zero, removes its point, and repeats until mu is reached.
void MinNorm::retreat() {
    while (true) {
        double share = 1;
        std::size_t first = members_.size();
        for (std::size_t k = 0; k < members_.size(); ++k) {
            if (mu_[k] > 0) continue;
            const double reach = lambda_[k] / (lambda_[k] - mu_[k]);
            if (reach < share || first == members_.size()) {
                share = std::min(share, reach);
                first = k;
            }
        }
        if (first == members_.size()) break;
        for (std::size_t k = 0; k < members_.size(); ++k) lambda_[k] += share * (mu_[k] - lambda_[k]);
        lambda_[first] = 0;
        for (std::size_t k = members_.size(); k-- > 0;)
            if (lambda_[k] <= 0) remove(k);
        if (members_.empty()) break;
        least_squares();
    }
    lambda_ = mu_;
    lambda_.resize(members_.size());
}

bool MinNorm::append(std::size_t i) {
    const std::size_t k = members_.size();
    if (k == dim_ + 1) return false;
    q_.resize((k + 1) * (dim_ + 1));
    r_.resize((k + 1) * (dim_ + 1));
    double* column = q(k);
    std::copy_n(row(i), dim_, column);
    column[dim_] = 1;
    const double norm = std::sqrt(dot(column, column, dim_ + 1));
    std::fill_n(&r(0, k), dim_ + 1, 0.0);
    for (int pass = 0; pass < 2; ++pass)
        for (std::size_t j = 0; j < k; ++j) {
            const double part = dot(q(j), column, dim_ + 1);
            r(j, k) += part;
            for (std::size_t l = 0; l <= dim_; ++l) column[l] -= part * q(j)[l];
        }
    work_done_ += 4 * (k + 1) * (dim_ + 1);
    const double left = std::sqrt(dot(column, column, dim_ + 1));
    if (!(left > kDependent * norm)) return false;
    for (std::size_t l = 0; l <= dim_; ++l) column[l] /= left;
    r(k, k) = left;
    members_.push_back(i);
    lambda_.push_back(0);
    in_use_[i] = 1;
    return true;
}

// Later columns move up; rotations make R triangular again.
void MinNorm::remove(std::size_t column) {
    in_use_[members_[column]] = 0;
    const std::size_t last = members_.size() - 1;
    members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(column));
    lambda_.erase(lambda_.begin() + static_cast<std::ptrdiff_t>(column));
    for (std::size_t j = column; j < last; ++j) {
        std::copy_n(&r(0, j + 1), j + 2, &r(0, j));
        const double a = r(j, j), b = r(j + 1, j), norm = length_of(a, b);
        const double cosine = a / norm, sine = b / norm;
        // Columns j + 2, ... are still one place to the right and are rotated there.
        for (std::size_t c = j + 2; c <= last; ++c) {
            const double upper = r(j, c), lower = r(j + 1, c);
            r(j, c) = cosine * upper + sine * lower;
            r(j + 1, c) = cosine * lower - sine * upper;
        }
        r(j, j) = norm;
        r(j + 1, j) = 0;
        double *first = q(j), *second = q(j + 1);
        for (std::size_t l = 0; l <= dim_; ++l) {
            const double upper = first[l], lower = second[l];
            first[l] = cosine * upper + sine * lower;
            second[l] = cosine * lower - sine * upper;
        }
    }
    work_done_ += 6 * (last - column + 1) * (dim_ + 1);
}

// mu: R mu = Q'(0, 1).
void MinNorm::least_squares() {
    const std::size_t k = members_.size();
    mu_.resize(k);
    for (std::size_t j = 0; j < k; ++j) mu_[j] = q(j)[dim_];
    for (std::size_t j = k; j-- > 0;) {
        mu_[j] /= r(j, j);
        const double value = mu_[j];
        for (std::size_t i = 0; i < j; ++i) mu_[i] -= value * r(i, j);
    }
    work_done_ += k * k / 2;
}

// s = |p|^2 + s^2 at the best multipliers of any set of points; the right side loses no digits where s is small.
void MinNorm::refresh() {
    std::fill(p_.begin(), p_.end(), 0.0);
    double s = 1;
    for (std::size_t k = 0; k < members_.size(); ++k) {
        const double* z = row(members_[k]);
        for (std::size_t j = 0; j < dim_; ++j) p_[j] += lambda_[k] * z[j];
        s -= lambda_[k];
    }
    gap_ = dot(p_.data(), p_.data(), dim_) + s * s;
    work_done_ += members_.size() * dim_;
}

}  // namespace rosenblatt
