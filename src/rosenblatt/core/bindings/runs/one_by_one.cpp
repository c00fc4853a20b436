// Reads Python dictionaries and rows as single examples: feature names are mapped to slots, labels to classes.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/runs/names.hpp"
#include "bindings/runs/one_call_at_a_time.hpp"
#include "bindings/runs/slots_by_identity.hpp"
#include "runs/one_by_one.hpp"

namespace rosenblatt {

using namespace nb::literals;

namespace {

std::string shown(nb::handle object) {
    std::string text = nb::repr(object).c_str();
    return text.size() > 60 ? text.substr(0, 57) + "..." : text;
}

class PyOneByOne {
   public:
    PyOneByOne(double eta0, const std::string& tie, bool fit_intercept, double margin, const std::string& step,
               double aggressiveness, bool average)
        : tie_(tie_named(tie)),
          average_(average),
          run_({eta0, tie_, tie_, fit_intercept, margin, step_named(step), aggressiveness}, average) {}

    // Declares all classes in advance: no plane for unseen classes, and one plane for two classes.
    void declare(nb::list labels) {
        declared_ = true;
        for (nb::handle label : labels) add_label(label);
        if (labels_.size() == 2)
            run_.add_plane(sorted_[1], -1);
        else
            for (std::size_t code = 0; code < labels_.size(); ++code) run_.add_plane(static_cast<std::ptrdiff_t>(code), -1);
    }

    void learn(nb::handle x, nb::handle y) {
        PyObject* known = PyDict_GetItemWithError(codes_.ptr(), y.ptr());
        if (!known && PyErr_Occurred()) throw nb::python_error();
        if (!known) check_new_label(y);
        read(x);
        if (!new_names_.empty()) keep_new_names();
        if (!by_name_ && row_width_ > width_) width_ = row_width_;
        if (run_.features() < width_) run_.grow(width_);
        if (!known) begin_class(y);
        const std::ptrdiff_t code = known ? PyLong_AsSsize_t(known) : static_cast<std::ptrdiff_t>(labels_.size()) - 1;
        if (!run_.learn(entries_, code))
            throw std::overflow_error("the weights left the range of floating-point numbers; scale the values or lower eta0");
    }

    nb::object predict(nb::handle x) {
        if (labels_.empty()) throw std::invalid_argument("nothing has been learned yet: call learn_one first");
        read(x);
        new_names_.clear();
        if (labels_.size() == 1) return labels_[0];
        const std::vector<double>& scores = run_.published(entries_);
        if (labels_.size() == 2) {
            const double score = scores[plane_of(sorted_[1])];
            return labels_[static_cast<std::size_t>(sorted_[score > 0 || (score == 0 && tie_ == Tie::positive)])];
        }
        std::ptrdiff_t best = sorted_[0];
        for (const std::ptrdiff_t code : sorted_)
            if (scores[plane_of(code)] > scores[plane_of(best)]) best = code;
        return labels_[static_cast<std::size_t>(best)];
    }

    // Sets the weights: one plane per label, in sorted order; for two labels, the plane of the later one.
    void restore(nb::list labels, nb::list names, Matrix w, Vector<double> offsets, Matrix delayed,
                 Vector<double> delayed_offsets, std::uint64_t seen) {
        declare(labels);
        if (w.shape(0) != run_.planes() || offsets.shape(0) != run_.planes() || delayed.shape(0) != run_.planes() ||
            delayed.shape(1) != w.shape(1) || delayed_offsets.shape(0) != run_.planes())
            throw std::invalid_argument("the weights do not fit the classes");
        for (nb::handle name : names) {
            by_identity_.add(name.ptr(), slots_.size());
            slots_[name] = slots_.size();
            names_.append(name);
        }
        by_name_ = nb::len(names) > 0;
        decided_ = true;
        width_ = w.shape(1);
        run_.grow(width_);
        run_.start_at(seen);
        for (std::size_t p = 0; p < run_.planes(); ++p) {
            run_.plane(p).offset = offsets.data()[p];
            run_.plane(p).delayed_offset = delayed_offsets.data()[p];
            for (std::size_t j = 0; j < width_; ++j) {
                run_.w(p, j) = w.data()[p * width_ + j];
                if (average_) run_.delayed(p, j) = delayed.data()[p * width_ + j];
            }
        }
    }

