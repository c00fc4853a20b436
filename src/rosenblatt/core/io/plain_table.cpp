#include "io/plain_table.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "io/decimal.hpp"
#include "io/line_chunks.hpp"
#include "util/thread_pool.hpp"

namespace rosenblatt {

namespace {

constexpr std::size_t kMostLabels = 1000;  // more distinct values are hardly labels

struct Chunk {
    Lines lines;
    std::string last_line;  // a copy with the missing newline
    std::size_t first_row = 0;
    std::size_t rows = 0;
    std::unordered_map<std::string_view, std::int32_t> known;
    std::vector<std::string_view> labels;
};

class Reader {
   public:
    Reader(const std::vector<Role>& roles, char delimiter, Chunk& chunk, double* value, std::int32_t* code)
        : roles_(roles), delimiter_(delimiter), chunk_(chunk), value_(value), code_(code) {}

    // Returns whether all lines are plain.
    bool read(const char* p, const char* end) {
        while (p < end) {
            if (*p == '\n' || (*p == '\r' && p[1] == '\n')) {  // a blank line
                p += 1 + (*p == '\r');
                continue;
            }
            if (!(p = read_row(p, end))) return false;
            ++chunk_.rows;
        }
        return true;
    }

   private:
    const char* read_row(const char* p, const char* end) {
        for (std::size_t j = 0; j < roles_.size(); ++j) {
            const bool last = j + 1 == roles_.size();
            if (roles_[j] == Role::number) {
                const Decimal number = *p == '+' ? Decimal{nullptr, 0} : read_decimal(p, end);
                if (!number.end) return nullptr;
                *value_++ = number.value;
                p = number.end;
            } else {
                const char* const field = p;
                while (*p != delimiter_ && *p != '\n' && *p != '\r' && *p != '"') ++p;
                if (roles_[j] == Role::label && !note_label({field, static_cast<std::size_t>(p - field)}))
                    return nullptr;
            }
            if (!last) {
                if (*p != delimiter_) return nullptr;
                ++p;
            }
        }
        if (*p == '\r') ++p;
        return *p == '\n' ? p + 1 : nullptr;
    }

    bool note_label(std::string_view text) {
        // Labels repeat: most rows have the label of the row before.
        if (!chunk_.labels.empty() && text == chunk_.labels[static_cast<std::size_t>(last_)]) {
            *code_++ = last_;
            return true;
        }
        const auto [place, is_new] = chunk_.known.try_emplace(text, static_cast<std::int32_t>(chunk_.labels.size()));
        if (is_new) chunk_.labels.push_back(text);
        last_ = place->second;
        *code_++ = last_;
        return chunk_.labels.size() <= kMostLabels;
    }

    const std::vector<Role>& roles_;
    const char delimiter_;
    Chunk& chunk_;
    double* value_;
    std::int32_t* code_;
    std::int32_t last_ = 0;
};

// Closes the gaps left by blank lines, and maps the label codes of all chunks to one list.
void close_up(std::vector<Chunk>& chunks, PlainTable& table) {
    std::unordered_map<std::string_view, std::int32_t> known;
    for (Chunk& chunk : chunks) {
        if (chunk.first_row != table.rows)
            std::memmove(table.values.data() + table.rows * table.columns,
                         table.values.data() + chunk.first_row * table.columns,
                         chunk.rows * table.columns * sizeof(double));
        std::vector<std::int32_t> translation;
        for (const std::string_view label : chunk.labels) {
            const auto [place, is_new] = known.try_emplace(label, static_cast<std::int32_t>(table.labels.size()));
            if (is_new) table.labels.emplace_back(label);
            translation.push_back(place->second);
        }
        if (!translation.empty())
            for (std::size_t k = 0; k < chunk.rows; ++k)
                table.codes.data()[table.rows + k] =
                    translation[static_cast<std::size_t>(table.codes.data()[chunk.first_row + k])];
        table.rows += chunk.rows;
    }
    table.values.shrink(table.rows * table.columns);
    table.codes.shrink(table.labels.empty() ? 0 : table.rows);
}

}  // namespace

std::optional<PlainTable> parse_plain_table(const char* begin, const char* end, char delimiter,
                                            const std::vector<Role>& roles, unsigned threads, std::size_t chunk_bytes) {
    std::vector<Chunk> chunks;
    for (const Lines& lines : cut_at_lines(begin, end, std::max<std::size_t>(chunk_bytes, 1))) {
        chunks.emplace_back();
        chunks.back().lines = lines;
    }
    parallel_for(chunks.size(), threads, [&](std::size_t k) {
        chunks[k].rows = static_cast<std::size_t>(std::count(chunks[k].lines.begin, chunks[k].lines.end, '\n'));
    });
    if (!chunks.empty() && end[-1] != '\n') {
        Chunk& last = chunks.back();
        const char* line = end;
        while (line > last.lines.begin && line[-1] != '\n') --line;
        last.last_line.assign(line, end);
        last.last_line += '\n';
        last.lines.end = line;
        ++last.rows;
    }
    PlainTable table;
    table.columns = static_cast<std::size_t>(std::count(roles.begin(), roles.end(), Role::number));
    std::size_t rows = 0;
    for (Chunk& part : chunks) {
        part.first_row = rows;
        rows += std::exchange(part.rows, 0);
    }
    table.values = Buffer<double>(rows * table.columns);
    table.codes = Buffer<std::int32_t>(rows);
    std::atomic<bool> plain{true};
    parallel_for(chunks.size(), threads, [&](std::size_t k) {
        Chunk& part = chunks[k];
        if (!plain) return;
        Reader reader(roles, delimiter, part, table.values.data() + part.first_row * table.columns,
                      table.codes.data() + part.first_row);
        const char* const last = part.last_line.data();
        if (!reader.read(part.lines.begin, part.lines.end) || !reader.read(last, last + part.last_line.size()))
            plain = false;
    });
    if (!plain) return std::nullopt;
    close_up(chunks, table);
    return table;
}

}  // namespace rosenblatt
