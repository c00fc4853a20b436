// One-vs-one with many classes: the runs of all pairs, and the stored weights.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bindings/rows.hpp"
#include "bindings/runs/history.hpp"
#include "bindings/runs/names.hpp"
#include "bindings/runs/plan.hpp"
#include "pairs/pair_runs.hpp"
#include "pairs/stored_pairs.hpp"

namespace rosenblatt {

using namespace nb::literals;

namespace {

constexpr const char* kPublished[] = {"last", "average", "pocket"};

nb::dict arrays_of(const StoredPairs& stored) {
    nb::dict arrays;
    arrays["starts"] = numpy_array(stored.starts);
    arrays["replayed"] = numpy_array(stored.replayed);
    arrays["index"] = numpy_array(stored.index);
    arrays["value"] = numpy_array(stored.value);
    arrays["clock"] = numpy_array(stored.clock);
    arrays["total"] = numpy_array(stored.total);
    arrays["offsets"] = numpy_array(stored.offsets);
    return arrays;
}

// Runs together with the arrays that they read.
class PyPairRuns {
   public:
    PyPairRuns(const Rows& rows, Vector<std::int32_t> labels, const Plan& plan, Vector<std::uint32_t> members,
               std::size_t n_classes, std::optional<Vector<double>> start, double start_offset,
               std::optional<Vector<double>> steps, std::optional<Vector<double>> weights, const std::string& published,
               bool keep_updates, unsigned threads)
        : rows_(rows), labels_(labels), steps_(steps), weights_(weights) {
        const RowsView& view = rows.view();
        if (labels.shape(0) != view.examples || (steps && steps->shape(0) != view.examples) ||
            (weights && weights->shape(0) != view.examples))
            throw std::invalid_argument("labels, steps and weights must have one entry per example");
        if (start && start->shape(0) != view.features) throw std::invalid_argument("the start does not fit the features");
        check_plan(plan, {1}, labels.data(), view.examples);
        if (!plan.validation.empty() || plan.joint) throw std::invalid_argument("pairs have no validation and no joint rule");
        std::vector<std::vector<std::uint32_t>> by_class(n_classes);
        for (std::size_t k = 0; k < members.shape(0); ++k) {
            const std::uint32_t i = members.data()[k];
            if (i >= view.examples || labels.data()[i] < 0 || static_cast<std::size_t>(labels.data()[i]) >= n_classes ||
                (k && i <= members.data()[k - 1]))
                throw std::invalid_argument("the members must be examples of the classes, in order");
            by_class[static_cast<std::size_t>(labels.data()[i])].push_back(i);
        }
        for (const auto& of_class : by_class)
            if (of_class.empty()) throw std::invalid_argument("a class has no example");
        if (n_classes < 2) throw std::invalid_argument("pairs need two classes");
        runs_ = std::make_unique<PairRuns>(
            Examples{view, labels.data(), steps ? steps->data() : nullptr, weights ? weights->data() : nullptr}, plan,
            std::move(by_class), start ? start->data() : nullptr, start_offset, enumerator<PairPublished>(kPublished, "weights", published), keep_updates,
            threads);
    }

    bool advance(std::uint64_t work) {
        nb::gil_scoped_release release;
        return runs_->advance(work);
    }

    const PairRuns& runs() const { return *runs_; }

    nb::dict facts() const {
        const PairFacts& found = runs_->facts();
        nb::dict facts;
        nb::list endings, names;
        for (std::size_t k = 0; k < std::size(kEndings); ++k) names.append(kEndings[k]);
        for (const std::int8_t ending : found.endings)
            endings.append(ending < 0 ? nb::object(nb::str("running")) : nb::object(names[static_cast<std::size_t>(ending)]));
        facts["endings"] = endings;
        facts["epochs"] = numpy_array(found.epochs);
        facts["mistakes"] = numpy_array(found.mistakes);
        facts["presented"] = numpy_array(found.presented);
        facts["periods"] = numpy_array(found.periods);
        facts["scored"] = numpy_array(found.scored);
        facts["clocks"] = numpy_array(found.clocks);
        facts["pocket_runs"] = numpy_array(found.pocket_runs);
        facts["pocket_errors"] = numpy_array(found.pocket_errors);
        nb::dict uses;
        for (const auto& [pair, each] : found.accelerators) {
            nb::dict epochs;
            for (const AcceleratorUse& use : each) epochs[use.name] = use.epochs;
            uses[nb::int_(pair)] = epochs;
        }
        facts["accelerators"] = uses;
        return facts;
    }

    nb::dict updates() const {
        const PairUpdates& found = runs_->updates();
        nb::dict arrays;
        arrays["starts"] = numpy_array(found.starts);
        arrays["presented"] = numpy_array(found.presented);
        arrays["example"] = numpy_array(found.example);
        arrays["scale"] = numpy_array(found.scale);
        arrays["clock"] = numpy_array(found.clock);
        return arrays;
    }

