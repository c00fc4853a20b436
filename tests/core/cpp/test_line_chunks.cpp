#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "io/line_chunks.hpp"

using namespace rosenblatt;

TEST_CASE("chunks together are the text, and each but the last ends a line and has the size asked for") {
    std::mt19937 generator(4);
    for (int trial = 0; trial < 3000; ++trial) {
        std::string text(generator() % 60, 'x');
        for (char& c : text)
            if (generator() % 4 == 0) c = '\n';
        const std::size_t size = generator() % 12;
        const std::vector<Lines> chunks = cut_at_lines(text.data(), text.data() + text.size(), size);
        std::string joined;
        for (std::size_t k = 0; k < chunks.size(); ++k) {
            const std::string chunk(chunks[k].begin, chunks[k].end);
            CHECK(!chunk.empty());
            if (k + 1 < chunks.size()) {
                CHECK(chunk.back() == '\n');
                CHECK(chunk.size() > size);
                // No line end was passed over: the chunk is as short as it can be.
                CHECK(chunk.find('\n', size) == chunk.size() - 1);
            }
            joined += chunk;
        }
        CHECK(joined == text);
    }
}
