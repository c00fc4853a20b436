#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bindings/runs/history.hpp"
#include "bindings/runs/names.hpp"
#include "bindings/runs/plan.hpp"
#include "bindings/rows.hpp"
#include "runs/online/online_run.hpp"

namespace rosenblatt {

using namespace nb::literals;

namespace {

// Shared ownership: a run may outlive the Python object.
struct PySharedCopies {
    explicit PySharedCopies(double pairs) : held(std::make_shared<SharedQuantizedRows>(pairs)) {}

    std::shared_ptr<SharedQuantizedRows> held;
};

// An OnlineRun together with the arrays that it reads.
class PyOnlineRun {
   public:
    PyOnlineRun(const Rows& rows, Vector<std::int32_t> labels, const Plan& plan,
                const std::vector<std::int32_t>& positives, Matrix start, Vector<double> start_offsets,
                std::optional<Vector<double>> steps, std::optional<Vector<double>> weights,
                std::optional<Vector<std::uint32_t>> chosen)
        : rows_(rows), labels_(labels), steps_(steps), weights_(weights), planes_(positives.size()) {
        const RowsView& view = rows.view();
        if (labels.shape(0) != view.examples || (steps && steps->shape(0) != view.examples) ||
            (weights && weights->shape(0) != view.examples))
            throw std::invalid_argument("labels, steps and weights must have one entry per example");
        if (start.shape(0) != planes_ || start.shape(1) != view.features || start_offsets.shape(0) != planes_)
            throw std::invalid_argument("the start does not fit the problems");
        check_plan(plan, positives, labels.data(), view.examples);
        std::vector<std::uint32_t> members;
        if (chosen) members.assign(chosen->data(), chosen->data() + chosen->shape(0));
        for (const std::uint32_t i : members)
            if (i >= view.examples) throw std::invalid_argument("a chosen example does not exist");
        if ((chosen ? members.size() : view.examples) == 0) throw std::invalid_argument("there is no example to present");
        run_ = std::make_unique<OnlineRun>(Examples{view, labels.data(), steps ? steps->data() : nullptr,
                                                    weights ? weights->data() : nullptr},
                                           chosen ? &members : nullptr, plan, positives, start.data(),
                                           start_offsets.data());
    }

    const char* advance(std::uint64_t work, bool pause_at_epoch) {
        nb::gil_scoped_release release;
        return name_of(run_->advance(work, pause_at_epoch));
    }

    void go_on_from(std::uint64_t presented, double clock, std::vector<std::uint64_t> mistakes,
                    std::vector<std::uint64_t> last_changes, std::optional<Matrix> delayed,
                    std::optional<Vector<double>> delayed_offsets) {
        if (mistakes.size() != run_->problems() || last_changes.size() != run_->problems())
            throw std::invalid_argument("mistakes and last_changes must have one entry per problem");
        if (delayed.has_value() != delayed_offsets.has_value() ||
            (delayed && (delayed->shape(0) != planes_ || delayed->shape(1) != rows_.view().features ||
                         delayed_offsets->shape(0) != planes_)))
            throw std::invalid_argument("the delayed sums do not fit the problems");
        run_->go_on_from({presented, clock, std::move(mistakes), std::move(last_changes),
                          delayed ? delayed->data() : nullptr, delayed ? delayed_offsets->data() : nullptr});
    }

    OnlineRun& run() { return *run_; }

    nb::object scales() const { return run_->scales().empty() ? nb::none() : numpy_array(run_->scales()); }