   private:
    Rows rows_;
    Vector<std::int32_t> labels_;
    std::optional<Vector<double>> steps_;
    std::optional<Vector<double>> weights_;
    std::unique_ptr<PairRuns> runs_;
};

// Stored weights together with their arrays.
class PyStoredPairs {
   public:
    PyStoredPairs(const Rows& support, std::size_t n_classes, Vector<std::uint64_t> starts, Vector<std::uint8_t> replayed,
                  Vector<std::uint32_t> index, Vector<double> value, Vector<double> clock, Vector<double> total,
                  Vector<double> offsets, std::optional<Vector<double>> start)
        : support_(support), starts_(starts), replayed_(replayed), index_(index), value_(value), clock_(clock), total_(total),
          offsets_(offsets), start_(start) {
        const std::size_t pairs = pairs_of(n_classes), entries = index.shape(0);
        const bool average = total.shape(0) > 0;
        if (n_classes < 2 || starts.shape(0) != pairs + 1 || replayed.shape(0) != pairs || offsets.shape(0) != pairs ||
            value.shape(0) != entries || starts.data()[0] != 0 || starts.data()[pairs] != entries ||
            clock.shape(0) != (average ? entries : 0) || (average && total.shape(0) != pairs) ||
            (start && start->shape(0) != support.view().features))
            throw std::invalid_argument("the parts of the weights of the pairs do not fit each other");
        for (std::size_t p = 0; p < pairs; ++p) {
            if (starts.data()[p] > starts.data()[p + 1]) throw std::invalid_argument("starts must not decrease");
            const std::size_t limit = replayed.data()[p] ? support.view().examples : support.view().features;
            for (std::uint64_t k = starts.data()[p]; k < starts.data()[p + 1]; ++k)
                if (index.data()[k] >= limit) throw std::invalid_argument("an update names an example that does not exist");
        }
        view_ = {support.view(), n_classes,        starts_.data(), replayed_.data(),
                 index_.data(),  value_.data(),    average ? clock_.data() : nullptr,
                 average ? total_.data() : nullptr, offsets_.data(), start_ ? start_->data() : nullptr};
    }

    // Rows first <= p < last of the matrix of weights.
    void weights_into(std::size_t first, MatrixOut out) const {
        if (out.shape(1) != view_.support.features || first + out.shape(0) > view_.pairs())
            throw std::invalid_argument("there must be room for one row of weights per pair");
        nb::gil_scoped_release release;
        PairWeights weights(view_, view_.support.storage);
        for (std::size_t p = 0; p < out.shape(0); ++p) weights.copy(first + p, out.data() + p * out.shape(1));
    }

    void votes_into(const Rows& rows, std::size_t begin, bool ties_are_positive, MatrixOut out) const {
        check(rows, begin, out.shape(0));
        if (out.shape(1) != view_.classes) throw std::invalid_argument("there must be room for one vote per class");
        nb::gil_scoped_release release;
        pair_votes(view_, rows.view(), begin, begin + out.shape(0), tie_of(ties_are_positive), out.data());
    }

    void labels_into(const Rows& rows, std::size_t begin, bool ties_are_positive, CodesOut out) const {
        check(rows, begin, out.shape(0));
        nb::gil_scoped_release release;
        pair_labels(view_, rows.view(), begin, begin + out.shape(0), tie_of(ties_are_positive), out.data());
    }

   private:
    static Tie tie_of(bool positive) { return positive ? Tie::positive : Tie::mistake; }

    void check(const Rows& rows, std::size_t begin, std::size_t count) const {
        rows.check_indices();
        if (rows.view().features != view_.support.features || begin + count > rows.view().examples)
            throw std::invalid_argument("the weights do not fit the rows");
    }

    Rows support_;
    Vector<std::uint64_t> starts_;
    Vector<std::uint8_t> replayed_;
    Vector<std::uint32_t> index_;
    Vector<double> value_, clock_, total_, offsets_;
    std::optional<Vector<double>> start_;
    PairsView view_{};
};

}  // namespace

void bind_pairs(nb::module_& m) {
    nb::class_<PyPairRuns>(m, "PairRuns", "The runs of all pairs of classes of one-vs-one, in slices.")
        .def(nb::init<const Rows&, Vector<std::int32_t>, const Plan&, Vector<std::uint32_t>, std::size_t,
                      std::optional<Vector<double>>, double, std::optional<Vector<double>>, std::optional<Vector<double>>,
                      const std::string&, bool, unsigned>(),
             nb::kw_only(), "rows"_a, "labels"_a, "plan"_a, "members"_a, "n_classes"_a, "start"_a.none(), "start_offset"_a,
             "steps"_a.none(), "weights"_a.none(), "published"_a, "keep_updates"_a, "threads"_a)
        .def("advance", &PyPairRuns::advance, "work"_a)
        .def_prop_ro("pairs", [](const PyPairRuns& self) { return self.runs().pairs(); })
        .def_prop_ro("done", [](const PyPairRuns& self) { return self.runs().done(); })
        .def_prop_ro("not_finite", [](const PyPairRuns& self) { return self.runs().not_finite(); })
        .def("facts", &PyPairRuns::facts)
        .def("last", [](const PyPairRuns& self) { return arrays_of(self.runs().last()); })
        .def("published", [](const PyPairRuns& self) { return arrays_of(self.runs().published()); })
        .def("updates", &PyPairRuns::updates)
        .def("history", [](const PyPairRuns& self) { return table_of(self.runs().history()); });

    nb::class_<PyStoredPairs>(m, "StoredPairs", "The weights of all pairs of classes, stored as updates.")
        .def(nb::init<const Rows&, std::size_t, Vector<std::uint64_t>, Vector<std::uint8_t>, Vector<std::uint32_t>,
                      Vector<double>, Vector<double>, Vector<double>, Vector<double>, std::optional<Vector<double>>>(),
             nb::kw_only(), "support"_a, "n_classes"_a, "starts"_a, "replayed"_a, "index"_a, "value"_a, "clock"_a,
             "total"_a, "offsets"_a, "start"_a.none())
        .def("weights_into", &PyStoredPairs::weights_into, "first"_a, "out"_a.noconvert())
        .def("votes_into", &PyStoredPairs::votes_into, "rows"_a, "begin"_a, "ties_are_positive"_a, "out"_a.noconvert())
        .def("labels_into", &PyStoredPairs::labels_into, "rows"_a, "begin"_a, "ties_are_positive"_a, "out"_a.noconvert());
}

}  // namespace rosenblatt
