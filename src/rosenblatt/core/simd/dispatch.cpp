#include "simd/dispatch.hpp"

#include <cstdlib>
#include <cstring>

#ifdef ROSENBLATT_X86_LEVELS
#include <cpuid.h>
#endif

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
// The levels that the processor has and the operating system supports (XCR0). CPUID is read here, because zig's run-time library
// lacks what __builtin_cpu_supports needs.
struct Levels {
    bool v3 = false, v4 = false, vnni = false;

    Levels() {
        unsigned eax, ebx, ecx, edx, enabled, high;
        constexpr unsigned kOf1 = bit_FMA | bit_OSXSAVE;
        if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || (ecx & kOf1) != kOf1) return;
        __asm__ volatile("xgetbv" : "=a"(enabled), "=d"(high) : "c"(0));
        constexpr unsigned kYmm = 0x06, kZmm = 0xE6;
        constexpr unsigned kV3 = bit_AVX2 | bit_BMI2;
        constexpr unsigned kV4 = bit_AVX512F | bit_AVX512VL | bit_AVX512BW | bit_AVX512DQ | bit_AVX512CD;
        if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx)) return;
        v3 = (enabled & kYmm) == kYmm && (ebx & kV3) == kV3;
        v4 = v3 && (enabled & kZmm) == kZmm && (ebx & kV4) == kV4;
        vnni = v4 && (ecx & bit_AVX512VNNI);
    }
};
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
    const Levels levels;
    if (levels.v3) tables.push_back(&v3::table);
    if (levels.v4) tables.push_back(&v4::table);
    if (levels.vnni) tables.push_back(&vnni::table);
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