   private:
    Rows rows_;
    Vector<std::int32_t> labels_;
    std::optional<Vector<double>> steps_;
    std::optional<Vector<double>> weights_;
    std::size_t planes_;
    std::unique_ptr<OnlineRun> run_;
};

}  // namespace

void bind_online(nb::module_& m) {
    nb::class_<Snapshot>(m, "Snapshot", "Weights: one row and one offset per plane.")
        .def_prop_ro("offsets", [](const Snapshot& state) { return numpy_array(state.offsets); })
        .def_prop_ro("w", [](nb::handle_t<Snapshot> self) {  // a view, because the weights may be large
            const auto& state = nb::cast<const Snapshot&>(self);
            const std::size_t planes = state.offsets.size();
            return nb::ndarray<nb::numpy, const double>(state.w.data(), {planes, planes ? state.w.size() / planes : 0},
                                                        self);
        });

    nb::class_<Outcome>(m, "Outcome", "The state of a running problem, or the outcome of an ended one.")
        .def_prop_ro("ending", [](const Outcome& outcome) { return name_of(outcome.ending); })
        .def_ro("epochs", &Outcome::epochs)
        .def_ro("mistakes", &Outcome::mistakes)
        .def_ro("presented", &Outcome::presented)
        .def_ro("clock", &Outcome::clock)
        .def_ro("period", &Outcome::period)
        .def_ro("validated", &Outcome::validated)
        .def_ro("pocket_run", &Outcome::pocket_run)
        .def_ro("pocket_errors", &Outcome::pocket_errors)
        .def_ro("scored", &Outcome::scored)
        .def_ro("epoch_errors", &Outcome::epoch_errors)
        .def_ro("epoch_loss", &Outcome::epoch_loss)
        .def_ro("last_change", &Outcome::last_change)
        .def_ro("delayed", &Outcome::delayed)
        .def_prop_ro("accelerators",
                     [](const Outcome& outcome) {
                         nb::list uses;
                         for (const AcceleratorUse& use : outcome.accelerators)
                             uses.append(nb::make_tuple(use.name, use.epochs));
                         return uses;
                     })
        .def_ro("last", &Outcome::last)
        .def_ro("average", &Outcome::average)
        .def_ro("pocket", &Outcome::pocket);

    nb::class_<PySharedCopies>(m, "SharedCopies").def(nb::init<double>(), "pairs"_a);
    nb::class_<PyOnlineRun>(m, "OnlineRun", "A run of the online perceptron that advances in slices.")
        .def(nb::init<const Rows&, Vector<std::int32_t>, const Plan&, const std::vector<std::int32_t>&, Matrix,
                      Vector<double>, std::optional<Vector<double>>, std::optional<Vector<double>>,
                      std::optional<Vector<std::uint32_t>>>(),
             nb::kw_only(), "rows"_a, "labels"_a, "plan"_a, "positives"_a, "start"_a, "start_offsets"_a,
             "steps"_a.none() = nb::none(), "weights"_a.none() = nb::none(), "chosen"_a.none() = nb::none())
        .def("go_on_from", &PyOnlineRun::go_on_from, nb::kw_only(), "presented"_a, "clock"_a, "mistakes"_a,
             "last_changes"_a, "delayed"_a.none() = nb::none(), "delayed_offsets"_a.none() = nb::none())
        .def("advance", &PyOnlineRun::advance, "work"_a, "pause_at_epoch"_a)
        .def("question", [](PyOnlineRun& self) { return self.run().question(); })
        .def(
            "answer",
            [](PyOnlineRun& self, bool go_on, const std::string& otherwise) {
                self.run().answer(go_on, ending_named(otherwise));
            },
            "go_on"_a, "otherwise"_a)
        .def("limit_copies", [](PyOnlineRun& self, std::size_t bytes) { self.run().limit_copies(bytes); },
             "bytes"_a)
        .def("use_threads", [](PyOnlineRun& self, unsigned threads) { self.run().use_threads(threads); }, "threads"_a)
        .def("share_copies",
             [](PyOnlineRun& self, const PySharedCopies& share) { self.run().share_copies(share.held); },
             "share"_a)
        .def("end_all", [](PyOnlineRun& self, const std::string& ending) { self.run().end_all(ending_named(ending)); },
             "ending"_a)
        .def("outcome",
             [](nb::handle_t<PyOnlineRun> self, std::size_t id) {
                 const OnlineRun& run = nb::cast<PyOnlineRun&>(self).run();
                 if (const Outcome* ended = run.ended(id))  // a reference, because the weights may be large
                     return nb::cast(ended, nb::rv_policy::reference_internal, self);
                 return nb::cast(run.outcome(id), nb::rv_policy::move);
             },
             "problem"_a)
        .def_prop_ro("epochs", [](PyOnlineRun& self) { return self.run().epochs(); })
        .def_prop_ro("presented", [](PyOnlineRun& self) { return self.run().presented(); })
        .def_prop_ro("not_finite", [](PyOnlineRun& self) { return self.run().not_finite(); })
        .def_prop_ro("work", [](PyOnlineRun& self) { return self.run().work(); })
        .def_prop_ro("latest", [](PyOnlineRun& self) { return as_tuple(self.run().history().last()); })
        .def("updates", [](PyOnlineRun& self) { return arrays_of(self.run().updates()); })
        .def("scales", &PyOnlineRun::scales)
        .def("history", [](PyOnlineRun& self) { return table_of(self.run().history()); });
}

}  // namespace rosenblatt
