// Parses lines of svmlight text into their places in the arrays of the whole file.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "io/decimal.hpp"
#include "io/svmlight.hpp"
#include "io/svmlight_entry.hpp"

namespace rosenblatt {

// A chunk of whole lines. Its entries are counted first, so that every chunk can be parsed into its place in the arrays; gaps
// from too high counts (colons in comments, blank lines) are closed at the end.
struct Chunk {
    const char* begin;
    const char* end;
    std::uint64_t lines = 0;
    std::uint64_t colons = 0;

    std::uint64_t first_line = 0;
    std::uint64_t first_row = 0;
    std::uint64_t first_entry = 0;

    std::uint64_t rows = 0;
    std::uint64_t entries = 0;
    std::int64_t smallest = std::numeric_limits<std::int64_t>::max();
    std::int64_t largest = -1;
    std::uint64_t first_row_line = 0;
    bool has_qid = false;

    struct Fault {
        std::uint64_t line;
        std::string what;
    };
    std::optional<Fault> fault = std::nullopt;
    bool too_wide = false;
};

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }
inline bool ends_token(char c) { return c == '\n' || c == '#' || is_blank(c); }

// The token at p for an error message: shortened, and without control characters.
inline std::string quoted(const char* p) {
    constexpr std::size_t kShown = 30;
    std::string text = "'";
    for (std::size_t n = 0; !ends_token(*p); ++p, ++n) {
        if (n == kShown) {
            text += "...";
            break;
        }
        const auto byte = static_cast<unsigned char>(*p);
        if (byte >= 0x20 && byte < 0x7f) {
            text += *p;
        } else {
            constexpr char hex[] = "0123456789abcdef";
            text += {'\\', 'x', hex[byte >> 4], hex[byte & 15]};
        }
    }
    return text + "'";
}

struct Refused {
    std::string what;
};

struct Bounds {
    std::int64_t base;              // subtracted from every index
    std::int64_t smallest_allowed;  // as written
    std::int64_t first_too_large;   // as written
    bool limited_by_type;           // a larger index would need 64 bits
};

// Reads an integer of at most 18 digits, which fits 64 bits; null if there is none.
inline const char* read_index(const char* p, const char* end, std::int64_t& value) {
    std::uint64_t number = 0;
    const char* const stop = read_digits(p, end, number);
    value = static_cast<std::int64_t>(number);
    return stop == p || stop - p > 18 ? nullptr : stop;
}

inline const char* read_qid(const char* p, const char* end, std::int64_t& qid) {
    const char* const token = p;
    p += 4;
    const bool negative = *p == '-';
    if (*p == '-' || *p == '+') ++p;
    const char* const stop = read_index(p, end, qid);
    if (!stop || !ends_token(*stop)) throw Refused{quoted(token) + " is not a query id; write qid:7"};
    if (negative) qid = -qid;
    return stop;
}

inline std::string fault_of_label(const char* token, const char* end) {
    const Decimal first = read_decimal(token, end);
    if (first.end && *first.end == ',') return quoted(token) + " names several labels; an example can have only one";
    if (first.end && *first.end == ':') return "the line begins with " + quoted(token) + ", not with a label";
    return "the label " + quoted(token) + " is not a finite number";
}

inline std::string fault_of_entry(const char* token, const char* end) {
    std::int64_t index = 0;
    const char* digits = token + (*token == '+' || *token == '-');
    const char* const stop = read_index(digits, end, index);
    if (stop && *stop == ':') {
        if (*token == '-') return "the index of " + quoted(token) + " is negative";
        return "the value of " + quoted(token) + " is not a finite number";
    }
    return quoted(token) + " is not of the form index:value";
}

template <class Index>
class Parser {
   public:
    Parser(Chunk& chunk, const Bounds& bounds, double* labels, std::int64_t* qids, Csr<Index>& rows)
        : chunk_(chunk),
          bounds_(bounds),
          label_(labels + chunk.first_row),
          qid_(qids + chunk.first_row),
          value_(rows.values.data() + chunk.first_entry),
          first_value_(rows.values.data()),
          index_(rows.indices.data() + chunk.first_entry),
          end_(rows.starts.data() + chunk.first_row + 1) {}

