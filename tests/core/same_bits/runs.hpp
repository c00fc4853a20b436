// Runs an online perceptron to its end, and digests of what it leaves.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "battery.hpp"
#include "runs/online/online_run.hpp"

namespace rosenblatt::same_bits {

// How one case differs from a plain run.
struct Setting {
    const char* name;
    void (*change)(Plan& plan);
    bool weighted = false;      // examples have weights
    bool starts_random = false; // else at zero
    bool chosen = false;        // two of three examples take part
};

inline void add(Digest& digest, const Snapshot& state) {
    digest.add(state.w);
    digest.add(state.offsets);
}

inline void add(Digest& digest, const Outcome& outcome) {
    digest.add(outcome.ending);
    digest.add(outcome.epochs);
    digest.add(outcome.mistakes);
    digest.add(outcome.presented);
    digest.add(outcome.clock);
    digest.add(outcome.period);
    digest.add(outcome.validated);
    digest.add(outcome.pocket_run);
    digest.add(outcome.pocket_errors);
    digest.add(outcome.pocket_updates);
    digest.add(outcome.epoch_errors);
    digest.add(outcome.epoch_loss);
    digest.add(outcome.last_change);
    for (const Snapshot* state : {&outcome.last, &outcome.average, &outcome.pocket, &outcome.delayed}) add(digest, *state);
}

inline void add(Digest& digest, const std::vector<Update>& updates) {
    digest.add(updates.size());
    for (const Update& update : updates) {
        digest.add(update.presented);
        digest.add(update.problem);
        digest.add(update.example);
    }
}

inline void add(Digest& digest, const std::vector<EpochRow>& rows) {
    for (const EpochRow& row : rows) {
        for (const std::uint64_t count : {row.epoch, row.presented, row.mistakes, row.errors}) digest.add(count);
        digest.add(row.loss);
    }
}

// The classes against the rest, or for `planes` = 1 the last class against the rest. Returns the accelerators that ran.
inline std::set<std::string> run_online(const Data& data, const Setting& setting, std::int32_t planes, std::int32_t classes,
                                        Digest& digest) {
    const RowsView rows = data.view();
    Plan plan;
    plan.limits.max_iter = 25;
    plan.seed = 7;
    if (setting.change) setting.change(plan);
    std::vector<double> weights, steps;
    if (setting.weighted)
        for (std::size_t i = 0; i < rows.examples; ++i) {
            weights.push_back(0.25 + static_cast<double>(i % 7) / 3);
            steps.push_back(plan.rule.eta0 * weights.back());
        }
    std::vector<std::int32_t> positives;
    for (std::int32_t c = classes - planes; c < classes; ++c) positives.push_back(c);
    const auto count = static_cast<std::size_t>(planes);
    std::vector<double> start(count * rows.features), offsets(count);
    if (setting.starts_random) {
        start = uniforms(start.size(), 3);
        offsets = uniforms(offsets.size(), 4);
    }
    std::vector<std::uint32_t> chosen;
    for (std::uint32_t i = 0; i < rows.examples; ++i)
        if (i % 3 != 1) chosen.push_back(i);
    if (!plan.validation.empty()) {
        plan.validation.clear();
        for (std::uint32_t i = 1; i < rows.examples; i += 3) plan.validation.push_back(i);
    }
    const bool has_chosen = setting.chosen || !plan.validation.empty();
    OnlineRun run({rows, data.labels().data(), setting.weighted ? steps.data() : nullptr,
                   setting.weighted && (plan.average || plan.pocket) ? weights.data() : nullptr},
                  has_chosen ? &chosen : nullptr, plan, positives, start.data(), offsets.data());
    while (run.advance(std::uint64_t{1} << 40, false) != Pause::done && !run.not_finite()) {
    }
    digest.add(run.not_finite());
    std::set<std::string> used;
    for (std::size_t p = 0; p < run.problems(); ++p) {
        const Outcome outcome = run.outcome(p);
        add(digest, outcome);
        for (const AcceleratorUse& use : outcome.accelerators) used.insert(use.name);
    }
    add(digest, run.updates());
    digest.add(run.scales());
    add(digest, run.history().rows());
    return used;
}

}  // namespace rosenblatt::same_bits
