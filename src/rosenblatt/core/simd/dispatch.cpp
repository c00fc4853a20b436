#include <cstdlib>
#include <cstring>

#include "simd/kernels.hpp"
#include "util/random.hpp"

namespace rosenblatt {

namespace baseline {
extern const Kernels table;
}
#ifdef ROSENBLATT_X86_LEVELS
namespace v3 {
extern const Kernels table;
}
namespace v4 {
extern const Kernels table;
}
namespace vnni {
extern const Kernels table;
}
#endif

namespace {

#ifdef ROSENBLATT_X86_LEVELS
bool has_v3() {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
}

bool has_v4() {
    return has_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512cd");
}

bool has_vnni() { return has_v4() && __builtin_cpu_supports("avx512vnni"); }
#endif

const Kernels& choose() {
#ifdef ROSENBLATT_X86_LEVELS
    const char* wish = std::getenv("ROSENBLATT_ISA");
    const auto wished = [&](const char* name) { return wish && std::strcmp(wish, name) == 0; };
    const bool low = wished("baseline"), middle = low || wished("v3"), high = middle || wished("v4");
    if (!high && has_vnni()) return vnni::table;
    if (!middle && has_v4()) return v4::table;
    if (!low && has_v3()) return v3::table;
#endif
    return baseline::table;
}

}  // namespace

const Kernels& kernels() {
    static const Kernels& chosen = choose();
    return chosen;
}

void epoch_order(std::uint64_t seed, std::uint64_t epoch, std::uint32_t n, std::uint32_t* order) {
    kernels().shuffle(Stream(seed, Purpose::order, epoch).state(), n, order);
}

}  // namespace rosenblatt
