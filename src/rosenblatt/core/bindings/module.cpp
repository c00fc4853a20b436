// The Python module: one file per topic. Long calls release the GIL.
#include <nanobind/nanobind.h>

#include <utility>
#include <vector>

#include "bindings/rows.hpp"
#include "simd/kernels.hpp"

namespace rosenblatt {
void bind_compat(nb::module_& m);
void bind_plan(nb::module_& m);
void bind_endings(nb::module_& m);
void bind_online(nb::module_& m);
void bind_pairs(nb::module_& m);
void bind_voted_pairs(nb::module_& m);
void bind_min_norm(nb::module_& m);
void bind_cycle(nb::module_& m);
void bind_dual(nb::module_& m);
void bind_kernel(nb::module_& m);
void bind_products(nb::module_& m);
void bind_svmlight(nb::module_& m);
void bind_one_by_one(nb::module_& m);
void bind_text(nb::module_& m);
}

NB_MODULE(_core, m) {
    using namespace rosenblatt;
    using namespace nb::literals;

    // Not a leak: a reader of pyarrow that has stopped at an error keeps its Python stream, and with it an object of this module,
    // until the interpreter exits.
    nb::set_leak_warnings(false);

    m.attr("__version__") = ROSENBLATT_VERSION;

    m.def("instruction_set", [] { return kernels().name; }, "The instruction set whose kernels this machine runs.");

    m.def(
        "epoch_order",
        [](std::uint64_t seed, std::uint64_t epoch, std::uint32_t n) {
            std::vector<std::uint32_t> order(n);
            epoch_order(seed, epoch, n, order.data());
            return numpy_array(std::move(order), {n});
        },
        "seed"_a, "epoch"_a, "n"_a, "The order in which an epoch under order='shuffle' presents n examples.");

    bind_rows(m);
    bind_endings(m);
    bind_plan(m);
    bind_online(m);
    bind_pairs(m);
    bind_voted_pairs(m);
    bind_min_norm(m);
    bind_cycle(m);
    bind_dual(m);
    bind_kernel(m);
    bind_products(m);
    bind_svmlight(m);
    bind_one_by_one(m);
    bind_text(m);
    bind_compat(m);
}
