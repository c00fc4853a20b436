// The Python face of the core: arrays in, arrays out. Long calls release the GIL.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "inspect.hpp"
#include "kernels.hpp"
#include "online_run.hpp"
#include "random.hpp"
#include "weight_store.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace rosenblatt {
namespace {

using AnyArray = nb::ndarray<nb::ro, nb::device::cpu>;
template <class T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class T>
nb::object numpy_array(std::vector<T> values, std::initializer_list<std::size_t> shape) {
    auto* owned = new std::vector<T>(std::move(values));
    nb::capsule owner(owned, [](void* memory) noexcept { delete static_cast<std::vector<T>*>(memory); });
    return nb::cast(nb::ndarray<nb::numpy, T>(owned->data(), shape, owner));
}

template <class T>
bool holds(const AnyArray& array) {
    return array.dtype() == nb::dtype<T>();
}

// Examples in a storage that the kernels read as it is. Holds on to the arrays, never writes to them.
class Rows {
   public:
    static Rows dense(AnyArray values) {
        if (values.ndim() != 2) throw std::invalid_argument("dense rows need a two-dimensional array");
        if (values.shape(1) > 1 && values.stride(1) != 1)
            throw std::invalid_argument("the values of a dense row must lie side by side");
        Rows rows;
        rows.view_ = {storage_of(values, Storage::dense32, Storage::dense64), values.shape(0), values.shape(1),
                      values.data(), static_cast<std::ptrdiff_t>(values.stride(0)), nullptr, nullptr};
        rows.held_ = {values};
        rows.check_count();
        return rows;
    }

    static Rows csr(AnyArray values, AnyArray indices, AnyArray starts, std::size_t features) {
        if (starts.ndim() != 1 || starts.shape(0) < 1 || values.ndim() != 1 || indices.ndim() != 1)
            throw std::invalid_argument("a CSR matrix consists of three one-dimensional arrays");
        Rows rows;
        const bool wide = holds<std::int64_t>(indices);
        if (indices.dtype() != starts.dtype() || !(wide || holds<std::int32_t>(indices)))
            throw std::invalid_argument("the indices of a CSR matrix must be of one type, int32 or int64");
        const Storage storage = wide ? storage_of(values, Storage::csr32_i64, Storage::csr64_i64)
                                     : storage_of(values, Storage::csr32_i32, Storage::csr64_i32);
        rows.view_ = {storage, starts.shape(0) - 1, features, values.data(), 0, indices.data(), starts.data()};
        rows.held_ = {values, indices, starts};
        rows.check_count();
        const std::size_t entries = std::min(values.shape(0), indices.shape(0));
        const auto fault = wide ? rows.fault<std::int64_t>(entries) : rows.fault<std::int32_t>(entries);
        if (fault && fault->in_starts)
            throw std::invalid_argument("the row pointers of the CSR matrix are broken at position " +
                                        std::to_string(fault->position) +
                                        "; call check_format() on the matrix to see what is wrong with it");
        if (fault)
            throw std::invalid_argument("the CSR matrix has a column index out of range at position " +
                                        std::to_string(fault->position) + ": it must lie in 0 ... " +
                                        std::to_string(features - 1));
        return rows;
    }

    const RowsView& view() const { return view_; }

    // (row, column) of the first NaN or infinity.
    std::optional<std::pair<std::size_t, std::size_t>> first_nonfinite() const {
        nb::gil_scoped_release release;
        if (view_.storage == Storage::dense32) return dense_nonfinite<float>();
        if (view_.storage == Storage::dense64) return dense_nonfinite<double>();
        const std::size_t entries = stored_values(view_);
        const bool narrow = view_.storage == Storage::csr32_i32 || view_.storage == Storage::csr32_i64;
        const auto found = narrow ? rosenblatt::first_nonfinite(static_cast<const float*>(view_.values), entries)
                                  : rosenblatt::first_nonfinite(static_cast<const double*>(view_.values), entries);
        if (!found) return std::nullopt;
        const bool wide = view_.storage == Storage::csr32_i64 || view_.storage == Storage::csr64_i64;
        return wide ? place<std::int64_t>(*found) : place<std::int32_t>(*found);
    }

    nb::object scores(Matrix weights, Vector<double> offsets) const {
        if (weights.shape(1) != view_.features || offsets.shape(0) != weights.shape(0))
            throw std::invalid_argument("the weights do not fit the rows");
        const std::size_t problems = weights.shape(0);
        std::vector<double> out(view_.examples * problems);
        {
            nb::gil_scoped_release release;
            WeightStore store(view_.storage, problems, view_.features);
            for (std::size_t c = 0; c < problems; ++c) store.set(c, weights.data() + c * view_.features);
            std::vector<double> scratch(store.padded_problems());
            kernels().scores(view_, 0, view_.examples, store.view(), offsets.data(), problems, scratch.data(),
                             out.data());
        }
        return numpy_array(std::move(out), {view_.examples, problems});
    }

   private:
    static Storage storage_of(const AnyArray& values, Storage narrow, Storage wide) {
        if (holds<float>(values)) return narrow;
        if (holds<double>(values)) return wide;
        throw std::invalid_argument("rows hold float32 or float64");
    }

