// Kernel values in every storage, and dual runs on them: with the whole Gram matrix, in windows, and in one pass
// with external scores (called "blind" in the names of the cases).
#include <algorithm>

#include "products/kernel_values.hpp"
#include "runs.hpp"
#include "runs/dual/dual_run.hpp"
#include "runs/dual/dual_vote.hpp"
#include "util/exactness.hpp"

namespace rosenblatt::same_bits {

namespace {

using Name = KernelFunction::Name;
constexpr KernelFunction kKernels[] = {{Name::linear, 1, 0, 1},
                                       {Name::polynomial, 0.3, 1, 3},
                                       {Name::gaussian, 0.1, 0, 1},
                                       {Name::laplacian, 0.2, 0, 1},
                                       {Name::sigmoid, 0.05, -0.1, 1}};
constexpr const char* kKernelNames[] = {"linear", "poly", "rbf", "laplacian", "sigmoid"};

struct Gram {
    Gram(const KernelFunction& kernel, const RowsView& a, const RowsView& b)
        : columns(b.examples), values(a.examples * b.examples) {
        finite = (is_dense(a.storage) ? dense_kernel_values : sparse_kernel_values)(kernel, a, b, 1,
                                                                                     {values.data(), columns});
    }

    std::vector<double> between(const std::vector<std::uint32_t>& rows, const std::vector<std::uint32_t>& others) const {
        std::vector<double> found;
        for (const std::uint32_t i : rows)
            for (const std::uint32_t j : others) found.push_back(values[i * columns + j]);
        return found;
    }

