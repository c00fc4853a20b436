// Text cut at line ends.
#pragma once

#include <cstddef>
#include <cstring>
#include <vector>

namespace rosenblatt {

struct Lines {
    const char* begin;
    const char* end;
};

// Pieces of at least `size` bytes (the last may have fewer), each of whole lines; the last line may lack its newline.
inline std::vector<Lines> cut_at_lines(const char* begin, const char* end, std::size_t size) {
    std::vector<Lines> pieces;
    while (begin < end) {
        const char* stop = end;
        if (static_cast<std::size_t>(end - begin) > size) {
            const char* const from = begin + size;
            const void* const newline = std::memchr(from, '\n', static_cast<std::size_t>(end - from));
            if (newline) stop = static_cast<const char*>(newline) + 1;
        }
        pieces.push_back({begin, stop});
        begin = stop;
    }
    return pieces;
}

}  // namespace rosenblatt
