// The point of least norm in the convex hull of z_1, ..., z_m: the widest separator of all half-spaces {z: w.z > 0}, or,
// where that point is the origin, a proof that there is none (Gordan). Solved as the non-negative least squares problem
//   minimise |sum_i lambda_i (z_i, 1) - (0, 1)|^2,  lambda >= 0
// (Lawson and Hanson 1974, ch. 23; Wolfe 1976): with p = sum lambda_i z_i and s = 1 - sum lambda_i, the optimum has
// z_i.p >= s for all i, with equality where lambda_i > 0, and s = 0 exactly where the origin lies in the hull. The points in
// use stay affinely independent, so they are at most dim + 1.
//
// Floating point, so a guess: whoever asks must prove what it says. The columns in use are kept as a QR factorisation,
// orthogonalised twice, which does not square the condition number as a Gram matrix would.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rows/weight_store.hpp"

namespace rosenblatt {

class MinNorm {
   public:
    enum class Pause : std::uint8_t {
        slice,    // the work given is used up
        optimal,  // z_i.p >= (1 - slack) s for every point
        zero,     // s is as small as rounding allows to see
        stuck,    // rounding forbids any further step
    };

    explicit MinNorm(std::size_t dim);

    // Points in rows of `dim` values, best of norm about one. The state stays; the new points may improve it.
    void add(const double* rows, std::size_t count);

    // Goes on for about `work` touched values.
    Pause solve(double slack, std::uint64_t work);

    // Starts anew from these points; those that depend on earlier ones are left out.
    void start_from(const std::vector<std::size_t>& members);

    std::size_t dim() const { return dim_; }
    std::size_t size() const { return points_.size() / dim_; }
    std::uint64_t work_done() const { return work_done_; }
    double gap() const { return gap_; }
    const std::vector<std::size_t>& members() const { return members_; }
    const std::vector<double>& multipliers() const { return lambda_; }
    const std::vector<double>& point() const { return p_; }

   private:
    const double* row(std::size_t i) const { return points_.data() + i * dim_; }
    double& r(std::size_t i, std::size_t j) { return r_[j * (dim_ + 1) + i]; }
    double* q(std::size_t j) { return q_.data() + j * (dim_ + 1); }

    double gain(std::size_t i) const;
    void find_candidates(double threshold);
    bool step_with(std::size_t i);
    bool append(std::size_t i);
    void remove(std::size_t column);
    void least_squares();
    void retreat();
    void refresh();

    std::size_t dim_;
    std::vector<double> points_;
    std::vector<char> in_use_;
    std::vector<std::size_t> members_;
    std::vector<double> lambda_;
    std::vector<double> mu_;  // of the unconstrained problem on the members
    std::vector<double> q_;
    std::vector<double> r_;
    std::vector<double> p_;
    double gap_ = 1;  // s
    std::vector<std::size_t> candidates_;
    std::vector<std::size_t> refused_;
    WeightStore weights_;
    std::uint64_t work_done_ = 0;
};

}  // namespace rosenblatt