    void check_count() const {
        if (view_.examples > std::numeric_limits<std::uint32_t>::max())
            throw std::invalid_argument("more than 4,294,967,295 examples: split the data and use partial_fit");
    }

    template <class Index>
    std::optional<CsrFault> fault(std::size_t entries) const {
        return csr_fault(static_cast<const Index*>(view_.starts), view_.examples,
                         static_cast<const Index*>(view_.indices), entries, view_.features);
    }

    template <class Value>
    std::optional<std::pair<std::size_t, std::size_t>> dense_nonfinite() const {
        for (std::size_t i = 0; i < view_.examples; ++i) {
            const auto* row = static_cast<const Value*>(view_.values) + static_cast<std::ptrdiff_t>(i) * view_.stride;
            if (const auto j = rosenblatt::first_nonfinite(row, view_.features)) return std::pair{i, *j};
        }
        return std::nullopt;
    }

    template <class Index>
    std::pair<std::size_t, std::size_t> place(std::size_t entry) const {
        const auto* starts = static_cast<const Index*>(view_.starts);
        const auto row = static_cast<std::size_t>(
            std::upper_bound(starts, starts + view_.examples + 1, static_cast<Index>(entry)) - starts - 1);
        return {row, static_cast<std::size_t>(static_cast<const Index*>(view_.indices)[entry])};
    }

    RowsView view_{};
    std::vector<AnyArray> held_;
};

Tie tie_named(const std::string& name) {
    if (name == "mistake") return Tie::mistake;
    if (name == "positive") return Tie::positive;
    if (name == "negative") return Tie::negative;
    throw std::invalid_argument("unknown tie: " + name);
}

Order order_named(const std::string& name) {
    if (name == "cyclic") return Order::cyclic;
    if (name == "shuffle") return Order::shuffle;
    if (name == "misclassified") return Order::misclassified;
    throw std::invalid_argument("unknown order: " + name);
}

constexpr const char* kEndings[] = {"separated", "cycled",      "error_reached", "unchanged", "early_stopped",
                                    "inseparable", "stalled", "max_updates",   "max_steps", "max_iter"};

const char* name_of(Ending ending) {
    return ending == Ending::running ? "running" : kEndings[static_cast<std::size_t>(ending)];
}

Ending ending_named(const std::string& name) {
    for (std::size_t k = 0; k < std::size(kEndings); ++k)
        if (name == kEndings[k]) return static_cast<Ending>(k);
    throw std::invalid_argument("unknown ending: " + name);
}

const char* name_of(Pause pause) {
    constexpr const char* names[] = {"slice", "epoch", "question", "done"};
    return names[static_cast<std::size_t>(pause)];
}

// An OnlineRun together with the arrays that it reads.
class PyOnlineRun {
   public:
    PyOnlineRun(const Rows& rows, Vector<std::int32_t> labels, std::optional<Vector<double>> steps,
                std::optional<Vector<std::uint32_t>> chosen, const std::vector<std::int32_t>& positives, Matrix start,
                Vector<double> start_offsets, double eta0, const std::string& tie, const std::string& error_tie,
                bool fit_intercept, const std::string& order, std::uint64_t seed, std::uint64_t first_epoch,
                std::optional<std::uint64_t> max_iter, std::optional<std::uint64_t> max_steps,
                std::optional<std::uint64_t> max_updates, std::optional<std::uint64_t> patience, double max_error,
                bool may_stall, bool ask_before_stall)
        : rows_(rows), labels_(labels), steps_(steps) {
        const RowsView& view = rows.view();
        if (labels.shape(0) != view.examples || (steps && steps->shape(0) != view.examples))
            throw std::invalid_argument("labels and steps must have one entry an example");
        if (start.shape(0) != positives.size() || start.shape(1) != view.features ||
            start_offsets.shape(0) != positives.size())
            throw std::invalid_argument("the start does not fit the problems");
        if (order == "misclassified" && positives.size() != 1)
            throw std::invalid_argument("each problem has a misclassified set of its own: run them one by one");
        std::vector<std::uint32_t> members;
        if (chosen) {
            members.assign(chosen->data(), chosen->data() + chosen->shape(0));
            for (const std::uint32_t i : members)
                if (i >= view.examples) throw std::invalid_argument("a chosen example does not exist");
        }
        if ((chosen ? members.size() : view.examples) == 0) throw std::invalid_argument("there is no example to present");
        Plan plan;
        plan.rule = {eta0, tie_named(tie), tie_named(error_tie), fit_intercept};
        plan.order = order_named(order);
        plan.seed = seed;
        plan.first_epoch = first_epoch;
        plan.limits = {max_iter.value_or(kNoLimit), max_steps.value_or(kNoLimit), max_updates.value_or(kNoLimit),
                       patience.value_or(kNoLimit), max_error, may_stall, ask_before_stall};
        run_ = std::make_unique<OnlineRun>(Examples{view, labels.data(), steps ? steps->data() : nullptr},
                                           chosen ? &members : nullptr, plan, positives, start.data(),
                                           start_offsets.data());
    }

