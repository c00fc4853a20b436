// Splits text into chunks of whole lines.
#pragma once

#include <cstddef>
#include <cstring>
#include <vector>

namespace rosenblatt {

struct Lines {
    const char* begin;
    const char* end;
};

// Chunks of more than `size` bytes (the last may have fewer), each of whole lines; the last line may lack its newline.
inline std::vector<Lines> cut_at_lines(const char* begin, const char* end, std::size_t size) {
    std::vector<Lines> chunks;
    while (begin < end) {
        const char* stop = end;
        if (static_cast<std::size_t>(end - begin) > size) {
            const char* const from = begin + size;
            const void* const newline = std::memchr(from, '\n', static_cast<std::size_t>(end - from));
            if (newline) stop = static_cast<const char*>(newline) + 1;
        }
        chunks.push_back({begin, stop});
        begin = stop;
    }
    return chunks;
}

}  // namespace rosenblatt