    // All that the fitted attributes are made of, at one time. The rows of weights are those of the classes in sorted order; for two
    // classes, of the later one.
    nb::dict state() {
        nb::dict found;
        nb::list labels;
        for (const nb::object& label : labels_) labels.append(label);
        const std::vector<std::size_t> planes = shown_planes();
        std::uint64_t mistakes = 0;
        for (const std::size_t p : planes) mistakes += run_.plane(p).mistakes;
        found["labels"] = labels;
        found["names"] = decided_ && by_name_ ? nb::object(nb::list(names_)) : nb::none();
        found["last"] = weights(planes, false);
        found["average"] = average_ ? nb::object(weights(planes, true)) : nb::none();
        found["n_features"] = run_.features();
        found["mistakes"] = mistakes;
        found["seen"] = run_.seen();
        return found;
    }

    std::uint64_t seen() { return run_.seen(); }

    CallLock call_lock;

   private:
    void check_new_label(nb::handle y) const {
        if (declared_) throw std::invalid_argument("the label " + shown(y) + " was not declared");
        if (y.is_none() || (PyFloat_Check(y.ptr()) && !std::isfinite(PyFloat_AsDouble(y.ptr()))))
            throw std::invalid_argument("the label is " + shown(y) + "; every example needs one");
        if (!labels_.empty() && (PyUnicode_Check(y.ptr()) != 0) != (PyUnicode_Check(labels_[0].ptr()) != 0))
            throw std::invalid_argument("the label " + shown(y) + " comes after " + shown(labels_[0]) +
                                        ": labels are all text or all numbers");
    }

    void begin_class(nb::handle y) {
        if (run_.planes() == 0) run_.add_plane(OneByOne::kUnseenClass, -1);
        const std::ptrdiff_t code = add_label(y);
        run_.add_plane(code, 0);
    }

    std::ptrdiff_t add_label(nb::handle label) {
        const auto code = static_cast<std::ptrdiff_t>(labels_.size());
        std::size_t at = 0;
        for (; at < sorted_.size(); ++at) {
            const int before =
                PyObject_RichCompareBool(label.ptr(), labels_[static_cast<std::size_t>(sorted_[at])].ptr(), Py_LT);
            if (before < 0) throw nb::python_error();
            if (before) break;
        }
        codes_[label] = code;
        labels_.push_back(nb::borrow(label));
        sorted_.insert(sorted_.begin() + static_cast<std::ptrdiff_t>(at), code);
        return code;
    }

    std::size_t plane_of(std::ptrdiff_t code) const {
        if (!declared_) return static_cast<std::size_t>(code) + 1;  // after the plane for unseen classes
        return labels_.size() == 2 ? 0 : static_cast<std::size_t>(code);
    }

    std::vector<std::size_t> shown_planes() const {
        std::vector<std::size_t> planes;
        if (labels_.size() == 2) return {plane_of(sorted_[1])};
        for (const std::ptrdiff_t code : sorted_) planes.push_back(plane_of(code));
        return planes;
    }

    // (w, offsets) of these planes.
    nb::tuple weights(const std::vector<std::size_t>& planes, bool mean) {
        const std::size_t features = run_.features();
        std::vector<double> w(planes.size() * features), offsets(planes.size());
        for (std::size_t k = 0; k < planes.size(); ++k) {
            for (std::size_t j = 0; j < features; ++j)
                w[k * features + j] = mean ? run_.mean(planes[k], j) : run_.w(planes[k], j);
            offsets[k] = mean ? run_.mean_offset(planes[k]) : run_.plane(planes[k]).offset;
        }
        return nb::make_tuple(numpy_array(std::move(w), {planes.size(), features}),
                              numpy_array(std::move(offsets)));
    }

    // Fills entries_; new names stay in new_names_ until they are accepted.
    void read(nb::handle x) {
        entries_.clear();
        new_names_.clear();
        const bool is_dict = PyDict_Check(x.ptr());
        if (decided_ && is_dict != by_name_)
            throw std::invalid_argument(by_name_ ? "examples are dictionaries so far; this one is a row"
                                                 : "examples are rows so far; this one is a dictionary");
        if (is_dict)
            read_dict(x);
        else
            read_row(x);
        if (!decided_) {
            by_name_ = is_dict;
            decided_ = true;
        }
    }

