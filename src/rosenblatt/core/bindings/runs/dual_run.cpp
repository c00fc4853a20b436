#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/runs/history.hpp"
#include "bindings/runs/names.hpp"
#include "bindings/runs/plan.hpp"
#include "runs/dual/dual_run.hpp"

namespace rosenblatt {

using namespace nb::literals;

namespace {

const char* name_of(DualPause pause) {
    constexpr const char* names[] = {"slice", "epoch", "question", "window", "done"};
    return names[static_cast<std::size_t>(pause)];
}

const char* name_of(Question question) {
    constexpr const char* names[] = {"scores", "grid", "stall"};
    return names[static_cast<std::size_t>(question)];
}

// A DualRun together with the arrays that it reads.
class PyDualRun {
   public:
    PyDualRun(Vector<std::int32_t> labels, const Plan& plan, const std::vector<std::int32_t>& positives,
              std::optional<Vector<double>> steps, std::optional<Vector<double>> weights, bool external_scores,
              bool external_coef)
        : labels_(labels), steps_(steps), weights_(weights) {
        const std::size_t count = labels.shape(0);
        if (count == 0 || count > 0xFFFFFFFFu) throw std::invalid_argument("there must be 1 to 2^32 - 1 examples");
        if ((steps && steps->shape(0) != count) || (weights && weights->shape(0) != count))
            throw std::invalid_argument("labels, steps and weights must have one entry per example");
        check_plan(plan, positives, labels.data(), count);
        if (plan.rule.step != Step::constant || plan.rule.margin != 0)
            throw std::invalid_argument("a dual run has constant steps and no margin");
        if (external_scores && plan.order == Order::misclassified)
            throw std::invalid_argument("order=misclassified needs the scores of all examples, not external_scores");
        if (external_coef && (!external_scores || (positives.size() != 1 && !plan.joint)))
            throw std::invalid_argument("external_coef needs external_scores and a single problem");
        run_ = std::make_unique<DualRun>(DualExamples{count, labels.data(), steps ? steps->data() : nullptr,
                                                      weights ? weights->data() : nullptr},
                                         plan, positives, external_scores, external_coef);
    }

    DualRun& run() { return *run_; }

    const char* advance(Matrix gram, std::uint64_t work, bool pause_at_epoch) {
        if (gram.shape(0) != run_->examples() || gram.shape(1) != run_->examples())
            throw std::invalid_argument("the Gram matrix does not fit the examples");
        nb::gil_scoped_release release;
        return name_of(run_->advance(gram.data(), work, pause_at_epoch));
    }

    const char* seek(bool pause_at_epoch) {
        nb::gil_scoped_release release;
        return name_of(run_->seek(pause_at_epoch));
    }

    nb::object open_window(std::size_t limit) {
        const std::vector<std::uint32_t>& window = run_->open_window(limit);
        window_ = window.size();
        return numpy_array(window);
    }

    void present_window(Matrix gram) {
        if (gram.shape(0) != window_ || gram.shape(1) != window_)
            throw std::invalid_argument("the kernel values do not fit the window");
        nb::gil_scoped_release release;
        run_->present_window(gram.data());
    }

    std::size_t window() const { return window_; }

