// The svmlight (LIBSVM) text format: one example a line,
//
//     <label> [qid:<integer>] <index>:<value> <index>:<value> ... [# comment]
//
// read from memory into the three arrays of a CSR matrix, by several threads. Values are correctly rounded. Indices of a
// line must increase. They begin at one, or at zero if there is a zero among them or the caller says so. Blank lines and
// comment lines are skipped. Anything else is refused with its line number.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <variant>

#include "util/buffer.hpp"
#include "util/thread_pool.hpp"

namespace rosenblatt {

struct SvmlightOptions {
    std::optional<bool> zero_based;         // if not given, it is detected
    std::optional<std::uint64_t> features;  // largest allowed index; if not given, the largest index of the text
    unsigned threads = 1;
    std::size_t chunk_bytes = std::size_t{1} << 22;  // bytes per job
    bool hash = false;                         // also compute the XXH64 of the text
};

template <class Index>
struct Csr {
    Buffer<double> values;
    Buffer<Index> indices;  // starting at zero
    Buffer<Index> starts;
};

struct Svmlight {
    Buffer<double> labels;
    Buffer<std::int64_t> qids;  // empty where the file has none
    std::variant<Csr<std::int32_t>, Csr<std::int64_t>> rows;  // 64-bit only if 32 bits do not suffice
    std::uint64_t features = 0;
    bool zero_based = false;
    std::optional<std::uint64_t> hash;
};

class SvmlightError : public std::runtime_error {
   public:
    SvmlightError(std::uint64_t line, const std::string& what);
};

Svmlight parse_svmlight(const char* begin, const char* end, const SvmlightOptions& options);

// Parses in the background, in one thread fewer than requested. The caller can do something else first; `finish` then works as
// the last thread. The text must outlive this object.
class SvmlightReading {
   public:
    SvmlightReading(const char* begin, const char* end, const SvmlightOptions& options);
    SvmlightReading(const SvmlightReading&) = delete;
    SvmlightReading& operator=(const SvmlightReading&) = delete;
    ~SvmlightReading();  // cancels the parsing

    Svmlight finish();  // can be called once

   private:
    void run_parse() noexcept;

    const char* const begin_;
    const char* const end_;
    const SvmlightOptions options_;
    ThreadPool pool_;
    std::atomic<bool> cancelled_{false};
    Svmlight found_;
    std::exception_ptr exception_;
    std::optional<Workers> workers_;
    std::thread parser_;
};

}  // namespace rosenblatt
