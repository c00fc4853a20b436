#include "io/svmlight.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "io/fingerprint.hpp"
#include "io/line_chunks.hpp"
#include "io/svmlight_lines.hpp"

namespace rosenblatt {

namespace {

void count(Chunk& chunk) {
    constexpr std::size_t kWidth = 64;
    const char* p = chunk.begin;
    while (static_cast<std::size_t>(chunk.end - p) >= kWidth) {
        // Counting in bytes, up to 255, lets the compiler add 64 comparisons in one vector instruction.
        std::uint8_t lines[kWidth] = {}, colons[kWidth] = {};
        const std::size_t blocks = std::min<std::size_t>(255, static_cast<std::size_t>(chunk.end - p) / kWidth);
        for (std::size_t b = 0; b < blocks; ++b, p += kWidth) {
            for (std::size_t k = 0; k < kWidth; ++k) {
                lines[k] = static_cast<std::uint8_t>(lines[k] + (p[k] == '\n'));
                colons[k] = static_cast<std::uint8_t>(colons[k] + (p[k] == ':'));
            }
        }
        for (std::size_t k = 0; k < kWidth; ++k) {
            chunk.lines += lines[k];
            chunk.colons += colons[k];
        }
    }
    for (; p < chunk.end; ++p) {
        chunk.lines += *p == '\n';
        chunk.colons += *p == ':';
    }
}

std::vector<Chunk> cut(const char* begin, const char* end, std::size_t size) {
    std::vector<Chunk> chunks;
    for (const Lines& lines : cut_at_lines(begin, end, size)) chunks.push_back({lines.begin, lines.end});
    return chunks;
}

template <class Index>
void close_up(const std::vector<Chunk>& chunks, Svmlight& file, Csr<Index>& rows) {
    std::uint64_t row = 0, entry = 0;
    for (const Chunk& chunk : chunks) {
        if (chunk.first_row != row) {
            std::memmove(file.labels.data() + row, file.labels.data() + chunk.first_row, chunk.rows * sizeof(double));
            std::memmove(file.qids.data() + row, file.qids.data() + chunk.first_row,
                         chunk.rows * sizeof(std::int64_t));
        }
        if (chunk.first_entry != entry) {
            std::memmove(rows.values.data() + entry, rows.values.data() + chunk.first_entry,
                         chunk.entries * sizeof(double));
            std::memmove(rows.indices.data() + entry, rows.indices.data() + chunk.first_entry,
                         chunk.entries * sizeof(Index));
        }
        if (chunk.first_row != row || chunk.first_entry != entry) {
            const auto shift = static_cast<Index>(chunk.first_entry - entry);
            for (std::uint64_t k = 0; k < chunk.rows; ++k)
                rows.starts.data()[row + 1 + k] = rows.starts.data()[chunk.first_row + 1 + k] - shift;
        }
        row += chunk.rows;
        entry += chunk.entries;
    }
    rows.starts.data()[0] = 0;
    file.labels.shrink(row);
    file.qids.shrink(row);
    rows.starts.shrink(row + 1);
    rows.values.shrink(entry);
    rows.indices.shrink(entry);
}

struct Cancelled {};

struct Text {
    const char* begin;  // including a byte order mark
    const char* end;
    std::vector<Chunk> chunks;
    std::string last_line;  // a copy with the missing newline
    std::uint64_t rows = 0;
    std::uint64_t entries = 0;
    std::optional<std::uint64_t> hash;
};

// A thread pool whose jobs stop once the parsing is cancelled.
struct CancellablePool {
    ThreadPool& pool;
    const std::atomic<bool>& cancelled;

