#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bindings/enumerator.hpp"
#include "bindings/rows.hpp"
#include "compat/compat_run.hpp"

namespace rosenblatt {

using namespace nb::literals;

namespace {

constexpr const char* kPenalties[] = {"none", "l1", "l2", "elasticnet"};
constexpr const char* kLosses[] = {"hinge", "squared_hinge", "epsilon_insensitive"};
constexpr const char* kRates[] = {"constant", "optimal", "invscaling", "adaptive", "pa1", "pa2"};

CompatPlan make_plan(const std::string& loss, const std::string& rate, const std::optional<std::string>& penalty) {
    CompatPlan plan;
    plan.loss = enumerator<Loss>(kLosses, "loss", loss);
    plan.rate = enumerator<Rate>(kRates, "learning rate", rate);
    plan.penalty = enumerator<Penalty>(kPenalties, "penalty", penalty.value_or("none"));
    return plan;
}

const char* name_of(CompatEnding ending) {
    constexpr const char* names[] = {"running", "separated", "early_stopped", "stalled", "max_iter", "not_finite"};
    return names[static_cast<std::size_t>(ending)];
}

const char* name_of(CompatPause pause) {
    constexpr const char* names[] = {"slice", "epoch", "done"};
    return names[static_cast<std::size_t>(pause)];
}

// A CompatRun together with the arrays that it reads.
class PyCompatRun {
   public:
    PyCompatRun(const Rows& rows, double largest, std::optional<Vector<std::int32_t>> labels,
                std::optional<Vector<double>> targets, std::optional<Vector<double>> sample_weight,
                std::optional<Vector<bool>> held_back, Vector<std::int32_t> positives, Matrix class_weights, Matrix start,
                Vector<double> start_offsets, Matrix start_norms, std::optional<Matrix> averages,
                Vector<double> average_offsets, double t, std::uint32_t seed, CompatPlan plan)
        : rows_(rows), labels_(labels), targets_(targets), sample_weight_(sample_weight), held_back_(held_back) {
        const RowsView& view = rows_.view();
        const std::size_t problems = positives.shape(0);
        const auto one_each = [&](const auto& values) { return !values || values->shape(0) == view.examples; };
        if (labels.has_value() == targets.has_value() || !one_each(labels) || !one_each(targets) ||
            !one_each(sample_weight) || !one_each(held_back))
            throw std::invalid_argument("labels or targets, weights and held_back must have one entry per example");
        const auto fits = [&](const Matrix& m, std::size_t columns) {
            return m.shape(0) == problems && m.shape(1) == columns;
        };
        if (!fits(start, view.features) || !fits(class_weights, 2) || !fits(start_norms, 2) ||
            start_offsets.shape(0) != problems || average_offsets.shape(0) != problems ||
            (averages && !fits(*averages, view.features)))
            throw std::invalid_argument("the start does not fit the problems");
        if (averages.has_value() != (plan.average > 0) || (averages && !(plan.axpy.float64 && plan.axpy.float32)))
            throw std::invalid_argument("averages need a start and both functions axpy");
        if (view.examples == 0) throw std::invalid_argument("there is no example to present");
        plan.seed = seed;

        std::vector<CompatStart> starts;
        for (std::size_t c = 0; c < problems; ++c)
            starts.push_back({positives.data()[c], class_weights.data()[2 * c], class_weights.data()[2 * c + 1],
                              start_offsets.data()[c], start_norms.data()[2 * c], start_norms.data()[2 * c + 1],
                              average_offsets.data()[c]});
        const CompatExamples examples{view,
                                      labels_ ? labels_->data() : nullptr,
                                      targets_ ? targets_->data() : nullptr,
                                      sample_weight_ ? sample_weight_->data() : nullptr,
                                      held_back_ ? reinterpret_cast<const std::uint8_t*>(held_back_->data()) : nullptr,
                                      largest};
        run_ = std::make_unique<CompatRun>(examples, plan, starts, start.data(),
                                           averages ? averages->data() : nullptr, t);
    }

    const char* advance(std::uint64_t work, bool pause_at_epoch) {
        nb::gil_scoped_release release;
        return name_of(run_->advance(work, pause_at_epoch));
    }

    nb::object w(std::size_t c) const {
        std::vector<double> values(rows_.view().features);
        run_->weights(checked(c), values.data());
        return numpy_array(std::move(values));
    }

    nb::object average(std::size_t c) const { return numpy_array(run_->average(checked(c))); }

    CompatRun& run() { return *run_; }

    std::size_t checked(std::size_t c) const {
        if (c >= run_->problems()) throw std::out_of_range("there is no such problem");
        return c;
    }