    std::size_t columns;
    std::vector<double> values;
    bool finite;
};

// scores[c] += changes[k][c] * rows[k], as the caller of a run in windows does.
void add_rows(double* scores, std::size_t count, const std::vector<double>& changes, const std::vector<double>& rows,
              std::size_t planes) {
    for (std::size_t k = 0; k * count < rows.size(); ++k)
        for (std::size_t c = 0; c < planes; ++c)
            if (const double change = changes[k * planes + c]; change != 0)
                kernels().add_scaled(rows.data() + k * count, change, scores + c * count, count);
}

enum class Way : std::uint8_t { whole, windows, external_scores };
constexpr const char* kWays[] = {"whole", "windows", "blind"};

// Presents the next examples and adds their mistakes to the scores that the run does not keep.
void present_window(DualRun& run, const Gram& gram, const std::vector<std::uint32_t>& all, bool external_scores,
                    std::vector<std::uint32_t>& seen, std::vector<double>& changes) {
    const std::vector<std::uint32_t> window = run.open_window(13);
    if (external_scores) add_rows(run.window_scores(), window.size(), changes, gram.between(seen, window), run.planes());
    run.present_window(gram.between(window, window).data());
    if (external_scores) {
        seen.insert(seen.end(), run.changed().begin(), run.changed().end());
        changes.insert(changes.end(), run.changes().begin(), run.changes().end());
    } else if (!run.done()) {
        add_rows(run.scores().data(), all.size(), run.changes(), gram.between(run.changed(), all), run.planes());
    }
    run.close_window();
}

void answer(DualRun& run, const Gram& gram, const std::vector<std::uint32_t>& all, const std::vector<std::uint32_t>& seen,
            const std::vector<double>& changes) {
    if (run.question() == Question::grid) {
        run.answer_grid(grid_of(gram.values.data(), all.size(), all.size(), static_cast<std::ptrdiff_t>(all.size())));
    } else if (run.question() == Question::scores) {
        std::fill(run.scores().begin(), run.scores().end(), 0.0);
        add_rows(run.scores().data(), all.size(), changes, gram.between(seen, all), run.planes());
        run.answer_scores();
    } else {
        run.answer_stall(false, Ending::stalled);
    }
}

void run_dual(const Data& data, const Gram& gram, Way way, bool weighted, const Plan& plan, Digest& digest) {
    const std::size_t count = data.labels().size();
    std::vector<double> weights, steps;
    for (std::size_t i = 0; i < count; ++i) {
        weights.push_back(0.25 + static_cast<double>(i % 7) / 3);
        steps.push_back(plan.rule.eta0 * weights.back());
    }
    DualRun run({count, data.labels().data(), weighted ? steps.data() : nullptr,
                 weighted && plan.average ? weights.data() : nullptr},
                plan, {0, 1, 2}, way == Way::external_scores, false);
    std::vector<std::uint32_t> all(count), seen;
    for (std::uint32_t i = 0; i < count; ++i) all[i] = i;
    std::vector<double> changes;
    while (!run.not_finite()) {
        const DualPause pause = way == Way::whole ? run.advance(gram.values.data(), std::uint64_t{1} << 40, false)
                                                  : run.seek(false);
        if (pause == DualPause::window) present_window(run, gram, all, way == Way::external_scores, seen, changes);
        if (pause == DualPause::question) answer(run, gram, all, seen, changes);
        if (pause == DualPause::done) break;
    }
    digest.add(run.not_finite());
    for (std::size_t p = 0; p < (plan.joint ? 1 : run.planes()); ++p) add(digest, run.outcome(p));
    digest.add(run.coef());
    digest.add(run.offsets());
    if (plan.average) {
        digest.add(run.average_coef());
        digest.add(run.average_offsets());
    }
    add(digest, run.updates());
    add(digest, run.history().rows());
}

// The votes of the updates of a first problem, with survival times that depend on their number.
void add_votes(const Gram& gram, Digest& digest) {
    std::vector<std::uint32_t> columns, truths, rivals;
    std::vector<double> scales, survival{1};
    for (std::uint32_t k = 0; k < 30; ++k) {
        columns.push_back(k * 7 % static_cast<std::uint32_t>(gram.columns));
        truths.push_back(k % 3);
        rivals.push_back((k + 1 + k % 2) % 3);
        scales.push_back(k % 2 ? 0.1 : -0.7);
        survival.push_back(k % 5 + 0.5);
    }
    const Voters voters{columns.size(), columns.data(), scales.data(), survival.data(), 1};
    std::vector<double> scores(3), won(3);
    for (std::size_t i = 0; i < gram.columns; ++i) {
        digest.add(vote(voters, gram.values.data() + i * gram.columns, i % 2 == 0));
        vote_jointly(voters, truths.data(), rivals.data(), gram.values.data() + i * gram.columns, scores, won.data());
        digest.add(won);
    }
}

}  // namespace

void report_dual_runs() {
    for (const Kind kind : {Kind::floats, Kind::integers, Kind::extremes})
        for (std::size_t k = 0; k < std::size(kKernels); ++k) {
            const Data data(kind, Storage::dense64, 80, 9, 3, true, 3);
            const Gram gram(kKernels[k], data.view(), data.view());
            Digest votes;
            add_votes(gram, votes);
            report("votes/" + named(kind) + "/" + kKernelNames[k], votes);
            for (const Way way : {Way::whole, Way::windows, Way::external_scores}) {
                Digest digest;
                for (const Order order : {Order::cyclic, Order::shuffle, Order::misclassified})
                    for (const bool joint : {false, true})
                        for (const bool average : {false, true}) {
                            if (way == Way::external_scores && order == Order::misclassified) continue;
                            Plan plan;
                            plan.rule.eta0 = 0.5;
                            plan.record = true;
                            plan.seed = 9;
                            plan.order = order;
                            plan.joint = joint;
                            plan.average = average;
                            plan.limits.max_iter = way == Way::external_scores ? 1 : 12;
                            run_dual(data, gram, way, average, plan, digest);
                        }
                report("dual/" + named(kind) + "/" + kKernelNames[k] + "/" + kWays[static_cast<std::size_t>(way)], digest);
            }
        }
}

void report_kernel_values() {
    for (std::size_t k = 0; k < std::size(kKernels); ++k)
        for (const Storage storage : kStorages) {
            Digest digest;
            for (const Kind kind : {Kind::floats, Kind::decimals, Kind::integers, Kind::subnormals, Kind::extremes})
                for (const std::size_t features : {1, 5, 16, 17, 70}) {
                    const Data a(kind, storage, 33, features, 2, false, 4), b(kind, storage, 47, features, 2, false, 5);
                    const Gram gram(kKernels[k], a.view(), b.view());
                    digest.add(gram.finite);
                    digest.add(gram.values);
                }
            report("kernel/" + named(storage) + "/" + kKernelNames[k], digest);
        }

    // Small integers take narrow products; bytes only where the instruction set multiplies them.
    Stream stream(1, Purpose::sample, 1);
    constexpr std::size_t kRows = 21, kWidth = 2 * kIntegerPad;
    std::vector<std::int16_t> words;
    std::vector<std::uint8_t> bytes;
    for (std::size_t at = 0; at < kRows * kWidth; ++at) {
        bytes.push_back(static_cast<std::uint8_t>(stream.below(256)));
        words.push_back(bytes.back());
    }
    Digest digest;
    for (const KernelFunction& kernel : kKernels) {
        if (!kernel.takes_products()) continue;
        std::vector<double> out(kRows * kRows);
        if (kernels().products.byte_products)
            integer_kernel_values<std::uint8_t>(kernel, {bytes.data(), kRows, kWidth}, {bytes.data(), kRows, kWidth}, 1,
                                                {out.data(), kRows});
        else
            integer_kernel_values<std::int16_t>(kernel, {words.data(), kRows, kWidth}, {words.data(), kRows, kWidth}, 1,
                                                {out.data(), kRows});
        digest.add(out);
    }
    report("kernel/bytes", digest);

    for (std::int16_t& word : words) word = static_cast<std::int16_t>(16 * word - 2000);
    Digest wide;
    for (const KernelFunction& kernel : kKernels) {
        if (!kernel.takes_products()) continue;
        std::vector<double> out(kRows * kRows);
        integer_kernel_values<std::int16_t>(kernel, {words.data(), kRows, kWidth}, {words.data(), kRows, kWidth}, 1,
                                            {out.data(), kRows});
        wide.add(out);
    }
    report("kernel/words", wide);

    std::vector<double> x;
    for (const double u : uniforms(4000, 6))
        for (const double scale : {1e-300, 1e-9, 1.0, 30.0, 750.0}) x.push_back(scale * u);
    x.insert(x.end(), {0.0, -0.0, kInfinity, -kInfinity, 5e-324, -745.2, 709.79});
    std::vector<double> exponentials(x.size()), tangents(x.size());
    kernels().products.exponentials(x.data(), x.size(), exponentials.data());
    kernels().products.tangents(x.data(), x.size(), tangents.data());
    Digest functions;
    functions.add(exponentials);
    functions.add(tangents);
    report("kernel/exp and tanh", functions);
}

}  // namespace rosenblatt::same_bits