    void read_dict(nb::handle x) {
        PyObject *key, *value;
        Py_ssize_t at = 0;
        while (PyDict_Next(x.ptr(), &at, &key, &value)) {
            if (!PyUnicode_Check(key))
                throw std::invalid_argument("a feature is named " + shown(key) + "; names are text");
            if (PyUnicode_Check(value)) {  // a category is one feature per value
                nb::object name = nb::steal(PyUnicode_FromFormat("%U=%U", key, value));
                if (!name.is_valid()) throw nb::python_error();
                if (PyDict_Contains(x.ptr(), name.ptr()))
                    throw std::invalid_argument("the category " + shown(name) + " is also the name of a feature");
                add_entry(name.ptr(), 1.0);
            } else {
                add_entry(key, number(key, value));
            }
        }
    }

    void add_entry(PyObject* name, double value) {
        const std::size_t known = by_identity_.find(name);
        if (known != SlotsByIdentity::kAbsent) {
            entries_.push_back({known, value});
            return;
        }
        PyObject* slot = PyDict_GetItemWithError(slots_.ptr(), name);
        if (slot) {
            entries_.push_back({static_cast<std::size_t>(PyLong_AsSsize_t(slot)), value});
            return;
        }
        if (PyErr_Occurred()) throw nb::python_error();
        entries_.push_back({width_ + new_names_.size(), value});
        new_names_.push_back(nb::borrow(name));
    }

    void read_row(nb::handle x) {
        nb::object row = nb::steal(PySequence_Fast(x.ptr(), "an example is a dictionary of features or a row of numbers"));
        if (!row.is_valid()) throw nb::python_error();
        const bool is_list = PyList_Check(row.ptr()) != 0;  // otherwise a tuple; the stable ABI has no common access
        const auto count = static_cast<std::size_t>(is_list ? PyList_Size(row.ptr()) : PyTuple_Size(row.ptr()));
        for (std::size_t j = 0; j < count; ++j) {
            const auto at = static_cast<Py_ssize_t>(j);
            PyObject* item = is_list ? PyList_GetItem(row.ptr(), at) : PyTuple_GetItem(row.ptr(), at);
            const double value = number(nullptr, item, j);
            if (value != 0) entries_.push_back({j, value});
        }
        row_width_ = count;
    }

    static double number(PyObject* key, PyObject* value, std::size_t j = 0) {
        const double found = PyFloat_AsDouble(value);
        const bool failed = found == -1.0 && PyErr_Occurred();
        if (!failed && std::isfinite(found)) return found;
        PyErr_Clear();
        throw std::invalid_argument("the value of " + (key ? shown(key) : "column " + std::to_string(j)) + " is " +
                                    shown(value) + "; a finite number is needed");
    }

    void keep_new_names() {
        for (const nb::object& name : new_names_) {
            by_identity_.add(name.ptr(), width_);
            slots_[name] = width_++;
            names_.append(name);
        }
        new_names_.clear();
    }

    Tie tie_;
    bool average_;
    bool declared_ = false;
    bool decided_ = false;  // whether examples are dictionaries or rows
    bool by_name_ = false;
    OneByOne run_;
    SlotsByIdentity by_identity_;  // for the objects in names_
    nb::dict slots_, codes_;
    nb::list names_;
    std::vector<nb::object> labels_, new_names_;
    std::vector<std::ptrdiff_t> sorted_;  // codes in the order of their labels
    std::vector<SlotValue> entries_;
    std::size_t width_ = 0;
    std::size_t row_width_ = 0;
};

}  // namespace

// The example is locked as well: without the global interpreter lock, a dictionary that is being read must not change.
void bind_one_by_one(nb::module_& m) {
    nb::class_<PyOneByOne>(m, "OneByOne",
                           "Learns from single examples; new features and classes are added as they appear. Threads may share it.")
        .def(nb::init<double, const std::string&, bool, double, const std::string&, double, bool>(), nb::kw_only(),
             "eta0"_a, "tie"_a, "fit_intercept"_a, "margin"_a, "step"_a, "aggressiveness"_a, "average"_a)
        .def("declare", exclusive(&PyOneByOne::declare), "labels"_a)
        .def("learn", exclusive(&PyOneByOne::learn), "x"_a.lock(), "y"_a.none())
        .def("predict", exclusive(&PyOneByOne::predict), "x"_a.lock())
        .def("restore", exclusive(&PyOneByOne::restore), "labels"_a, "names"_a, "w"_a, "offsets"_a, "delayed"_a,
             "delayed_offsets"_a, "seen"_a)
        .def("state", exclusive(&PyOneByOne::state))
        .def_prop_ro("seen", exclusive(&PyOneByOne::seen));
}

}  // namespace rosenblatt
