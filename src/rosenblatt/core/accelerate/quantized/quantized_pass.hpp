// The stretch of online_pass.hpp on the same path: an example that its quantized row proves correct is skipped; every other
// one is read and scored in full.
#pragma once

#include "accelerate/quantized/code_scores.hpp"
#include "passes/online_pass.hpp"

namespace rosenblatt::ROSENBLATT_ISA {

template <class Rows>
std::uint64_t quantized_pass(const Rows& rows, const Examples& examples, const Presentation& at, const Rule& rule,
                          const Planes& planes, Problem* problems, double* scores, QuantizedView& view) {
    const bool at_once = planes.changes.data == planes.weights.data;  // not in a batch
    for (std::size_t c = 0; c < planes.count; ++c) {
        view.planes.positive[c] = problems[c].positive;
        quantize_plane(view, planes.weights, c, rows.features());
    }
    CodeScores ahead(view, examples.labels, at, planes.count, rule.margin);
    const std::uint64_t end = at.end - at.begin;
    const std::uint64_t block = view.block;
    const auto block_after = [&](std::uint64_t k) { return k + block < end ? k + block : end; };
    const auto look_at = [&](std::uint64_t first, std::uint64_t last) {
        ahead.score(first, last);
        if (!ahead.any(first, last)) return;
        for (std::uint64_t k = first; k < last; ++k)
            if (ahead.any(k)) ahead.prefetch_more(rows, k);
    };
    constexpr std::uint64_t kAsked = 64;  // quantized rows are short: many are prefetched
    std::uint64_t scored = block_after(0), asked = scored;
    look_at(0, scored);
    for (std::uint64_t first = 0, last = scored; first < end; first = last, last = scored) {
        scored = block_after(last);
        for (; asked < end && asked < scored + kAsked; ++asked) ahead.prefetch(asked);
        look_at(last, scored);
        if (!ahead.any(first, last) && !examples.weights) continue;
        for (std::uint64_t k = first; k < last; ++k) {
            const std::size_t i = ahead.example(k);
            const Moment moment = moment_of(examples, at, at.begin + k, i);
            if (!ahead.any(k)) continue;
            bool limit_reached = false;
            for (std::size_t c = 0; c < planes.count; ++c) {
                if (!ahead.undecided(k, c)) continue;
                const bool wrong = ahead.wrong(k, c);
                if (!wrong && ahead.residual_shows_right(k, c)) continue;
                view.read += 1;
                rows.scores(i, planes.weights, c, c + 1, scores);
                if (!wrong && view.residuals) encode_residual(rows.row(i), rows.features(), view, i);
                const Met met = meet(rows, examples, at, rule, planes, problems, c, i, scores[c], moment);
                if (met == Met::not_finite) return at.begin + k + 1;
                if (met == Met::right) continue;
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

}  // namespace rosenblatt::ROSENBLATT_ISA