    const char* advance(std::uint64_t work, bool pause_at_epoch) {
        nb::gil_scoped_release release;
        return name_of(run_->advance(work, pause_at_epoch));
    }

    OnlineRun& run() { return *run_; }

    // epoch, presented, mistakes, errors, loss
    nb::tuple latest() const {
        const EpochRow& row = run_->history().latest();
        return nb::make_tuple(row.epoch, row.presented, row.mistakes, row.errors, row.loss);
    }

    nb::object history() const {
        const std::vector<EpochRow> rows = run_->history().rows();
        std::vector<double> table;
        table.reserve(rows.size() * 5);
        for (const EpochRow& row : rows) {
            table.insert(table.end(), {static_cast<double>(row.epoch), static_cast<double>(row.presented),
                                       static_cast<double>(row.mistakes), static_cast<double>(row.errors), row.loss});
        }
        return numpy_array(std::move(table), {rows.size(), 5});
    }

   private:
    Rows rows_;
    Vector<std::int32_t> labels_;
    std::optional<Vector<double>> steps_;
    std::unique_ptr<OnlineRun> run_;
};

}  // namespace
}  // namespace rosenblatt

NB_MODULE(_core, m) {
    using namespace rosenblatt;

    m.def("instruction_set", [] { return kernels().name; }, "The instruction set whose kernels this machine runs.");

    m.def(
        "epoch_order",
        [](std::uint64_t seed, std::uint64_t epoch, std::uint32_t n) {
            std::vector<std::uint32_t> order;
            epoch_order(seed, epoch, n, order);
            return numpy_array(std::move(order), {n});
        },
        "seed"_a, "epoch"_a, "n"_a, "The order in which an epoch under order='shuffle' presents n examples.");

    nb::class_<Rows>(m, "Rows", "Examples in a storage that the kernels read as it is.")
        .def_static("dense", &Rows::dense, "values"_a)
        .def_static("csr", &Rows::csr, "values"_a, "indices"_a, "starts"_a, "features"_a)
        .def_prop_ro("n_examples", [](const Rows& rows) { return rows.view().examples; })
        .def_prop_ro("n_features", [](const Rows& rows) { return rows.view().features; })
        .def("first_nonfinite", &Rows::first_nonfinite)
        .def("scores", &Rows::scores, "weights"_a, "offsets"_a);

    nb::class_<Outcome>(m, "Outcome", "Where a problem stands, or how it ended.")
        .def_prop_ro("ending", [](const Outcome& outcome) { return name_of(outcome.ending); })
        .def_ro("epochs", &Outcome::epochs)
        .def_ro("mistakes", &Outcome::mistakes)
        .def_ro("presented", &Outcome::presented)
        .def_ro("period", &Outcome::period)
        .def_ro("offset", &Outcome::offset)
        .def_prop_ro("w", [](const Outcome& outcome) { return numpy_array(outcome.w, {outcome.w.size()}); });

    nb::class_<PyOnlineRun>(m, "OnlineRun", "A run of the online perceptron that advances in slices.")
        .def(nb::init<const Rows&, Vector<std::int32_t>, std::optional<Vector<double>>,
                      std::optional<Vector<std::uint32_t>>, const std::vector<std::int32_t>&, Matrix, Vector<double>,
                      double, const std::string&, const std::string&, bool, const std::string&, std::uint64_t,
                      std::uint64_t, std::optional<std::uint64_t>, std::optional<std::uint64_t>,
                      std::optional<std::uint64_t>, std::optional<std::uint64_t>, double, bool, bool>(),
             nb::kw_only(), "rows"_a, "labels"_a, "steps"_a.none(), "chosen"_a.none(), "positives"_a, "start"_a,
             "start_offsets"_a, "eta0"_a, "tie"_a, "error_tie"_a, "fit_intercept"_a, "order"_a, "seed"_a,
             "first_epoch"_a, "max_iter"_a.none(), "max_steps"_a.none(), "max_updates"_a.none(), "patience"_a.none(),
             "max_error"_a, "may_stall"_a, "ask_before_stall"_a)
        .def("advance", &PyOnlineRun::advance, "work"_a, "pause_at_epoch"_a)
        .def("question", [](PyOnlineRun& self) { return self.run().question(); })
        .def(
            "answer",
            [](PyOnlineRun& self, bool go_on, const std::string& otherwise) {
                self.run().answer(go_on, ending_named(otherwise));
            },
            "go_on"_a, "otherwise"_a)
        .def("end_all", [](PyOnlineRun& self, const std::string& ending) { self.run().end_all(ending_named(ending)); },
             "ending"_a)
        .def("outcome", [](PyOnlineRun& self, std::size_t id) { return self.run().outcome(id); }, "problem"_a)
        .def_prop_ro("epochs", [](PyOnlineRun& self) { return self.run().epochs(); })
        .def_prop_ro("presented", [](PyOnlineRun& self) { return self.run().presented(); })
        .def_prop_ro("overflowed", [](PyOnlineRun& self) { return self.run().overflowed(); })
        .def_prop_ro("latest", &PyOnlineRun::latest)
        .def("history", &PyOnlineRun::history);
}
