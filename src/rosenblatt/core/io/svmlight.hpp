// The svmlight (LIBSVM) text format: one example a line,
//
//     <label> [qid:<integer>] <index>:<value> <index>:<value> ... [# comment]
//
// read from memory into the three arrays of a CSR matrix, by several threads. Values are correctly rounded. Indices of a
// line must increase. They begin at one, or at zero if there is a zero among them or the caller says so. Blank lines and
// lines of comment are passed over. Anything else is refused with the number of its line.
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

struct SvmlightWishes {
    std::optional<bool> zero_based;         // else found out
    std::optional<std::uint64_t> features;  // no index may lie beyond; else as many as the largest index needs
    unsigned threads = 1;
    std::size_t piece = std::size_t{1} << 22;  // bytes that a thread takes at a time
    bool hash = false;                         // the XXH64 of the text, on the way
};

template <class Index>
struct Csr {
    Buffer<double> values;
    Buffer<Index> indices;  // from zero
    Buffer<Index> starts;
};

struct Svmlight {
    Buffer<double> labels;
    Buffer<std::int64_t> qids;  // empty where the file has none
    std::variant<Csr<std::int32_t>, Csr<std::int64_t>> rows;  // 64-bit only where 32 do not suffice
    std::uint64_t features = 0;
    bool zero_based = false;
    std::optional<std::uint64_t> hash;
};

class SvmlightError : public std::runtime_error {
   public:
    SvmlightError(std::uint64_t line, const std::string& what);
};

Svmlight parse_svmlight(const char* begin, const char* end, const SvmlightWishes& wishes);

// The same, begun in one thread less than wished: who wants the result can do something else first, and then is the last
// thread. The text must outlive the reading.
class SvmlightReading {
   public:
    SvmlightReading(const char* begin, const char* end, const SvmlightWishes& wishes);
    SvmlightReading(const SvmlightReading&) = delete;
    SvmlightReading& operator=(const SvmlightReading&) = delete;
    ~SvmlightReading();  // a reading that nobody wants any more is given up

    Svmlight finish();  // once

   private:
    void conduct() noexcept;

    const char* const begin_;
    const char* const end_;
    const SvmlightWishes wishes_;
    ThreadPool pool_;
    std::atomic<bool> given_up_{false};
    Svmlight found_;
    std::exception_ptr thrown_;
    std::optional<Helpers> helpers_;
    std::thread conductor_;
};

}  // namespace rosenblatt
