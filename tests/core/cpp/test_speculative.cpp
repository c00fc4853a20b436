// The speculative pass takes the path of the plain pass: with proofs of any age, and with two threads at any speed.
// `tools/sanitize_threads` runs this under ThreadSanitizer.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "accelerate/speculative/pipeline.hpp"
#include "rows/weight_store.hpp"

using namespace rosenblatt;

namespace {

enum class Kind { gaussian, integers, tiny, huge, repeated };

// Labelled rows, dense or CSR.
struct Sample {
    std::vector<double> values;
    std::vector<std::int32_t> indices, starts{0}, labels;
    RowsView rows{};

    Examples examples() const { return {rows, labels.data(), nullptr, nullptr}; }
};

Sample sample_of(Kind kind, bool sparse, std::size_t examples, std::size_t features, double noise, std::mt19937_64& generator) {
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    const std::size_t entries = sparse ? features / 3 + 1 : features;
    std::vector<double> truth(features);
    for (double& weight : truth) weight = normal(generator);
    Sample found;
    for (std::size_t i = 0; i < examples; ++i) {
        double score = 0.1;
        for (std::size_t k = 0; k < entries; ++k) {
            double value = normal(generator);
            if (kind == Kind::integers) value = std::round(2 * value);
            if (kind == Kind::tiny) value *= 1e-170;
            if (kind == Kind::huge) value *= 1e140;
            // Columns of a CSR row ascend, except in repeated ones.
            const std::size_t column = !sparse ? k : kind == Kind::repeated ? generator() % features : 3 * k % features;
            found.values.push_back(value);
            found.indices.push_back(static_cast<std::int32_t>(column));
            score += value * truth[column];
        }
        found.starts.push_back(static_cast<std::int32_t>(found.values.size()));
        found.labels.push_back((score > 0) != (uniform(generator) < noise));
    }
    found.rows = sparse ? RowsView{Storage::csr64_i32, examples, features, found.values.data(), 0, found.indices.data(),
                                   found.starts.data()}
                        : RowsView{Storage::dense64, examples, features, found.values.data(),
                                   static_cast<std::ptrdiff_t>(features), nullptr, nullptr};
    return found;
}

// A run of one problem over all examples.
struct Run {
    explicit Run(const Sample& sample) : examples(sample.examples()), weights(sample.rows.storage, 1, sample.rows.features) {
        problem.max_updates = std::uint64_t{1} << 60;
    }

    Planes planes() { return {weights.view(), weights.view(), nullptr, 1}; }

    Presentation stretch(std::uint64_t begin, std::uint64_t end) { return {order, begin, end, begin, &clock, nullptr}; }

    void present_plainly(const Rule& rule) {
        double scores[score_room(1)];
        kernels().online(examples, stretch(0, examples.rows.examples), rule, planes(), &problem, scores, nullptr);
    }

    std::vector<double> state() const {
        std::vector<double> w(examples.rows.features);
        weights.get(0, w.data());
        w.insert(w.end(), {weights.offset(0), static_cast<double>(problem.mistakes), problem.epoch_loss,
                           static_cast<double>(problem.last_change), static_cast<double>(problem.epoch_errors)});
        return w;
    }

    Examples examples;
    WeightStore weights;
    Problem problem;
    double clock = 0;
    const std::uint32_t* order = nullptr;
};

struct Logged {
    LoggedUpdate update{};
    double moved = 0;
};

// One epoch in which every part of 16 examples was proved up to 100 examples earlier. Returns the number of examples skipped.
std::uint64_t present_with_old_proofs(Run& run, const Rule& rule, std::mt19937_64& generator) {
    constexpr std::uint64_t kPart = 16;
    const std::size_t features = run.examples.rows.features;
    const std::uint64_t end = run.examples.rows.examples;
    std::vector<float> lengths(end), allowances(end);
    std::vector<std::size_t> versions(end / kPart + 1);
    std::vector<Logged> log(1);
    const Planes planes = run.planes();
    const double kappa = 4 * std::numeric_limits<double>::epsilon() * static_cast<double>(features + 64 + kMaxLogged);
    std::vector<double> w(features);
    run.weights.get(0, w.data());
    double squares = run.weights.offset(0) * run.weights.offset(0);
    for (const double weight : w) squares += weight * weight;
    const double start_length = kRoundUp * std::sqrt(squares);
    std::uint64_t skipped = 0, proved = 0;
    for (std::uint64_t k = 0; k < end;) {
        const std::uint64_t wanted = std::min(end, (k / kPart + 1 + generator() % 6) * kPart);
        for (; proved < wanted; proved += kPart) {
            const std::uint64_t last = std::min(end, proved + kPart);
            const ProofTask task{1, rule.margin, (start_length + log.back().moved) * kRoundUp, kappa, lengths.data()};
            kernels().prove_segment(run.examples, {nullptr, proved, last, last, 0, end}, planes.weights, task,
                                    allowances.data() + proved);
            versions[proved / kPart] = log.size() - 1;
        }
        const std::uint64_t last = std::min(end, (k / kPart + 1) * kPart);
        const std::size_t version = versions[k / kPart];
        const bool old = version + 1 != log.size();
        const double moved = (log.back().moved - log[version].moved) * kRoundUp + log.back().moved * 1e-11;
        SegmentResult found;
        const std::uint64_t mistakes = run.problem.mistakes;
        const std::uint64_t reached = kernels().present_segment(
            run.examples, run.stretch(k, last), {nullptr, k, last, last, 0, end}, rule, planes, run.problem,
            allowances.data() + k, old ? static_cast<float>(moved) * 1.000001F + kLeastMove : 0.0F, found);
        skipped += reached - k - found.scored;
        k = reached;
        if (run.problem.mistakes != mistakes)
            log.push_back({found.update, log.back().moved + std::fabs(found.update.scale) * found.update.length});
    }
    return skipped;
}

}  // namespace

