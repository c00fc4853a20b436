#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bindings/arrays.hpp"
#include "io/fingerprint.hpp"
#include "io/plain_table.hpp"
#include "io/svmlight.hpp"

namespace rosenblatt {

using namespace nb::literals;

namespace {

using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
nb::object numpy_array(Buffer<T> buffer) {
    auto* owned = new Buffer<T>(std::move(buffer));
    nb::capsule owner(owned, [](void* memory) noexcept { delete static_cast<Buffer<T>*>(memory); });
    return nb::cast(nb::ndarray<nb::numpy, T>(owned->data(), {owned->size()}, owner));
}

// A text that is being parsed and must not change; `finish` waits for the arrays of the CSR matrix.
class PySvmlightReading {
   public:
    PySvmlightReading(Bytes text, std::optional<bool> zero_based, std::optional<std::uint64_t> features,
                      unsigned threads, std::size_t chunk_bytes, bool hash)
        : text_(std::move(text)),
          reading_(std::in_place, characters(), characters() + text_.shape(0),
                   SvmlightOptions{zero_based, features, threads, chunk_bytes, hash}) {}

    nb::dict finish() {
        if (!reading_) throw std::invalid_argument("the reading is finished");
        Svmlight file;
        {
            nb::gil_scoped_release release;
            try {
                file = reading_->finish();
            } catch (...) {
                reading_.reset();
                throw;
            }
            reading_.reset();
        }
        nb::dict found;
        found["labels"] = numpy_array(std::move(file.labels));
        found["qids"] = file.qids.data() ? numpy_array(std::move(file.qids)) : nb::none();
        std::visit(
            [&](auto& rows) {
                found["values"] = numpy_array(std::move(rows.values));
                found["indices"] = numpy_array(std::move(rows.indices));
                found["starts"] = numpy_array(std::move(rows.starts));
            },
            file.rows);
        found["features"] = file.features;
        found["zero_based"] = file.zero_based;
        found["hash"] = file.hash ? nb::object(nb::int_(*file.hash)) : nb::none();
        return found;
    }

   private:
    const char* characters() const { return reinterpret_cast<const char*>(text_.data()); }

    Bytes text_;
    std::optional<SvmlightReading> reading_;
};

// (X, codes, labels as bytes), or None if the text is not plain.
nb::object plain_table(Bytes text, char delimiter, const std::string& roles, unsigned threads, std::size_t chunk_bytes) {
    std::vector<Role> wanted;
    for (const char role : roles)
        wanted.push_back(role == 'n' ? Role::number : role == 'l' ? Role::label : Role::skipped);
    if (std::count(wanted.begin(), wanted.end(), Role::label) > 1)
        throw std::invalid_argument("at most one column holds labels");
    const auto* begin = reinterpret_cast<const char*>(text.data());
    std::optional<PlainTable> table;
    {
        nb::gil_scoped_release release;
        table = parse_plain_table(begin, begin + text.shape(0), delimiter, wanted, threads, chunk_bytes);
    }
    if (!table) return nb::none();
    nb::list labels;
    for (const std::string& label : table->labels) labels.append(nb::bytes(label.data(), label.size()));
    auto* owned = new Buffer<double>(std::move(table->values));
    nb::capsule owner(owned, [](void* memory) noexcept { delete static_cast<Buffer<double>*>(memory); });
    nb::ndarray<nb::numpy, double> values(owned->data(), {table->rows, table->columns}, owner);
    return nb::make_tuple(nb::cast(values), numpy_array(std::move(table->codes)), labels);
}

}  // namespace

void bind_svmlight(nb::module_& m) {
    nb::exception<SvmlightError>(m, "SvmlightError", PyExc_ValueError);
    nb::class_<PySvmlightReading>(m, "SvmlightReading", "A text in svmlight format that is parsed in the background.")
        .def(nb::init<Bytes, std::optional<bool>, std::optional<std::uint64_t>, unsigned, std::size_t, bool>(),
             "text"_a, nb::kw_only(), "zero_based"_a.none() = nb::none(), "features"_a.none() = nb::none(),
             "threads"_a = 1, "chunk_bytes"_a = SvmlightOptions{}.chunk_bytes, "hash"_a = false)
        .def("finish", &PySvmlightReading::finish, "The examples, as the arrays of a CSR matrix.");
    m.def("plain_table", &plain_table, "text"_a, nb::kw_only(), "delimiter"_a, "roles"_a, "threads"_a = 1,
          "chunk_bytes"_a = SvmlightOptions{}.chunk_bytes,
          "The numbers and labels of a plain delimited text: roles has an 'n', 'l' or '-' for each column.");
    nb::class_<Xxh64>(m, "Xxh64", "The XXH64 of bytes that come in parts.")
        .def(nb::init<>())
        .def(
            "add",
            [](Xxh64& hash, Bytes bytes) {
                nb::gil_scoped_release release;
                hash.add(bytes.data(), bytes.shape(0));
            },
            "bytes"_a)
        .def_prop_ro("value", &Xxh64::value);
    m.def(
        "xxh64",
        [](Bytes bytes) {
            nb::gil_scoped_release release;
            return xxh64(bytes.data(), bytes.shape(0));
        },
        "bytes"_a, "The XXH64 of some bytes (a uint8 array), seed 0.");
}

}  // namespace rosenblatt
