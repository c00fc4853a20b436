#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bindings/rows.hpp"
#include "compat/compat_run.hpp"

namespace rosenblatt {

using namespace nb::literals;

namespace {

Penalty penalty_named(const std::optional<std::string>& name) {
    if (!name) return Penalty::none;
    if (*name == "l1") return Penalty::l1;
    if (*name == "l2") return Penalty::l2;
    if (*name == "elasticnet") return Penalty::elasticnet;
    throw std::invalid_argument("unknown penalty: " + *name);
}

double l1_share(Penalty penalty, double l1_ratio) {
    return penalty == Penalty::l1 ? 1.0 : penalty == Penalty::l2 ? 0.0 : l1_ratio;
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
    PyCompatRun(const Rows& rows, double largest, Vector<std::int32_t> labels,
                std::optional<Vector<double>> sample_weight, std::optional<Vector<bool>> held_back,
                Vector<std::int32_t> positives, Matrix class_weights, Matrix start, Vector<double> start_offsets,
                Matrix start_norms, double eta0, const std::optional<std::string>& penalty, double alpha,
                double l1_ratio, bool fit_intercept, double intercept_decay, bool wants_objective,
                bool penalty_in_objective, bool shuffle, std::uint32_t seed, bool early_stopping,
                std::uint64_t max_iter, double tol, double examples_of_objective, std::uint64_t n_iter_no_change)
        : rows_(rows), labels_(labels), sample_weight_(sample_weight), held_back_(held_back) {
        const RowsView& view = rows_.view();
        const std::size_t problems = positives.shape(0);
        if (labels.shape(0) != view.examples || (sample_weight && sample_weight->shape(0) != view.examples) ||
            (held_back && held_back->shape(0) != view.examples))
            throw std::invalid_argument("there must be one label, one weight and one mark an example");
        if (start.shape(0) != problems || start.shape(1) != view.features || start_offsets.shape(0) != problems ||
            class_weights.shape(0) != problems || class_weights.shape(1) != 2 || start_norms.shape(0) != problems ||
            start_norms.shape(1) != 2)
            throw std::invalid_argument("the start does not fit the problems");
        if (view.examples == 0) throw std::invalid_argument("there is no example to present");

        CompatPlan plan;
        const Penalty kind = penalty_named(penalty);
        plan.rule = {eta0, kind, alpha, l1_share(kind, l1_ratio), fit_intercept, intercept_decay, wants_objective,
                     penalty_in_objective};
        plan.shuffle = shuffle;
        plan.seed = seed;
        plan.early_stopping = early_stopping;
        plan.max_iter = max_iter;
        plan.tol = tol;
        plan.examples_of_objective = examples_of_objective;
        plan.n_iter_no_change = n_iter_no_change;

        std::vector<CompatStart> starts;
        for (std::size_t c = 0; c < problems; ++c)
            starts.push_back({positives.data()[c], class_weights.data()[2 * c], class_weights.data()[2 * c + 1],
                              start_offsets.data()[c], start_norms.data()[2 * c], start_norms.data()[2 * c + 1]});
        const CompatExamples examples{view, labels_.data(), sample_weight_ ? sample_weight_->data() : nullptr,
                                      held_back_ ? reinterpret_cast<const std::uint8_t*>(held_back_->data()) : nullptr,
                                      largest};
        run_ = std::make_unique<CompatRun>(examples, plan, starts, start.data());
    }

    const char* advance(std::uint64_t work, bool pause_at_epoch) {
        nb::gil_scoped_release release;
        return name_of(run_->advance(work, pause_at_epoch));
    }

    nb::object w(std::size_t c) const {
        std::vector<double> values(rows_.view().features);
        run_->weights(checked(c), values.data());
        const std::size_t count = values.size();
        return numpy_array(std::move(values), {count});
    }

    CompatRun& run() { return *run_; }

    std::size_t checked(std::size_t c) const {
        if (c >= run_->problems()) throw std::out_of_range("there is no such problem");
        return c;
    }

   private:
    Rows rows_;
    Vector<std::int32_t> labels_;
    std::optional<Vector<double>> sample_weight_;
    std::optional<Vector<bool>> held_back_;
    std::unique_ptr<CompatRun> run_;
};

}  // namespace

void bind_compat(nb::module_& m) {
    const auto of_problem = [](auto get) {
        return [get](PyCompatRun& self, std::size_t c) { return get(self.run(), self.checked(c)); };
    };
    nb::class_<PyCompatRun>(m, "CompatRun", "A run of scikit-learn's perceptron that advances in slices.")
        .def(nb::init<const Rows&, double, Vector<std::int32_t>, std::optional<Vector<double>>,
                      std::optional<Vector<bool>>, Vector<std::int32_t>, Matrix, Matrix, Vector<double>, Matrix, double,
                      const std::optional<std::string>&, double, double, bool, double, bool, bool, bool, std::uint32_t,
                      bool, std::uint64_t, double, double, std::uint64_t>(),
             nb::kw_only(), "rows"_a, "largest"_a, "labels"_a, "sample_weight"_a.none(), "held_back"_a.none(),
             "positives"_a, "class_weights"_a, "start"_a, "start_offsets"_a, "start_norms"_a, "eta0"_a,
             "penalty"_a.none(), "alpha"_a, "l1_ratio"_a, "fit_intercept"_a, "intercept_decay"_a, "wants_objective"_a,
             "penalty_in_objective"_a, "shuffle"_a, "seed"_a, "early_stopping"_a, "max_iter"_a, "tol"_a,
             "examples_of_objective"_a, "n_iter_no_change"_a)
        .def("advance", &PyCompatRun::advance, "work"_a, "pause_at_epoch"_a)
        .def(
            "judge", [](PyCompatRun& self, std::size_t c, double score) { self.run().judge(self.checked(c), score); },
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
        .def("w", &PyCompatRun::w, "problem"_a);
}

}  // namespace rosenblatt
