// Cycles, points of least norm, learning from single examples, and the readers of text.
#include <string_view>
#include <variant>

#include "battery.hpp"
#include "io/plain_table.hpp"
#include "io/svmlight.hpp"
#include "io/text_hash.hpp"
#include "runs/one_by_one.hpp"
#include "theory/find_cycle.hpp"
#include "theory/min_norm.hpp"

namespace rosenblatt::same_bits {

namespace {

void add_one_by_one(bool average, Step step, Digest& digest) {
    Rule rule;
    rule.eta0 = 0.7;
    rule.step = step;
    rule.margin = step == Step::constant ? 0 : 1;
    OneByOne learner(rule, average);
    learner.grow(12);
    for (std::ptrdiff_t c = 0; c < 3; ++c) learner.add_plane(c, -1);
    const Data data(Kind::floats, Storage::dense64, 120, 12, 3, true, 10);
    for (std::size_t i = 0; i < 120; ++i) {
        std::vector<SlotValue> x;
        for (std::size_t j = 0; j < 12; ++j)
            if (const double value = data.values()[i * 12 + j]; value != 0) x.push_back({j, value});
        digest.add(learner.learn(x, data.labels()[i]));
        digest.add(learner.published(x));
    }
}

std::string svmlight_text() {
    std::string text;
    Stream stream(3, Purpose::sample, 0);
    char number[64];
    for (int i = 0; i < 200; ++i) {
        text += i % 2 ? "+1" : "-1";
        for (int j = 1; j < 40; j += 2) {
            const std::uint64_t bits = stream.next();
            const auto digits = static_cast<unsigned long long>(bits >> (bits % 5) * 12);
            std::snprintf(number, sizeof number, " %d:%s%llu.%lluE%d", j, bits & 1 ? "-" : "", digits / 1000, digits % 1000,
                          static_cast<int>(bits % 41) - 20);
            text += number;
            std::snprintf(number, sizeof number, " %d:%u.%u", j + 1, static_cast<unsigned>(bits % 100),
                          static_cast<unsigned>(bits / 100 % 1000));
            text += number;
        }
        text += "\n";
    }
    text += "1 1:5e-324 2:1.7976931348623157e308 3:2.2250738585072011e-308 4:0.1 5:9007199254740993\n";
    return text;
}

}  // namespace

void report_theory() {
    Digest cycles;
    for (const Kind kind : {Kind::integers, Kind::decimals}) {
        const Data data(kind, Storage::dense64, 6, 2, 2, true, 13);
        const std::vector<double> start(2);
        CycleSearch search({data.view(), data.labels().data(), nullptr, nullptr}, Rule{}, 1, start.data(), 0);
        for (int slice = 0; slice < 50 && !search.advance(200); ++slice) {
        }
        const Cycle& found = search.found();
        for (const std::uint64_t count : {found.pre_period, found.period, found.epochs}) cycles.add(count);
        cycles.add(found.separated);
        cycles.add(found.mistakes);
    }
    report("cycles", cycles);

    for (const Kind kind : {Kind::floats, Kind::integers, Kind::flags})
        for (const std::size_t dim : {3, 12, 40}) {
            const Data data(kind, Storage::dense64, 400, dim, 2, false, 14);
            std::vector<double> points = data.values();
            for (std::size_t at = 0; at < points.size(); at += dim)
                for (std::size_t j = 0; j < dim; ++j) points[at + j] += 0.1;  // moves the hull away from the origin
            MinNorm solver(dim);
            solver.add(points.data(), 400);
            Digest digest;
            digest.add(solver.solve(1e-9, std::uint64_t{1} << 26));
            digest.add(solver.gap());
            digest.add(solver.members());
            digest.add(solver.multipliers());
            digest.add(solver.point());
            report("least norm/" + named(kind) + "/" + std::to_string(dim), digest);
        }

    for (const Step step : {Step::constant, Step::pa, Step::pa1, Step::pa2}) {
        Digest digest;
        add_one_by_one(false, step, digest);
        add_one_by_one(true, step, digest);
        report("one by one/" + std::to_string(static_cast<int>(step)), digest);
    }
}

void report_files() {
    const std::string text = svmlight_text();
    SvmlightOptions options;
    options.hash = true;
    const Svmlight read = parse_svmlight(text.data(), text.data() + text.size(), options);
    Digest digest;
    digest.add(read.labels);
    std::visit(
        [&](const auto& rows) {
            digest.add(rows.values);
            digest.add(rows.indices);
            digest.add(rows.starts);
        },
        read.rows);
    digest.add(*read.hash);
    report("svmlight", digest);

    const std::string table = "1.5,a,-2e3\n0.1,b,7\n123456789012345678901234567890,a,.5\n5e-324,c,1.7976931348623157e308\n";
    const auto parsed = parse_plain_table(table.data(), table.data() + table.size(), ',',
                                          {Role::number, Role::label, Role::number}, 1, 1 << 20);
    Digest plain;
    plain.add(parsed.has_value());
    if (parsed) {
        plain.add(parsed->values);
        plain.add(parsed->codes);
    }
    report("plain table", plain);

    constexpr std::string_view kWords = "The perceptron, a perceiving and recognizing automaton: Größe, 1957; b c de";
    HashedTexts hashed;
    TextHasher hasher(18, 3);
    const auto* bytes = reinterpret_cast<const unsigned char*>(kWords.data());
    hasher.add(bytes, bytes + kWords.size(), hashed);
    Digest words;
    words.add(hashed.counts);
    words.add(hashed.buckets);
    words.add(hash_of(bytes, bytes + kWords.size()));
    report("text hash", words);
}

}  // namespace rosenblatt::same_bits
