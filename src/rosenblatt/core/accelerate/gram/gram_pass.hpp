// The stretch of online_pass.hpp on the same path, for one problem with kept scores (gram.hpp).
#pragma once

#include "accelerate/gram/gram_view.hpp"
#include "passes/online_pass.hpp"

namespace rosenblatt::ROSENBLATT_ISA {

// Writes row k of the matrix up to its diagonal, and the mirrored column, by scoring with x_k as weights.
template <class Rows>
void write_gram_rows(const Rows& rows, const std::int32_t* labels, std::int32_t positive, bool fit_intercept,
                     std::size_t begin, std::size_t end, const GramView& gram) {
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

// The threshold that a kept y * score must exceed to prove that the exact one exceeds the margin; infinite if none does.
inline double threshold_of(const GramView& gram, double margin) {
    constexpr double kUnit = 1.0 / (1ull << 53);
    constexpr double kFar = 1e300;
    constexpr double kUnderflow = 1e-290;
    const double reach = gram.reach + gram.travelled * gram.step_reach;
    if (!(reach < kFar && gram.weight + gram.travelled * gram.largest < kFar))
        return std::numeric_limits<double>::infinity();
    const double error = 4 * kUnit * (gram.terms + static_cast<double>(gram.updates)) * reach +
                         kUnderflow * (1 + gram.largest) * (1 + gram.travelled);
    return margin + (error + 4 * kUnit * margin);  // the last term covers this sum itself
}

// sum + a * b, fused where the instruction set allows it, which is faster; the bound of gram_view.hpp allows two roundings.
inline Register plus_product(const Register& sum, const Register& a, const Register& b) {
#if defined(__AVX512F__)
    return _mm512_fmadd_pd(a, b, sum);
#elif defined(__FMA__)
    return _mm256_fmadd_pd(a, b, sum);
#else
    return sum + a * b;
#endif
}

// kept += scale * row for a block of examples. Returns a bit for each that is undecided afterwards.
ROSENBLATT_INLINE std::uint64_t update_scores(double* kept, const double* row, std::size_t count, const Register& scale,
                                        const Register& threshold) {
    std::uint64_t bits = 0;
    const auto take = [&](std::size_t b) {
        const Register scores = plus_product(load(kept + b), scale, load(row + b));
        put(scores, kept + b);
        bits |= std::uint64_t{not_above(scores, threshold)} << b;
    };
    if (count == kWordBits)
        for (std::size_t b = 0; b < kWordBits; b += kWidth) take(b);
    else
        for (std::size_t b = 0; b < count; b += kWidth) take(b);
    return bits;
}

// Updates all kept scores by this row of the matrix.
inline void update_scores(GramView& gram, const double* row, double scale, bool ordered) {
    const Register scales = all(scale);
    double* kept = gram.kept;
    const std::size_t stride = gram.stride;
    if (!ordered) {
        for (std::size_t i = 0; i < stride; i += kWidth) put(plus_product(load(kept + i), scales, load(row + i)), kept + i);
        return;
    }
    const Register thresholds = all(gram.threshold);
    std::uint64_t* undecided = gram.undecided;
    std::uint64_t words = 0;
    for (std::size_t i = 0; i < stride; i += kWordBits) {
        const std::uint64_t bits =
            update_scores(kept + i, row + i, stride - i < kWordBits ? stride - i : kWordBits, scales, thresholds);
        undecided[i / kWordBits] = bits;
        words |= std::uint64_t{bits != 0} << i / kWordBits;
    }
    gram.undecided_words = words;
}

template <class Rows>
void recompute_scores(const Rows& rows, const Examples& examples, const Rule& rule, const Weights& weights,
                std::int32_t positive, GramView& gram) {
    for (std::size_t i = 0; i < examples.rows.examples; ++i) {
        double dot[kPlaneBlock];
        rows.scores(i, weights, 0, 1, dot);
        gram.kept[i] = sign_of(examples.labels[i] == positive) * (dot[0] + weights.offsets[0]);
    }
    double largest = 0;
    for (std::size_t j = 0; j < rows.features(); ++j) {
        const double size = weights.data[j] < 0 ? -weights.data[j] : weights.data[j];
        largest = size <= largest ? largest : size;  // keeps NaN
    }
    gram.weight = largest;
    const double offset = weights.offsets[0] < 0 ? -weights.offsets[0] : weights.offsets[0];
    gram.reach = static_cast<double>(rows.features()) * gram.largest * gram.weight + offset;
    gram.travelled = 0;
    gram.updates = 0;
    gram.threshold = threshold_of(gram, rule.margin);
    const Register thresholds = all(gram.threshold);
    gram.undecided_words = 0;
    for (std::size_t first = 0; first < gram.stride; first += kWordBits) {
        std::uint64_t bits = 0;
        for (std::size_t b = 0; b < kWordBits && first + b < gram.stride; b += kWidth)
            bits |= std::uint64_t{not_above(load(gram.kept + first + b), thresholds)} << b;
        gram.undecided[first / kWordBits] = bits;
        gram.undecided_words |= std::uint64_t{bits != 0} << first / kWordBits;
    }
}

// The first position from k on with an undecided example; `end` without one.
inline std::uint64_t next_undecided(const GramView& gram, const std::uint32_t* order, std::uint64_t k, std::uint64_t end) {
    if (order) {
        const double* kept = gram.kept;
        const double threshold = gram.threshold;
        while (k < end && kept[order[k]] > threshold) ++k;
        return k;
    }
    // No branch, because it could not be predicted whether the bit is in the word of k or in a later one.
    constexpr std::uint64_t all_bits = ~std::uint64_t{0};
    constexpr std::uint64_t kTop = std::uint64_t{1} << (kWordBits - 1);  // not used by any example
    const std::uint64_t word = k / kWordBits;
    const std::uint64_t from_k = all_bits << k % kWordBits;
    const std::uint64_t later = gram.undecided_words & all_bits << word << 1;
    const std::uint64_t here = std::uint64_t{0} - std::uint64_t{(gram.undecided[word] & from_k) != 0};
    const std::uint64_t found = (word & here) | (lowest_bit(later | kTop) & ~here);
    k = found * kWordBits + lowest_bit((gram.undecided[found] & (from_k | ~here)) | kTop);
    return k < end ? k : end;
}

template <class Rows>
std::uint64_t gram_pass(const Rows& rows, const Examples& examples, const Presentation& at, const Rule& rule,
                        const Planes& planes, Problem& problem, GramView& gram) {
    const Weights weights = planes.weights;
    const bool constant = rule.step == Step::constant;
    for (std::uint64_t k = at.begin; k < at.end; ++k) {
        if (gram.updates >= kMaxUpdates) recompute_scores(rows, examples, rule, weights, problem.positive, gram);
        const std::uint64_t next = next_undecided(gram, at.order, k, at.end);
        if (examples.weights)
            for (; k < next; ++k) advance_clock(examples, at, at.order ? at.order[k] : k);
        k = next;
        if (k == at.end) break;
        const std::size_t i = at.order ? at.order[k] : k;
        const auto update_all = [&](double scale) {
            gram.travelled += scale < 0 ? -scale : scale;
            gram.updates += 1;
            gram.threshold = threshold_of(gram, rule.margin);
            update_scores(gram, gram.products + i * gram.stride, scale, !at.order);
        };
        // If the kept score proves a mistake, all kept scores are updated first: so the next example is known while this one is
        // still being scored.
        const bool proved_mistake = constant && gram.kept[i] < rule.margin - (gram.threshold - rule.margin);
        if (proved_mistake) update_all(examples.steps ? examples.steps[i] : rule.eta0);
        double dot[kPlaneBlock];
        rows.scores(i, weights, 0, 1, dot);
        gram.scored += 1;
        if (!proved_mistake) {
            const bool positive = examples.labels[i] == problem.positive;
            const double agreement = sign_of(positive) * (dot[0] + weights.offsets[0]);
            if (agreement >= -kLargest && rule.is_mistake(agreement, positive))
                update_all(scale_of(rows, examples, rule, i, agreement, 1.0));
        }
        const Verdict verdict = present_example(rows, examples, at, rule, planes, &problem, 0, i, dot[0], moment_of(examples, at, k, i));
        if (verdict == Verdict::not_finite) return k + 1;
        if (verdict == Verdict::correct) continue;
        if (problem.mistakes >= problem.max_updates) return k + 1;
    }
    return at.end;
}

}  // namespace rosenblatt::ROSENBLATT_ISA
