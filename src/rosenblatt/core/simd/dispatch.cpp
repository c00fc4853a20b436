#include "simd/dispatch.hpp"

#include <cstdlib>
#include <cstring>

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
    const std::vector<const Kernels*> tables = available_kernels();
    if (const char* name = std::getenv("ROSENBLATT_ISA"))
        for (const Kernels* table : tables)
            if (std::strcmp(table->name, name) == 0) return *table;
    return *tables.back();
}

}  // namespace

std::vector<const Kernels*> available_kernels() {
    std::vector<const Kernels*> tables{&baseline::table};
#ifdef ROSENBLATT_X86_LEVELS
    if (has_v3()) tables.push_back(&v3::table);
    if (has_v4()) tables.push_back(&v4::table);
    if (has_vnni()) tables.push_back(&vnni::table);
#endif
    return tables;
}

const Kernels& kernels() {
    static const Kernels& chosen = choose();
    return chosen;
}

void epoch_order(std::uint64_t seed, std::uint64_t epoch, std::uint32_t n, std::uint32_t* order) {
    kernels().shuffle(Stream(seed, Purpose::order, epoch).state(), n, order);
}

}  // namespace rosenblatt
