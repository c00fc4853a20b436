// The point of least norm in the convex hull of z_1, ..., z_m. It is the separator w with the largest margin in w.z > 0; if it
// is the origin, there is no separator (Gordan). Solved as the non-negative least squares problem
//   minimise |sum_i lambda_i (z_i, 1) - (0, 1)|^2,  lambda >= 0
// (Lawson and Hanson 1974, ch. 23; Wolfe 1976): with p = sum lambda_i z_i and s = 1 - sum lambda_i, the optimum has
// z_i.p >= s for all i, with equality where lambda_i > 0, and s = 0 exactly where the origin lies in the hull. The points in
// use stay affinely independent, so they are at most dim + 1.
//
// The result is floating-point, and the caller must prove it. The columns in use are kept as a QR factorisation with
// reorthogonalisation, which does not square the condition number as a Gram matrix would.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rows/weight_store.hpp"

namespace rosenblatt {

class MinNorm {
   public:
    enum class Pause : std::uint8_t {
        slice,    // the given work is done
        optimal,  // z_i.p >= (1 - slack) s for every point
        zero,     // s is zero up to rounding
        stuck,    // rounding prevents any further step
    };

    explicit MinNorm(std::size_t dim);

    // Adds points, rows of `dim` values, preferably of norm about one. The present solution is kept and can improve.
    void add(const double* rows, std::size_t count);

    // Runs for about `work` touched values.
    Pause solve(double slack, std::uint64_t work);

    std::size_t dim() const { return dim_; }
    std::size_t size() const { return in_use_.size(); }
    std::uint64_t work_done() const { return work_done_; }
    double gap() const { return gap_; }
    const std::vector<std::size_t>& members() const { return members_; }
    const std::vector<double>& multipliers() const { return lambda_; }
    const std::vector<double>& point() const { return p_; }

   private:
    static constexpr std::size_t kBlockRows = 512;

    const double* row(std::size_t i) const { return blocks_[i / kBlockRows].data() + i % kBlockRows * dim_; }
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
    std::vector<std::vector<double>> blocks_;  // of kBlockRows points each: adding points never copies all of them
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
