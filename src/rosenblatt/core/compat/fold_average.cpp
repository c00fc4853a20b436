#include <algorithm>
#include <vector>

#include "compat/compat.hpp"

namespace rosenblatt {

namespace {

template <class Value>
void fold(void (*axpy)(int*, Value*, Value*, int*, Value*, int*), std::size_t features, CompatProblem& problem) {
    const double* w = problem.weights.data;
    std::vector<Value> x(w, w + features);
    std::vector<Value> y(problem.average, problem.average + features);
    int n = static_cast<int>(features);
    int step = 1;
    auto a = static_cast<Value>(problem.average_a);
    axpy(&n, &a, x.data(), &step, y.data(), &step);
    const auto factor = static_cast<Value>(1.0 / problem.average_b);
    std::transform(y.begin(), y.end(), problem.average, [factor](Value value) { return factor * value; });
}

}  // namespace

void fold_average(const CompatRule& rule, bool narrow, std::size_t features, CompatProblem& problem) {
    if (narrow)
        fold<float>(rule.axpy.float32, features, problem);
    else
        fold<double>(rule.axpy.float64, features, problem);
    problem.average_a = 0;
    problem.average_b = 1;
}

}  // namespace rosenblatt
