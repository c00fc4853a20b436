// Compiled once per instruction set, with ROSENBLATT_ISA naming the namespace. Nothing of the standard library that
// could emit a shared symbol is used here: such a symbol, compiled for AVX-512, might be linked into the baseline.
#include "kernels.hpp"

#include <type_traits>

#include "branchless_pass.hpp"
#include "compat_pass.hpp"
#include "gram_pass.hpp"
#include "joint_pass.hpp"
#include "magnitude.hpp"
#include "products/apply_kernel.hpp"
#include "products/byte_products.hpp"
#include "products/dense_products.hpp"
#include "products/integer_products.hpp"
#include "products/interleaved_rows.hpp"
#include "rows.hpp"
#include "score_pass.hpp"
#include "shadow_pass.hpp"
#include "shuffling.hpp"
#include "sure_pass.hpp"

#define ROSENBLATT_TEXT_OF(name) #name
#define ROSENBLATT_TEXT(name) ROSENBLATT_TEXT_OF(name)

namespace rosenblatt::ROSENBLATT_ISA {
namespace {

std::uint64_t online(const Examples& examples, const Presentation& at, const Rule& rule, const Planes& planes,
                     Problem* problems, double* scores) {
    return with_rows(examples.rows, [&](const auto& rows) {
        using Rows = std::remove_cvref_t<decltype(rows)>;
        if constexpr (Rows::kDense) {
            if (examples.gram) return gram_pass(rows, examples, at, rule, planes, *problems);
            if (examples.shadow) return shadow_pass(rows, examples, at, rule, planes, problems, scores);
            if (planes.count == 1) return dense_pass_of_one(rows, examples, at, rule, planes, *problems);
        }
        return planes.count > 1 ? online_pass<Rows::kTogether>(rows, examples, at, rule, planes, problems, scores)
                                : online_pass_of_one(rows, examples, at, rule, planes, *problems);
    });
}

std::uint64_t joint(const Examples& examples, const Presentation& at, const Rule& rule, const Planes& planes,
                    Problem* problem, double* scores) {
    return with_rows(examples.rows, [&](const auto& rows) {
        return joint_pass(rows, examples, at, rule, planes, *problem, scores);
    });
}

void score(const RowsView& view, std::size_t begin, std::size_t end, const Weights& weights, std::size_t count,
           double* scores, double* out) {
    with_rows(view, [&](const auto& rows) { score_pass(rows, begin, end, weights, count, scores, out); });
}

void score_in_place(const RowsView& view, const double* w, const double* offsets, std::size_t planes, double* out) {
    with_rows(view, [&](const auto& rows) {
        for (std::size_t i = 0; i < view.examples; ++i)
            for (std::size_t c = 0; c < planes; ++c) *out++ = rows.score_in_place(i, w + c * view.features) + offsets[c];
    });
}

void sure_classes(const RowsView& view, std::size_t begin, std::size_t end, const CoarsePlanes& planes, float* scratch,
                  std::int32_t* codes) {
    with_rows(view, [&](const auto& rows) {
        if constexpr (std::remove_cvref_t<decltype(rows)>::kDense)
            sure_pass(rows, begin, end, planes, scratch, codes);
    });
}

bool indices_fit(const RowsView& view, std::size_t begin, std::size_t end) {
    return with_rows(view, [&](const auto& rows) {
        if constexpr (std::remove_cvref_t<decltype(rows)>::kDense)
            return true;
        else
            return rows.indices_fit(begin, end, view.features);
    });
}

void write_shadow(const Examples& examples, std::size_t begin, std::size_t end, Shadow& shadow) {
    const RowsView& view = examples.rows;
    with_rows(view, [&](const auto& rows) {
        if constexpr (std::remove_cvref_t<decltype(rows)>::kDense)
            write_coarse_rows(rows.row(begin), view.stride, view.features, examples.labels + begin, end - begin,
                              shadow.rows + begin * shadow.stride, shadow);
    });
}

bool write_flags(const RowsView& view, std::size_t begin, std::size_t end, Flags& flags) {
    return with_rows(view, [&](const auto& rows) {
        if constexpr (std::remove_cvref_t<decltype(rows)>::kDense)
            return write_flag_rows(rows, begin, end, flags);
        else
            return false;
    });
}

void write_gram(const RowsView& view, const std::int32_t* labels, std::int32_t positive, bool fit_intercept,
                std::size_t begin, std::size_t end, const Gram& gram) {
    with_rows(view, [&](const auto& rows) {
        if constexpr (std::remove_cvref_t<decltype(rows)>::kDense)
            write_gram_rows(rows, labels, positive, fit_intercept, begin, end, gram);
    });
}

double largest(const RowsView& view, std::size_t stored) {
    const bool narrow = view.storage == Storage::dense32 || view.storage == Storage::csr32_i32 ||
                        view.storage == Storage::csr32_i64;
    if (is_dense(view.storage))
        return narrow ? largest_of_rows<float>(view, view.examples, view.features)
                      : largest_of_rows<double>(view, view.examples, view.features);
    return narrow ? largest_of_rows<float>(view, 1, stored) : largest_of_rows<double>(view, 1, stored);
}

void compat(const CompatExamples& examples, const Presentation& at, const CompatRule& rule, CompatProblem& problem) {
    with_rows(examples.rows, [&](const auto& rows) { compat_pass(rows, examples, at, rule, problem); });
}

void add_scaled(const double* __restrict from, double scale, double* __restrict to, std::size_t count) {
    for (std::size_t j = 0; j < count; ++j) to[j] += scale * from[j];
}

}  // namespace

// Narrow registers do not hold the weights of a plane.
constexpr decltype(Kernels::write_flags) flags_writer = kWidth >= 4 ? &write_flags : nullptr;

#if defined(__AVX512VNNI__)
constexpr auto* products_of_bytes = &byte_products;
#else
constexpr decltype(ProductKernels::byte_products) products_of_bytes = nullptr;
#endif

extern const Kernels table;
const Kernels table = {ROSENBLATT_TEXT(ROSENBLATT_ISA),
                       &online,
                       &joint,
                       &score,
                       &score_in_place,
                       &sure_classes,
                       &indices_fit,
                       &write_shadow,
                       flags_writer,
                       &write_gram,
                       &largest,
                       &shuffle_order,
                       &compat,
                       &add_scaled,
                       {kStripRows, kPanelColumns, &interleave, &squared_norms, &sum_block<Product>,
                        &sum_block<Distance>, &apply_kernel, &exponentials, &tangents, &integer_products,
                        products_of_bytes}};

}  // namespace rosenblatt::ROSENBLATT_ISA
