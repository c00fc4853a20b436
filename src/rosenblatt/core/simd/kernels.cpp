// Compiled once per instruction set, with ROSENBLATT_ISA naming the namespace. Nothing of the standard library that
// could emit a shared symbol is used here: such a symbol, compiled for AVX-512, might be linked into the baseline.
#include "simd/kernels.hpp"

#include <type_traits>

#include "accelerate/branchless/branchless_pass.hpp"
#include "accelerate/float32/float32_pass.hpp"
#include "accelerate/gram/gram_pass.hpp"
#include "accelerate/quantized/quantized_pass.hpp"
#ifndef ROSENBLATT_NO_THREADS
#include "accelerate/speculative/speculative_pass.hpp"
#endif
#include "compat/compat_pass.hpp"
#include "inference/float32_argmax_pass.hpp"
#include "inference/score_pass.hpp"
#include "passes/joint_pass.hpp"
#include "passes/shuffling.hpp"
#include "products/apply_kernel.hpp"
#include "products/byte_products.hpp"
#include "products/dense_products.hpp"
#include "products/integer_products.hpp"
#include "products/interleaved_rows.hpp"
#include "rows/magnitude.hpp"
#include "rows/rows.hpp"

#define ROSENBLATT_TEXT_OF(name) #name
#define ROSENBLATT_TEXT(name) ROSENBLATT_TEXT_OF(name)