    void run(std::size_t jobs, const std::function<void(std::size_t)>& job) const {
        pool.run(jobs, [&](std::size_t k) {
            if (cancelled) throw Cancelled{};
            job(k);
        });
    }
};

std::uint64_t hash_of(const Text& text, const std::atomic<bool>& cancelled) {
    constexpr std::ptrdiff_t kStretch = 1 << 22;
    Xxh64 hash;
    for (const char* p = text.begin; p < text.end && !cancelled; p += kStretch)
        hash.add(reinterpret_cast<const unsigned char*>(p), static_cast<std::size_t>(std::min(kStretch, text.end - p)));
    return hash.value();
}

struct TooWide {};

template <class Index>
Svmlight parse_as(Text& text, const SvmlightOptions& options, const CancellablePool& pool) {
    constexpr std::int64_t kWidest = std::numeric_limits<Index>::max();
    Bounds bounds{};
    bounds.base = options.zero_based.value_or(false) ? 0 : 1;
    bounds.smallest_allowed = options.zero_based.has_value() ? bounds.base : 0;
    bounds.first_too_large = kWidest;  // the number of features must fit the type too
    bounds.limited_by_type = sizeof(Index) < sizeof(std::int64_t);
    if (options.features && options.zero_based && *options.features < static_cast<std::uint64_t>(kWidest) - 1) {
        bounds.first_too_large = static_cast<std::int64_t>(*options.features) + bounds.base;
        bounds.limited_by_type = false;
    }

    Svmlight file;
    file.labels = Buffer<double>(text.rows);
    file.qids = Buffer<std::int64_t>(text.rows);
    Csr<Index>& rows = file.rows.emplace<Csr<Index>>();
    rows.values = Buffer<double>(text.entries);
    rows.indices = Buffer<Index>(text.entries);
    rows.starts = Buffer<Index>(text.rows + 1);

    std::atomic<bool> stop{false};
    const auto parse = [&](std::size_t k) {
        Chunk& chunk = text.chunks[k];
        if (stop) return;
        chunk.rows = chunk.entries = chunk.first_row_line = 0;
        chunk.smallest = std::numeric_limits<std::int64_t>::max();
        chunk.largest = -1;
        chunk.fault.reset();
        chunk.too_wide = false;
        Parser<Index> parser(chunk, bounds, file.labels.data(), file.qids.data(), rows);
        const bool unfinished = k + 1 == text.chunks.size() && !text.last_line.empty();
        parser.parse(chunk.begin, chunk.end, chunk.first_line);
        if (unfinished && !chunk.fault) {
            const char* const line = text.last_line.data();
            parser.parse(line, line + text.last_line.size(), chunk.first_line + chunk.lines - 1);
        }
        if (chunk.too_wide) stop = true;
    };
    // Hashing is sequential: one job, the longest, so it starts first.
    const std::size_t hashing = options.hash && !text.hash;
    pool.run(hashing + text.chunks.size(), [&](std::size_t k) {
        if (k < hashing)
            text.hash = hash_of(text, pool.cancelled);
        else
            parse(k - hashing);
    });
    file.hash = text.hash;

    if (stop) throw TooWide{};
    const Chunk* first = nullptr;
    for (const Chunk& chunk : text.chunks) {
        if (chunk.fault) throw SvmlightError(chunk.fault->line, chunk.fault->what);
        if (chunk.first_row_line == 0) continue;
        if (first && chunk.has_qid != first->has_qid)
            throw SvmlightError(chunk.first_row_line,
                                std::string(chunk.has_qid ? "has a qid" : "has no qid") + ", unlike line " +
                                    std::to_string(first->first_row_line) + "; give one to all lines or to none");
        if (!first) first = &chunk;
    }

    std::int64_t smallest = std::numeric_limits<std::int64_t>::max(), largest = -1;
    for (const Chunk& chunk : text.chunks) {
        smallest = std::min(smallest, chunk.smallest);
        largest = std::max(largest, chunk.largest);
    }
    file.zero_based = options.zero_based.value_or(smallest == 0);
    const std::int64_t base = file.zero_based ? 0 : 1;
    const auto needed = static_cast<std::uint64_t>(largest < 0 ? 0 : largest - base + 1);
    file.features = options.features.value_or(needed);
    if (needed > file.features) {
        // The base of the indices is known only now: parse again with it to find the line.
        SvmlightOptions known = options;
        known.zero_based = file.zero_based;
        return parse_as<Index>(text, known, pool);
    }
    close_up(text.chunks, file, rows);
    if (base != bounds.base)
        for (std::size_t k = 0; k < rows.indices.size(); ++k) ++rows.indices.data()[k];
    if (!first || !first->has_qid) file.qids = Buffer<std::int64_t>();
    return file;
}

Svmlight parse(const char* begin, const char* end, const SvmlightOptions& options, const CancellablePool& pool) {
    Text text{begin, end, {}, {}, 0, 0, {}};
    if (end - begin >= 3 && std::memcmp(begin, "\xef\xbb\xbf", 3) == 0) begin += 3;  // a byte order mark
    text.chunks = cut(begin, end, std::max<std::size_t>(options.chunk_bytes, 1));
    pool.run(text.chunks.size(), [&](std::size_t k) { count(text.chunks[k]); });
    if (!text.chunks.empty() && end[-1] != '\n') {
        Chunk& last = text.chunks.back();
        const char* line = end;
        while (line > last.begin && line[-1] != '\n') --line;
        text.last_line.assign(line, end);
        text.last_line += '\n';
        last.end = line;
        ++last.lines;
    }
    std::uint64_t line = 1;
    for (Chunk& chunk : text.chunks) {
        chunk.first_line = line;
        chunk.first_row = text.rows;
        chunk.first_entry = text.entries;
        line += chunk.lines;
        text.rows += chunk.lines;
        text.entries += chunk.colons;
    }
    constexpr auto kNarrow = static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max());
    if (text.entries < kNarrow) {
        try {
            return parse_as<std::int32_t>(text, options, pool);
        } catch (const TooWide&) {
        }
    }
    return parse_as<std::int64_t>(text, options, pool);
}

}  // namespace

SvmlightError::SvmlightError(std::uint64_t line, const std::string& what)
    : std::runtime_error("line " + std::to_string(line) + ": " + what) {}

Svmlight parse_svmlight(const char* begin, const char* end, const SvmlightOptions& options) {
    return SvmlightReading(begin, end, options).finish();
}

SvmlightReading::SvmlightReading(const char* begin, const char* end, const SvmlightOptions& options)
    : begin_(begin), end_(end), options_(options) {
    const std::size_t jobs = static_cast<std::size_t>(end - begin) / std::max<std::size_t>(options.chunk_bytes, 1) + 2;
    const std::size_t threads = std::min<std::size_t>(options.threads, jobs);
    if (threads < 2) return;
    try {
        parser_ = std::thread([this] { run_parse(); });
    } catch (const std::system_error&) {
        return;  // the system refused a thread: finish() does all the work
    }
    workers_.emplace(pool_, threads - 2);
}

SvmlightReading::~SvmlightReading() {
    cancelled_ = true;
    if (parser_.joinable()) parser_.join();
}

Svmlight SvmlightReading::finish() {
    if (parser_.joinable()) {
        pool_.work();
        parser_.join();
    } else {
        run_parse();
    }
    if (exception_) std::rethrow_exception(exception_);
    return std::move(found_);
}

void SvmlightReading::run_parse() noexcept {
    try {
        found_ = parse(begin_, end_, options_, {pool_, cancelled_});
    } catch (...) {
        exception_ = std::current_exception();
    }
    pool_.stop();
}

}  // namespace rosenblatt
