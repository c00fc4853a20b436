// Scores and labels of rows, and one-vs-one with many classes.
#include "inference/inference.hpp"
#include "pairs/pair_runs.hpp"
#include "runs.hpp"

namespace rosenblatt::same_bits {

namespace {

void add_predictions(const RowsView& rows, std::size_t classes, Digest& digest) {
    const std::size_t pairs = classes * (classes - 1) / 2;
    std::vector<std::uint32_t> names(classes), found(rows.examples);
    for (std::uint32_t c = 0; c < classes; ++c) names[c] = c;
    const LabelsView labels{reinterpret_cast<const unsigned char*>(names.data()), classes, sizeof(std::uint32_t),
                            reinterpret_cast<unsigned char*>(found.data())};
    for (const Tie tie : {Tie::mistake, Tie::positive})
        for (const Decision decision : {Decision::sign, Decision::largest, Decision::pairs}) {
            if ((decision == Decision::sign) != (classes == 2)) continue;
            const std::size_t planes = decision == Decision::sign ? 1 : decision == Decision::pairs ? pairs : classes;
            const std::vector<double> w = uniforms(planes * rows.features, classes), offsets = uniforms(planes, 2);
            const PlanesView view{w.data(), offsets.data(), planes};
            std::vector<double> scores(rows.examples * planes);
            digest.add(score_rows(rows, view, true, 1, scores.data()));
            digest.add(scores);
            digest.add(label_rows(rows, view, decision, tie, true, 1, labels));
            digest.add(found);
            if (decision == Decision::pairs) continue;
            label_scores(scores.data(), rows.examples, planes, labels);
            digest.add(found);
            kernels().scores_in_place(rows, w.data(), offsets.data(), planes, scores.data());
            digest.add(scores);
        }
}

void add_stored(const StoredPairs& stored, Digest& digest) {
    digest.add(stored.starts);
    digest.add(stored.replayed);
    digest.add(stored.index);
    for (const std::vector<double>* values : {&stored.value, &stored.clock, &stored.total, &stored.offsets})
        digest.add(*values);
}

void add_pairs(const Data& data, std::size_t classes, PairPublished published, Digest& digest) {
    const RowsView rows = data.view();
    std::vector<std::vector<std::uint32_t>> members(classes);
    for (std::uint32_t i = 0; i < rows.examples; ++i)
        members[static_cast<std::size_t>(data.labels()[i])].push_back(i);
    Plan plan;
    plan.rule.eta0 = 0.3;
    plan.order = Order::shuffle;
    plan.limits.max_iter = 15;
    plan.average = published == PairPublished::average;
    plan.pocket = published == PairPublished::pocket;
    PairRuns runs({rows, data.labels().data(), nullptr, nullptr}, plan, members, nullptr, 0, published, true, 1);
    while (!runs.advance(std::uint64_t{1} << 40)) {
    }
    const PairFacts& facts = runs.facts();
    digest.add(facts.endings);
    for (const auto* counts : {&facts.epochs, &facts.mistakes, &facts.presented, &facts.periods}) digest.add(*counts);
    for (const auto* values : {&facts.clocks, &facts.pocket_runs, &facts.pocket_errors}) digest.add(*values);
    add_stored(runs.last(), digest);
    add_stored(runs.published(), digest);
    digest.add(runs.updates().example);
    digest.add(runs.updates().scale);
    add(digest, runs.history());

    const StoredPairs& stored = published == PairPublished::last ? runs.last() : runs.published();
    const bool average = !stored.total.empty();
    const PairsView view{rows, classes, stored.starts.data(), stored.replayed.data(), stored.index.data(),
                         stored.value.data(), average ? stored.clock.data() : nullptr,
                         average ? stored.total.data() : nullptr, stored.offsets.data(), nullptr};
    std::vector<double> votes(rows.examples * classes);
    std::vector<std::uint32_t> codes(rows.examples);
    pair_votes(view, rows, 0, rows.examples, Tie::mistake, votes.data());
    pair_labels(view, rows, 0, rows.examples, Tie::mistake, codes.data());
    digest.add(votes);
    digest.add(codes);
}

}  // namespace

void report_predictions() {
    for (const Storage storage : kStorages)
        for (const Kind kind : {Kind::floats, Kind::decimals, Kind::subnormals, Kind::extremes})
            for (const std::size_t classes : {2, 3, 11}) {
                Digest digest;
                for (const std::size_t features : {1, 6, 16, 23, 100})
                    add_predictions(Data(kind, storage, 90, features, 2, true, 8).view(), classes, digest);
                report("prediction/" + named(storage) + "/" + named(kind) + "/" + std::to_string(classes) + " classes",
                       digest);
            }
}

void report_pairs() {
    for (const Storage storage : kStorages) {
        const Data data(Kind::floats, storage, 200, 30, 6, true, 6);
        Digest digest;
        for (const PairPublished published : {PairPublished::last, PairPublished::average, PairPublished::pocket})
            add_pairs(data, 6, published, digest);
        report("one-vs-one/" + named(storage), digest);
    }
}

}  // namespace rosenblatt::same_bits