   private:
    Vector<std::int32_t> labels_;
    std::optional<Vector<double>> steps_;
    std::optional<Vector<double>> weights_;
    std::unique_ptr<DualRun> run_;
    std::size_t window_ = 0;
};

// An array of the run's own memory, writable, which keeps the run alive.
nb::object view_of(nb::handle self, double* data, std::size_t rows, std::size_t columns) {
    return nb::cast(nb::ndarray<nb::numpy, double>(data, {rows, columns}, self));
}

}  // namespace

void bind_dual(nb::module_& m) {
    nb::class_<PyDualRun>(m, "DualRun", "A run of the dual perceptron, on a whole Gram matrix or window by window.")
        .def(nb::init<Vector<std::int32_t>, const Plan&, const std::vector<std::int32_t>&, std::optional<Vector<double>>,
                      std::optional<Vector<double>>, bool, bool>(),
             nb::kw_only(), "labels"_a, "plan"_a, "positives"_a, "steps"_a.none() = nb::none(),
             "weights"_a.none() = nb::none(), "external_scores"_a = false, "external_coef"_a = false)
        .def("advance", &PyDualRun::advance, "gram"_a, "work"_a, "pause_at_epoch"_a)
        .def("seek", &PyDualRun::seek, "pause_at_epoch"_a)
        .def("open_window", &PyDualRun::open_window, "limit"_a)
        .def("present_window", &PyDualRun::present_window, "gram"_a)
        .def("present_to_mistake", [](PyDualRun& self) { return self.run().present_to_mistake(); })
        .def("close_window", [](PyDualRun& self) { self.run().close_window(); })
        .def("changes",
             [](PyDualRun& self) {
                 const std::size_t count = self.run().changed().size();
                 return nb::make_tuple(numpy_array(self.run().changed()),
                                       numpy_array(self.run().changes(), {count, self.run().planes()}));
             })
        .def_prop_ro("window_scores",
                     [](nb::handle self) {
                         auto& dual = nb::cast<PyDualRun&>(self);
                         return view_of(self, dual.run().window_scores(), dual.run().planes(), dual.window());
                     })
        .def_prop_ro("scores",
                     [](nb::handle self) {
                         DualRun& run = nb::cast<PyDualRun&>(self).run();
                         return view_of(self, run.scores().data(), run.planes(), run.examples());
                     })
        .def("question", [](PyDualRun& self) { return nb::make_tuple(name_of(self.run().question()), self.run().question_problem()); })
        .def("answer_scores", [](PyDualRun& self) { self.run().answer_scores(); })
        .def("answer_grid", [](PyDualRun& self, int low, double largest) { self.run().answer_grid({low, largest}); },
             "low"_a, "largest"_a)
        .def("answer_stall",
             [](PyDualRun& self, bool go_on, const std::string& otherwise) {
                 self.run().answer_stall(go_on, ending_named(otherwise));
             },
             "go_on"_a, "otherwise"_a)
        .def("end_all", [](PyDualRun& self, const std::string& ending) { self.run().end_all(ending_named(ending)); }, "ending"_a)
        .def("outcome", [](PyDualRun& self, std::size_t problem) { return self.run().outcome(problem); }, "problem"_a)
        .def_prop_ro("done", [](PyDualRun& self) { return self.run().done(); })
        .def_prop_ro("rivals", [](PyDualRun& self) { return self.run().rivals(); })
        .def_prop_ro("epochs", [](PyDualRun& self) { return self.run().epochs(); })
        .def_prop_ro("presented", [](PyDualRun& self) { return self.run().presented(); })
        .def_prop_ro("not_finite", [](PyDualRun& self) { return self.run().not_finite(); })
        .def_prop_ro("latest", [](PyDualRun& self) { return as_tuple(self.run().history().last()); })
        .def("history", [](PyDualRun& self) { return table_of(self.run().history()); })
        .def("updates", [](PyDualRun& self) { return arrays_of(self.run().updates()); })
        .def("clocks", [](PyDualRun& self) { return numpy_array(self.run().clocks()); })
        .def("coef",
             [](PyDualRun& self) {
                 return numpy_array(self.run().coef(), {self.run().planes(), self.run().examples()});
             })
        .def("offsets", [](PyDualRun& self) { return numpy_array(self.run().offsets()); })
        .def("average_coef",
             [](PyDualRun& self) {
                 return numpy_array(self.run().average_coef(), {self.run().planes(), self.run().examples()});
             })
        .def("average_offsets", [](PyDualRun& self) { return numpy_array(self.run().average_offsets()); });
}

}  // namespace rosenblatt
