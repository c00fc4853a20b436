// The stretch of online_pass.hpp on the same path, for one problem with kept scores (gram.hpp).
#pragma once

#include "gram.hpp"
#include "online_pass.hpp"

namespace rosenblatt::ROSENBLATT_ISA {

// Row k of the matrix up to its diagonal, and the column that mirrors it: x_k in the place of the weights.
template <class Rows>
void write_gram_rows(const Rows& rows, const std::int32_t* labels, std::int32_t positive, bool fit_intercept,
                     std::size_t begin, std::size_t end, const Gram& gram) {
    double offset = 0;
    const Weights plane{gram.plane, with_tail(rows.features()), true, &offset};
    for (std::size_t k = begin; k < end; ++k) {
        for (std::size_t j = 0; j < with_tail(rows.features()); ++j) gram.plane[j] = 0;
        rows.add(k, 1.0, plane, 0);
        for (std::size_t i = 0; i <= k; ++i) {
            double product = 0;
            rows.scores(i, plane, 0, 1, &product);
            if (fit_intercept) product += 1.0;
            if ((labels[i] == positive) != (labels[k] == positive)) product = -product;
            gram.products[k * gram.stride + i] = gram.products[i * gram.stride + k] = product;
        }
    }
}

// y * score must exceed this to be more than the margin beyond doubt; infinite or NaN where nothing is.
inline double doubt_of(const Gram& gram, const Rule& rule, std::size_t features) {
    constexpr double kUnit = 1.0 / (1ull << 53);
    constexpr double kFar = 1e300;
    constexpr double kUnderflow = 1e-290;
    const double d = static_cast<double>(features);
    const double x = gram.largest;
    const double reach = d * x * gram.weight + gram.offset + gram.travelled * (d * x * x + 1);
    const double weight = gram.weight + gram.travelled * x;
    if (!(reach < kFar && weight < kFar)) return std::numeric_limits<double>::infinity();
    const double error = 4 * kUnit * (d + 64 + static_cast<double>(gram.updates)) * reach +
                         kUnderflow * (1 + x) * (1 + gram.travelled);
    return rule.margin + (error + 4 * kUnit * rule.margin);  // the last for this very sum
}

// kept += scale * row, and which of them are in doubt after it. Without a row they stay as they are.
template <bool HasRow>
inline void keep_up(const Gram& gram, const double* row, double scale, double bar) {
    const Pack scales = all(scale);
    const Pack bars = all(bar);
    for (std::size_t first = 0; first < gram.stride; first += kDoubtBits) {
        const std::size_t end = gram.stride - first < kDoubtBits ? gram.stride - first : kDoubtBits;
        std::uint64_t bits = 0;
        for (std::size_t b = 0; b < end; b += kWidth) {
            Pack kept = load(gram.kept + first + b);
            if constexpr (HasRow) {
                kept += scales * load(row + first + b);
                put(kept, gram.kept + first + b);
            }
            bits |= std::uint64_t{not_above(kept, bars)} << b;
        }
        gram.doubtful[first / kDoubtBits] = bits;
    }
}

template <class Rows>
void score_anew(const Rows& rows, const Examples& examples, const Rule& rule, const Weights& weights,
                std::int32_t positive) {
    Gram& gram = *examples.gram;
    for (std::size_t i = 0; i < examples.rows.examples; ++i) {
        double dot[kPlaneBlock];
        rows.scores(i, weights, 0, 1, dot);
        gram.kept[i] = sign_of(examples.labels[i] == positive) * (dot[0] + weights.offsets[0]);
    }
    double largest = 0;
    for (std::size_t j = 0; j < rows.features(); ++j) {
        const double size = weights.data[j] < 0 ? -weights.data[j] : weights.data[j];
        largest = size <= largest ? largest : size;  // NaN too
    }
    gram.weight = largest;
    gram.offset = weights.offsets[0] < 0 ? -weights.offsets[0] : weights.offsets[0];
    gram.travelled = 0;
    gram.updates = 0;
    keep_up<false>(gram, nullptr, 0.0, doubt_of(gram, rule, rows.features()));
}

// The first position from k on that holds an example in doubt; `end` where there is none.
inline std::uint64_t next_doubt(const Gram& gram, const std::uint32_t* order, std::uint64_t k, std::uint64_t end) {
    const std::uint64_t* doubtful = gram.doubtful;
    if (order) {
        while (k < end && !(doubtful[order[k] / kDoubtBits] >> order[k] % kDoubtBits & 1)) ++k;
        return k;
    }
    if (k >= end) return end;
    std::uint64_t bits = doubtful[k / kDoubtBits] >> k % kDoubtBits;
    while (!bits) {
        k = (k / kDoubtBits + 1) * kDoubtBits;
        if (k >= end) return end;
        bits = doubtful[k / kDoubtBits];
    }
    k += lowest_bit(bits);
    return k < end ? k : end;
}

template <class Rows>
std::uint64_t gram_pass(const Rows& rows, const Examples& examples, const Presentation& at, const Rule& rule,
                        const Planes& planes, Problem& problem) {
    Gram& gram = *examples.gram;
    const Weights weights = planes.weights;
    for (std::uint64_t k = at.begin; k < at.end; ++k) {
        if (gram.updates >= kKeptFor) score_anew(rows, examples, rule, weights, problem.positive);
        const std::uint64_t next = next_doubt(gram, at.order, k, at.end);
        if (examples.weights)
            for (; k < next; ++k) pass_over(examples, at, at.order ? at.order[k] : k);
        k = next;
        if (k == at.end) break;
        const std::size_t i = at.order ? at.order[k] : k;
        double dot[kPlaneBlock];
        rows.scores(i, weights, 0, 1, dot);
        const double agreement = sign_of(examples.labels[i] == problem.positive) * (dot[0] + weights.offsets[0]);
        gram.met += 1;
        const Met met = meet(rows, examples, at, rule, planes, &problem, 0, i, dot[0], moment_of(examples, at, k, i));
        if (met == Met::not_finite) return k + 1;
        if (met == Met::right) continue;
        const double scale = scale_of(rows, examples, rule, i, agreement, 1.0);
        gram.travelled += scale < 0 ? -scale : scale;
        gram.updates += 1;
        keep_up<true>(gram, gram.products + i * gram.stride, scale, doubt_of(gram, rule, rows.features()));
        if (problem.mistakes >= problem.max_updates) return k + 1;
    }
    return at.end;
}

}  // namespace rosenblatt::ROSENBLATT_ISA