namespace rosenblatt::ROSENBLATT_ISA {
namespace {

std::uint64_t online(const Examples& examples, const Presentation& at, const Rule& rule, const Planes& planes,
                     Problem* problems, double* scores, void*) {
    return with_rows(examples.rows, [&](const auto& rows) {
        using Rows = std::remove_cvref_t<decltype(rows)>;
        return planes.count > 1 ? online_pass<Rows::kTogether>(rows, examples, at, rule, planes, problems, scores)
                                : online_pass_of_one(rows, examples, at, rule, planes, *problems);
    });
}

std::uint64_t joint(const Examples& examples, const Presentation& at, const Rule& rule, const Planes& planes,
                    Problem* problem, double* scores, void*) {
    return with_rows(examples.rows, [&](const auto& rows) {
        return joint_pass(rows, examples, at, rule, planes, *problem, scores);
    });
}

// Calls `pass` with the rows, which the accelerator has checked to be dense.
template <class DensePass>
std::uint64_t over_dense_rows(const Examples& examples, const Presentation& at, DensePass pass) {
    return with_rows(examples.rows, [&](const auto& rows) {
        if constexpr (std::remove_cvref_t<decltype(rows)>::kDense)
            return pass(rows);
        else
            return at.begin;
    });
}

#if defined(__AVX__) && defined(__GNUC__)
std::uint64_t float32(const Examples& examples, const Presentation& at, const Rule& rule, const Planes& planes,
                      Problem* problems, double* scores, void* state) {
    return over_dense_rows(examples, at, [&](const auto& rows) {
        return float32_pass(rows, examples, at, rule, planes, problems, scores, *static_cast<Float32View*>(state));
    });
}
#endif

std::uint64_t quantized(const Examples& examples, const Presentation& at, const Rule& rule, const Planes& planes,
                        Problem* problems, double* scores, void* state) {
    return over_dense_rows(examples, at, [&](const auto& rows) {
        return quantized_pass(rows, examples, at, rule, planes, problems, scores, *static_cast<QuantizedView*>(state));
    });
}

std::uint64_t gram(const Examples& examples, const Presentation& at, const Rule& rule, const Planes& planes,
                   Problem* problems, double*, void* state) {
    return over_dense_rows(examples, at, [&](const auto& rows) {
        return gram_pass(rows, examples, at, rule, planes, *problems, *static_cast<GramView*>(state));
    });
}

std::uint64_t branchless(const Examples& examples, const Presentation& at, const Rule& rule, const Planes& planes,
                         Problem* problems, double*, void* state) {
    return over_dense_rows(examples, at, [&](const auto& rows) {
        return branchless_pass(rows, examples, at, rule, planes, *problems, *static_cast<BranchlessState*>(state));
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

void add_row(const RowsView& view, std::size_t i, double scale, const Weights& weights, std::size_t c) {
    with_rows(view, [&](const auto& rows) { rows.add(i, scale, weights, c); });
}

void float32_argmax(const RowsView& view, std::size_t begin, std::size_t end, const Float32Planes& planes, float* scratch,
                  std::int32_t* codes) {
    with_rows(view, [&](const auto& rows) {
        if constexpr (std::remove_cvref_t<decltype(rows)>::kDense)
            float32_argmax_pass(rows, begin, end, planes, scratch, codes);
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

void encode_rows(const Examples& examples, std::size_t begin, std::size_t end, QuantizedView& view) {
    const RowsView& dense = examples.rows;
    with_rows(dense, [&](const auto& rows) {
        if constexpr (std::remove_cvref_t<decltype(rows)>::kDense)
            encode_dense_rows(rows.row(begin), dense.stride, dense.features, examples.labels + begin, end - begin,
                        view.rows + begin * view.stride, view);
    });
}

bool write_flags(const RowsView& view, std::size_t begin, std::size_t end, PackedFlags& flags) {
    return with_rows(view, [&](const auto& rows) {
        if constexpr (std::remove_cvref_t<decltype(rows)>::kDense)
            return write_flag_rows(rows, begin, end, flags);
        else
            return false;
    });
}

#ifndef ROSENBLATT_NO_THREADS
void prove(const Examples& examples, const Segment& segment, const Weights& weights, const ProofTask& task,
           float* allowances) {
    with_rows(examples.rows,
              [&](const auto& rows) { prove_segment(rows, examples.labels, segment, weights, task, allowances); });
}

std::uint64_t present_proved(const Examples& examples, const Presentation& at, const Segment& segment, const Rule& rule,
                             const Planes& planes, Problem& problem, const float* allowances, float moved,
                             SegmentResult& found) {
    return with_rows(examples.rows, [&](const auto& rows) {
        return present_segment(rows, examples, at, segment, rule, planes, problem, allowances, moved, found);
    });
}
#endif

void write_gram(const RowsView& view, const std::int32_t* labels, std::int32_t positive, bool fit_intercept,
                std::size_t begin, std::size_t end, const GramView& gram) {
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
    with_rows(examples.rows, [&](const auto& rows) {
        if (rule.is_perceptron())
            compat_pass<true>(rows, examples, at, rule, problem);
        else
            compat_pass<false>(rows, examples, at, rule, problem);
    });
}

void add_scaled(const double* __restrict from, double scale, double* __restrict to, std::size_t count) {
    for (std::size_t j = 0; j < count; ++j) to[j] += scale * from[j];
}

}  // namespace

// Narrow registers do not hold the weights of a plane.
constexpr decltype(Kernels::write_flags) flags_writer = kWidth >= 4 ? &write_flags : nullptr;
constexpr PassFunction branchless_or_null = kWidth >= 4 ? &branchless : nullptr;

#if defined(__AVX__) && defined(__GNUC__)
constexpr PassFunction float32_or_null = &float32;
#else
constexpr PassFunction float32_or_null = nullptr;
#endif

#if defined(__AVX512VNNI__)
constexpr auto* products_of_bytes = &byte_products;
#else
constexpr decltype(ProductKernels::byte_products) products_of_bytes = nullptr;
#endif

extern const Kernels table;
const Kernels table = {ROSENBLATT_TEXT(ROSENBLATT_ISA),
                       kWidth,
                       &online,
                       &joint,
                       float32_or_null,
                       &quantized,
                       &gram,
                       branchless_or_null,
                       &score,
                       &score_in_place,
                       &float32_argmax,
                       &add_row,
                       &indices_fit,
                       &encode_rows,
                       &count_undecided,
                       flags_writer,
#ifndef ROSENBLATT_NO_THREADS
                       &prove,
                       &present_proved,
#endif
                       &write_gram,
                       &largest,
                       &shuffle_order,
                       &compat,
                       &add_scaled,
                       {kStripRows, kPanelColumns, &interleave, &squared_norms, &sum_block<Product>,
                        &sum_block<Distance>, &apply_kernel, &exponentials, &tangents, &integer_products,
                        products_of_bytes}};

}  // namespace rosenblatt::ROSENBLATT_ISA
