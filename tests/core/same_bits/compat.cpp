// scikit-learn's stochastic gradient descent. invscaling is tried with an exponent of one only: with others, as in
// scikit-learn, the step is computed by the C library's pow, whose last bit may differ between systems. Averages are folded by
// the functions below instead of SciPy's BLAS, for the same reason.
#include <cmath>

#include "battery.hpp"
#include "compat/compat_run.hpp"

namespace rosenblatt::same_bits {

namespace {

template <class Value>
void axpy(int* n, Value* a, Value* x, int*, Value* y, int*) {
    for (int k = 0; k < *n; ++k) y[k] += *a * x[k];
}

constexpr const char* kLosses[] = {"hinge", "squared_hinge", "epsilon_insensitive"};
constexpr const char* kRates[] = {"constant", "optimal", "invscaling", "adaptive", "pa1", "pa2"};

void add_run(const Data& data, const CompatPlan& plan, bool weighted, Digest& digest) {
    const RowsView rows = data.view();
    const bool regresses = plan.loss == Loss::epsilon_insensitive;
    std::vector<double> targets, weights;
    for (std::size_t i = 0; i < rows.examples; ++i) {
        targets.push_back(static_cast<double>(data.labels()[i]) + static_cast<double>(i % 4) / 4);
        weights.push_back(0.5 + static_cast<double>(i % 3) / 4);
    }
    double largest = 0;
    for (const double value : data.values()) largest = std::fmax(largest, std::fabs(value));
    const std::vector<double> start(2 * rows.features), averages(2 * rows.features);
    CompatRun run({rows, regresses ? nullptr : data.labels().data(), regresses ? targets.data() : nullptr,
                   weighted ? weights.data() : nullptr, nullptr, largest},
                  plan, {{0, 1, 1, 0, 0, 0, 0}, {1, 1.5, 0.75, 0, 0, 0, 0}}, start.data(),
                  plan.average ? averages.data() : nullptr, 1);
    while (run.advance(std::uint64_t{1} << 40, false) != CompatPause::done) {
    }
    std::vector<double> w(rows.features);
    for (std::size_t c = 0; c < run.problems(); ++c) {
        const CompatProblem& problem = run.problem(c);
        run.weights(c, w.data());
        digest.add(run.ending(c));
        digest.add(run.epochs(c));
        digest.add(problem.mistakes);
        for (const double value : {problem.weights.offsets[0], problem.scale, problem.t, problem.eta, problem.average_offset,
                                   problem.epoch_objective, problem.sq_norm, problem.l1_norm})
            digest.add(value);
        digest.add(w);
        if (plan.average) digest.add(run.average(c));
    }
}

}  // namespace

void report_compat_runs() {
    for (const Storage storage : {Storage::dense32, Storage::dense64, Storage::csr32_i32, Storage::csr64_i32})
        for (std::size_t loss = 0; loss < std::size(kLosses); ++loss)
            for (std::size_t rate = 0; rate < std::size(kRates); ++rate) {
                Digest digest;
                const Data data(Kind::decimals, storage, 90, 21, 3, true, 9);
                for (const Penalty penalty : {Penalty::none, Penalty::l1, Penalty::l2, Penalty::elasticnet})
                    for (const std::uint64_t average : {0, 20}) {
                        if (is_passive(static_cast<Rate>(rate)) && (penalty != Penalty::none || average)) continue;
                        CompatPlan plan;
                        plan.loss = static_cast<Loss>(loss);
                        plan.threshold = loss == 2 ? 0.1 : 1;
                        plan.rate = static_cast<Rate>(rate);
                        plan.eta0 = 0.05;
                        plan.power_t = 1;
                        plan.optimal_init = 40;
                        plan.average = average;
                        plan.axpy = {axpy<double>, axpy<float>};
                        plan.penalty = penalty;
                        plan.alpha = 0.003;
                        plan.l1_ratio = penalty == Penalty::l1 ? 1 : penalty == Penalty::elasticnet ? 0.15 : 0;
                        plan.intercept_decay = is_dense(storage) ? 1 : 0.01;
                        plan.needs_objective = true;
                        plan.shuffle = penalty != Penalty::l2;
                        plan.seed = 12345;
                        plan.max_iter = 12;
                        plan.tol = 1e-3;
                        plan.n_iter_no_change = 3;
                        plan.examples_of_objective = 90;
                        add_run(data, plan, penalty == Penalty::l1, digest);
                    }
                report("compat/" + named(storage) + "/" + kLosses[loss] + "/" + kRates[rate], digest);
            }
}

}  // namespace rosenblatt::same_bits
