// The stretch of online_pass.hpp on the same path, for one problem with kept scores (gram.hpp).
#pragma once

#include "accelerate/gram/gram_view.hpp"
#include "passes/online_pass.hpp"

namespace rosenblatt::ROSENBLATT_ISA {

// Row k of the matrix up to its diagonal, and the column that mirrors it: x_k in the place of the weights.
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

// What y * score must exceed to be more than the margin beyond doubt: infinite where nothing is.
inline double bar_of(const GramView& gram, double margin) {
    constexpr double kUnit = 1.0 / (1ull << 53);
    constexpr double kFar = 1e300;
    constexpr double kUnderflow = 1e-290;
    const double reach = gram.reach + gram.travelled * gram.step_reach;
    if (!(reach < kFar && gram.weight + gram.travelled * gram.largest < kFar))
        return std::numeric_limits<double>::infinity();
    const double error = 4 * kUnit * (gram.terms + static_cast<double>(gram.updates)) * reach +
                         kUnderflow * (1 + gram.largest) * (1 + gram.travelled);
    return margin + (error + 4 * kUnit * margin);  // the last for this very sum
}

// sum + a * b, rounded once where the machine can, for that is faster; the bound of gram.hpp allows for two roundings.
inline Register plus_product(const Register& sum, const Register& a, const Register& b) {
#if defined(__AVX512F__)
    return _mm512_fmadd_pd(a, b, sum);
#elif defined(__FMA__)
    return _mm256_fmadd_pd(a, b, sum);
#else
    return sum + a * b;
#endif
}

// kept += scale * row for a block of examples, and a bit for each that is in doubt after it.
ROSENBLATT_INLINE std::uint64_t keep_up(double* kept, const double* row, std::size_t count, const Register& scale,
                                        const Register& bar) {
    std::uint64_t bits = 0;
    const auto take = [&](std::size_t b) {
        const Register scores = plus_product(load(kept + b), scale, load(row + b));
        put(scores, kept + b);
        bits |= std::uint64_t{not_above(scores, bar)} << b;
    };
    if (count == kDoubtBits)
        for (std::size_t b = 0; b < kDoubtBits; b += kWidth) take(b);
    else
        for (std::size_t b = 0; b < count; b += kWidth) take(b);
    return bits;
}

// All scores after an update by this row of the matrix.
inline void keep_up(GramView& gram, const double* row, double scale, bool ordered) {
    const Register scales = all(scale);
    double* kept = gram.kept;
    const std::size_t stride = gram.stride;
    if (!ordered) {
        for (std::size_t i = 0; i < stride; i += kWidth) put(plus_product(load(kept + i), scales, load(row + i)), kept + i);
        return;
    }
    const Register bars = all(gram.bar);
    std::uint64_t* doubtful = gram.doubtful;
    std::uint64_t words = 0;
    for (std::size_t i = 0; i < stride; i += kDoubtBits) {
        const std::uint64_t bits =
            keep_up(kept + i, row + i, stride - i < kDoubtBits ? stride - i : kDoubtBits, scales, bars);
        doubtful[i / kDoubtBits] = bits;
        words |= std::uint64_t{bits != 0} << i / kDoubtBits;
    }
    gram.doubtful_words = words;
}

template <class Rows>
void score_anew(const Rows& rows, const Examples& examples, const Rule& rule, const Weights& weights,
                std::int32_t positive, GramView& gram) {
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
    const double offset = weights.offsets[0] < 0 ? -weights.offsets[0] : weights.offsets[0];
    gram.reach = static_cast<double>(rows.features()) * gram.largest * gram.weight + offset;
    gram.travelled = 0;
    gram.updates = 0;
    gram.bar = bar_of(gram, rule.margin);
    const Register bars = all(gram.bar);
    gram.doubtful_words = 0;
    for (std::size_t first = 0; first < gram.stride; first += kDoubtBits) {
        std::uint64_t bits = 0;
        for (std::size_t b = 0; b < kDoubtBits && first + b < gram.stride; b += kWidth)
            bits |= std::uint64_t{not_above(load(gram.kept + first + b), bars)} << b;
        gram.doubtful[first / kDoubtBits] = bits;
        gram.doubtful_words |= std::uint64_t{bits != 0} << first / kDoubtBits;
    }
}

// The first position from k on that holds an example in doubt; `end` where there is none.
inline std::uint64_t next_doubt(const GramView& gram, const std::uint32_t* order, std::uint64_t k, std::uint64_t end) {
    if (order) {
        const double* kept = gram.kept;
        const double bar = gram.bar;
        while (k < end && kept[order[k]] > bar) ++k;
        return k;
    }
    // Without a branch, for which word it will be cannot be predicted: the word of k, or the next that has a bit.
    constexpr std::uint64_t all_bits = ~std::uint64_t{0};
    constexpr std::uint64_t kTop = std::uint64_t{1} << (kDoubtBits - 1);  // no example has it
    const std::uint64_t word = k / kDoubtBits;
    const std::uint64_t from_k = all_bits << k % kDoubtBits;
    const std::uint64_t later = gram.doubtful_words & all_bits << word << 1;
    const std::uint64_t here = std::uint64_t{0} - std::uint64_t{(gram.doubtful[word] & from_k) != 0};
    const std::uint64_t found = (word & here) | (lowest_bit(later | kTop) & ~here);
    k = found * kDoubtBits + lowest_bit((gram.doubtful[found] & (from_k | ~here)) | kTop);
    return k < end ? k : end;
}

template <class Rows>
std::uint64_t gram_pass(const Rows& rows, const Examples& examples, const Presentation& at, const Rule& rule,
                        const Planes& planes, Problem& problem, GramView& gram) {
    const Weights weights = planes.weights;
    const bool constant = rule.step == Step::constant;
    for (std::uint64_t k = at.begin; k < at.end; ++k) {
        if (gram.updates >= kKeptFor) score_anew(rows, examples, rule, weights, problem.positive, gram);
        const std::uint64_t next = next_doubt(gram, at.order, k, at.end);
        if (examples.weights)
            for (; k < next; ++k) pass_over(examples, at, at.order ? at.order[k] : k);
        k = next;
        if (k == at.end) break;
        const std::size_t i = at.order ? at.order[k] : k;
        const auto move_scores = [&](double scale) {
            gram.travelled += scale < 0 ? -scale : scale;
            gram.updates += 1;
            gram.bar = bar_of(gram, rule.margin);
            keep_up(gram, gram.products + i * gram.stride, scale, !at.order);
        };
        // Where the kept score shows a mistake, all scores move first: the next example is then known while this one is
        // still being scored.
        const bool surely_wrong = constant && gram.kept[i] < rule.margin - (gram.bar - rule.margin);
        if (surely_wrong) move_scores(examples.steps ? examples.steps[i] : rule.eta0);
        double dot[kPlaneBlock];
        rows.scores(i, weights, 0, 1, dot);
        gram.met += 1;
        if (!surely_wrong) {
            const bool positive = examples.labels[i] == problem.positive;
            const double agreement = sign_of(positive) * (dot[0] + weights.offsets[0]);
            if (agreement >= -kLargest && rule.is_mistake(agreement, positive))
                move_scores(scale_of(rows, examples, rule, i, agreement, 1.0));
        }
        const Met met = meet(rows, examples, at, rule, planes, &problem, 0, i, dot[0], moment_of(examples, at, k, i));
        if (met == Met::not_finite) return k + 1;
        if (met == Met::right) continue;
        if (problem.mistakes >= problem.max_updates) return k + 1;
    }
    return at.end;
}

}  // namespace rosenblatt::ROSENBLATT_ISA