TEST_CASE("proofs of any age leave the path as it is, bit for bit, and skip most examples") {
    std::mt19937_64 generator(3);
    for (const Kind kind : {Kind::gaussian, Kind::integers, Kind::tiny, Kind::huge, Kind::repeated})
        for (const bool sparse : {false, true})
            for (const double noise : {0.0, 0.01, 0.2})
                for (const Step step : {Step::constant, Step::pa1})
                    for (int turn = 0; turn < 4; ++turn) {
                        CAPTURE(static_cast<int>(kind));
                        CAPTURE(sparse);
                        CAPTURE(noise);
                        const Sample sample = sample_of(kind, sparse, 400, 17 + generator() % 50, noise, generator);
                        Rule rule;
                        rule.step = step;
                        rule.margin = step == Step::pa1 ? 0.5 : 0;
                        rule.eta0 = turn % 2 ? 1.0 : 0.03;
                        rule.fit_intercept = turn < 3;
                        Run plain(sample), speculative(sample);
                        const bool plain_and_clear = kind == Kind::gaussian && noise == 0 && step == Step::constant;
                        std::uint64_t skipped = 0;
                        for (int epoch = 0; epoch < (plain_and_clear ? 40 : 6); ++epoch) {
                            plain.present_plainly(rule);
                            skipped = present_with_old_proofs(speculative, rule, generator);
                            REQUIRE(plain.state() == speculative.state());
                        }
                        if (plain_and_clear) CHECK(skipped > 200);
                    }
}

TEST_CASE("two threads take the path of one, for any length of a stretch and with a full log") {
    std::mt19937_64 generator(4);
    for (const bool sparse : {false, true})
        for (const std::size_t examples : {1u, 31u, 32u, 33u, 700u, 40000u})
            for (const double noise : {0.0, 0.01, 0.5}) {
                CAPTURE(sparse);
                CAPTURE(examples);
                CAPTURE(noise);
                const Sample sample = sample_of(Kind::gaussian, sparse, examples, 40, noise, generator);
                std::vector<std::uint32_t> order(examples);
                SpeculativePipeline pipeline(sample.rows, true);
                Run plain(sample), speculative(sample);
                for (int epoch = 0; epoch < 3; ++epoch) {
                    epoch_order(7, static_cast<std::uint64_t>(epoch), static_cast<std::uint32_t>(examples), order.data());
                    plain.order = speculative.order = epoch ? order.data() : nullptr;
                    plain.present_plainly({});
                    const std::uint64_t reached = pipeline.run(speculative.examples, speculative.stretch(0, examples), {},
                                                               speculative.planes(), speculative.problem);
                    REQUIRE(reached == examples);
                    REQUIRE(plain.state() == speculative.state());
                }
            }
}

TEST_CASE("two threads stop at the limit of updates") {
    std::mt19937_64 generator(5);
    const Sample sample = sample_of(Kind::gaussian, false, 3000, 60, 0.05, generator);
    for (const std::uint64_t limit : {1u, 2u, 50u, 120u}) {
        Run plain(sample), speculative(sample);
        plain.problem.max_updates = speculative.problem.max_updates = limit;
        plain.present_plainly({});
        SpeculativePipeline pipeline(sample.rows, true);
        const std::uint64_t reached = pipeline.run(speculative.examples, speculative.stretch(0, 3000), {}, speculative.planes(),
                                                   speculative.problem);
        CHECK(reached == speculative.problem.last_change);
        CHECK(plain.state() == speculative.state());
    }
}