   private:
    Rows rows_;
    std::optional<Vector<std::int32_t>> labels_;
    std::optional<Vector<double>> targets_;
    std::optional<Vector<double>> sample_weight_;
    std::optional<Vector<bool>> held_back_;
    std::unique_ptr<CompatRun> run_;
};

}  // namespace

void bind_compat(nb::module_& m) {
    const auto of_problem = [](auto get) {
        return [get](PyCompatRun& self, std::size_t c) { return get(self.run(), self.checked(c)); };
    };
    nb::class_<CompatPlan>(m, "CompatPlan", "The rule and the limits of a CompatRun.")
        .def(
            "__init__",
            [](CompatPlan* self, const std::string& loss, const std::string& rate,
               const std::optional<std::string>& penalty) { new (self) CompatPlan(make_plan(loss, rate, penalty)); },
            nb::kw_only(), "loss"_a, "rate"_a, "penalty"_a.none())
        .def_rw("threshold", &CompatPlan::threshold)
        .def_rw("eta0", &CompatPlan::eta0)
        .def_rw("power_t", &CompatPlan::power_t)
        .def_rw("optimal_init", &CompatPlan::optimal_init)
        .def_rw("average", &CompatPlan::average)
        .def_rw("alpha", &CompatPlan::alpha)
        .def_rw("l1_ratio", &CompatPlan::l1_ratio)
        .def_rw("fit_intercept", &CompatPlan::fit_intercept)
        .def_rw("intercept_decay", &CompatPlan::intercept_decay)
        .def_rw("needs_objective", &CompatPlan::needs_objective)
        .def_rw("penalty_in_objective", &CompatPlan::penalty_in_objective)
        .def_rw("shuffle", &CompatPlan::shuffle)
        .def_rw("early_stopping", &CompatPlan::early_stopping)
        .def_rw("max_iter", &CompatPlan::max_iter)
        .def_rw("tol", &CompatPlan::tol)
        .def_rw("examples_of_objective", &CompatPlan::examples_of_objective)
        .def_rw("n_iter_no_change", &CompatPlan::n_iter_no_change)
        .def(
            "set_axpy",
            [](CompatPlan& self, const nb::capsule& float64, const nb::capsule& float32) {
                self.axpy.float64 = reinterpret_cast<decltype(Axpy::float64)>(float64.data());
                self.axpy.float32 = reinterpret_cast<decltype(Axpy::float32)>(float32.data());
            },
            "float64"_a, "float32"_a, "The functions daxpy and saxpy of SciPy's cython_blas.");
    nb::class_<PyCompatRun>(m, "CompatRun", "A run of scikit-learn's stochastic gradient descent that advances in slices.")
        .def(nb::init<const Rows&, double, std::optional<Vector<std::int32_t>>, std::optional<Vector<double>>,
                      std::optional<Vector<double>>, std::optional<Vector<bool>>, Vector<std::int32_t>, Matrix, Matrix,
                      Vector<double>, Matrix, std::optional<Matrix>, Vector<double>, double, std::uint32_t, CompatPlan>(),
             nb::kw_only(), "rows"_a, "largest"_a, "labels"_a.none(), "targets"_a.none(), "sample_weight"_a.none(),
             "held_back"_a.none(), "positives"_a, "class_weights"_a, "start"_a, "start_offsets"_a, "start_norms"_a,
             "averages"_a.none(), "average_offsets"_a, "t"_a, "seed"_a, "plan"_a)
        .def("advance", &PyCompatRun::advance, "work"_a, "pause_at_epoch"_a)
        .def(
            "set_score", [](PyCompatRun& self, std::size_t c, double score) { self.run().set_score(self.checked(c), score); },
            "problem"_a, "score"_a)
        .def("ending", of_problem([](CompatRun& run, std::size_t c) { return name_of(run.ending(c)); }), "problem"_a)
        .def("epochs", of_problem([](CompatRun& run, std::size_t c) { return run.epochs(c); }), "problem"_a)
        .def("mistakes", of_problem([](CompatRun& run, std::size_t c) { return run.problem(c).mistakes; }), "problem"_a)
        .def("epoch_mistakes", of_problem([](CompatRun& run, std::size_t c) { return run.problem(c).epoch_mistakes; }),
             "problem"_a)
        .def("epoch_objective",
             of_problem([](CompatRun& run, std::size_t c) { return run.problem(c).epoch_objective; }), "problem"_a)
        .def("offset", of_problem([](CompatRun& run, std::size_t c) { return run.problem(c).weights.offsets[0]; }),
             "problem"_a)
        .def("w", &PyCompatRun::w, "problem"_a)
        .def("average_offset", of_problem([](CompatRun& run, std::size_t c) { return run.problem(c).average_offset; }),
             "problem"_a)
        .def("average", &PyCompatRun::average, "problem"_a);
}

}  // namespace rosenblatt
