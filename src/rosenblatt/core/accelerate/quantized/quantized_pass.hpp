// The stretch of online_pass.hpp on the same path: an example that its quantized row proves correct is skipped; every other
// one is read and scored in full.
#pragma once

#include "accelerate/quantized/code_scores.hpp"
#include "passes/online_pass.hpp"

namespace rosenblatt::ROSENBLATT_ISA {

// Quantizes all planes as they are at the beginning of a stretch.
inline void quantize_planes(QuantizedView& view, const Weights& weights, const Problem* problems, std::size_t planes,
                            std::size_t features) {
    for (std::size_t c = 0; c < planes; ++c) {
        view.planes.positive[c] = problems[c].positive;
        quantize_plane(view, weights, c, features);
    }
}

template <class Rows>
std::uint64_t quantized_pass(const Rows& rows, const Examples& examples, const Presentation& at, const Rule& rule,
                          const Planes& planes, Problem* problems, double* scores, QuantizedView& view) {
    const bool at_once = planes.changes.data == planes.weights.data;  // false in batch mode
    quantize_planes(view, planes.weights, problems, planes.count, rows.features());
    CodeScores ahead(view, examples.labels, at, planes.count, rule.margin);
    const std::uint64_t end = at.end - at.begin;
    const std::uint64_t block = view.block;
    const auto block_after = [&](std::uint64_t k) { return k + block < end ? k + block : end; };
    const auto look_at = [&](std::uint64_t first, std::uint64_t last) {
        ahead.score(first, last);
        if (!ahead.any(first, last)) return;
        for (std::uint64_t k = first; k < last; ++k)
            if (ahead.any(k)) ahead.prefetch_full_row(rows, k);
    };
    constexpr std::uint64_t kPrefetchRows = 64;  // quantized rows are short: many are prefetched
    std::uint64_t scored = block_after(0), prefetched = scored;
    look_at(0, scored);
    for (std::uint64_t first = 0, last = scored; first < end; first = last, last = scored) {
        scored = block_after(last);
        for (; prefetched < end && prefetched < scored + kPrefetchRows; ++prefetched) ahead.prefetch(prefetched);
        look_at(last, scored);
        if (!ahead.any(first, last) && !examples.weights) continue;
        for (std::uint64_t k = first; k < last; ++k) {
            const std::size_t i = ahead.example(k);
            const Moment moment = moment_of(examples, at, at.begin + k, i);
            if (!ahead.any(k)) continue;
            bool limit_reached = false;
            for (std::size_t c = 0; c < planes.count; ++c) {
                if (!ahead.undecided(k, c)) continue;
                view.read += 1;
                rows.scores(i, planes.weights, c, c + 1, scores);
                const Verdict verdict = present_example(rows, examples, at, rule, planes, problems, c, i, scores[c], moment);
                if (verdict == Verdict::not_finite) return at.begin + k + 1;
                if (verdict == Verdict::correct) continue;
                limit_reached |= problems[c].mistakes >= problems[c].max_updates;
                if (!at_once) continue;
                quantize_plane(view, planes.weights, c, rows.features());
                ahead.score(k + 1, scored, c);
            }
            if (limit_reached) return at.begin + k + 1;
        }
    }
    return at.end;
}

// The number of pairs of an example and a problem that the codes leave undecided, over all rows.
inline std::uint64_t count_undecided(const Examples& examples, const Rule& rule, const Weights& weights,
                                     const Problem* problems, std::size_t planes, QuantizedView& view) {
    quantize_planes(view, weights, problems, planes, examples.rows.features);
    const std::uint64_t end = examples.rows.examples;
    CodeScores codes(view, examples.labels, {nullptr, 0, end, 0, nullptr, nullptr}, planes, rule.margin);
    std::uint64_t count = 0;
    for (std::uint64_t k = 0; k < end; k += kLargestBlock) {
        const std::uint64_t last = k + kLargestBlock < end ? k + kLargestBlock : end;
        codes.score(k, last);
        for (std::uint64_t i = k; i < last; ++i)
            for (std::size_t c = 0; c < planes; ++c) count += codes.undecided(i, c);
    }
    return count;
}

}  // namespace rosenblatt::ROSENBLATT_ISA