    // `begin` to `end` are whole lines; `line` is the number of the first one.
    void parse(const char* begin, const char* end, std::uint64_t line) {
        const double* const first_label = label_;
        const double* const first_value = value_;
        try {
            for (const char* p = begin; p < end; ++line) p = parse_line(p, end, line);
        } catch (const Refused& refused) {
            chunk_.fault = {line, refused.what};
        }
        chunk_.rows += static_cast<std::uint64_t>(label_ - first_label);
        chunk_.entries += static_cast<std::uint64_t>(value_ - first_value);
    }

   private:
    const char* parse_line(const char* p, const char* end, std::uint64_t line) {
        while (is_blank(*p)) ++p;
        if (*p == '\n') return p + 1;
        if (*p == '#') return after_comment(p);
        const Decimal label = read_decimal(p, end);
        if (!label.end || !ends_token(*label.end)) throw Refused{fault_of_label(p, end)};
        p = label.end;
        while (is_blank(*p)) ++p;
        std::int64_t qid = 0;
        const bool has_qid = p[0] == 'q' && p[1] == 'i' && p[2] == 'd' && p[3] == ':';
        if (has_qid) p = read_qid(p, end, qid);
        if (chunk_.first_row_line == 0) {
            chunk_.first_row_line = line;
            chunk_.has_qid = has_qid;
        } else if (has_qid != chunk_.has_qid) {
            throw Refused{std::string(has_qid ? "has a qid" : "has no qid") + ", unlike line " +
                          std::to_string(chunk_.first_row_line) + "; give one to all lines or to none"};
        }
        const char* const next = parse_entries(p, end);
        *label_++ = label.value;
        *qid_++ = qid;
        *end_++ = static_cast<Index>(value_ - first_value_);
        return next;
    }

    const char* parse_entries(const char* p, const char* end) {
        std::int64_t last = -1;
        double* value = value_;
        Index* index = index_;
        while (true) {
            while (is_blank(*p)) ++p;
            if (*p == '\n') break;
            if (*p == '#') {
                p = after_comment(p) - 1;
                break;
            }
            Entry entry;
            if (end - p < kUsualEntry || !read_usual_entry(p, entry)) entry = read_entry(p, end);
            if (entry.index <= last) refuse_order(p, last, entry.index);
            if (last < 0 && entry.index < chunk_.smallest) note_smallest(p, entry.index);
            last = entry.index;
            *value++ = entry.value;
            *index++ = static_cast<Index>(entry.index - bounds_.base);
            p = entry.end;
        }
        value_ = value;
        index_ = index;
        if (last > chunk_.largest) note_largest(last);
        return p + 1;
    }

    static Entry read_entry(const char* p, const char* end) {
        Entry entry{};
        const char* const colon = read_index(p, end, entry.index);
        if (!colon || *colon != ':') throw Refused{fault_of_entry(p, end)};
        const Decimal value = read_decimal(colon + 1, end);
        if (!value.end || !ends_token(*value.end)) throw Refused{fault_of_entry(p, end)};
        entry.value = value.value;
        entry.end = value.end;
        return entry;
    }

    static const char* after_comment(const char* p) {
        while (*p != '\n') ++p;
        return p + 1;
    }

    [[noreturn]] static void refuse_order(const char* token, std::int64_t last, std::int64_t index) {
        if (index == last) throw Refused{"index " + std::to_string(index) + " comes twice"};
        throw Refused{"index " + std::to_string(index) + " (in " + quoted(token) + ") comes after " +
                      std::to_string(last) + "; sort the indices of each line"};
    }

    void note_smallest(const char* token, std::int64_t index) {
        if (index < bounds_.smallest_allowed)
            throw Refused{"index 0 (in " + quoted(token) + "), but indices must begin at 1"};
        chunk_.smallest = index;
    }

    void note_largest(std::int64_t index) {
        if (index >= bounds_.first_too_large) {
            if (bounds_.limited_by_type) chunk_.too_wide = true;
            throw Refused{"index " + std::to_string(index) + " is beyond the " +
                          std::to_string(bounds_.first_too_large - bounds_.base) + " features expected"};
        }
        chunk_.largest = index;
    }

    Chunk& chunk_;
    const Bounds bounds_;
    double* label_;
    std::int64_t* qid_;
    double* value_;
    const double* const first_value_;
    Index* index_;
    Index* end_;
};

}  // namespace rosenblatt
