// Prints one line `case digest` for each case of the battery. `tests/core/same_bits/digests.txt` has the expected lines, and
// tools/same_bits compares them on several machines. ROSENBLATT_ISA chooses the instruction set, named on standard error.
#include <cstdio>

#include "battery.hpp"
#include "simd/kernels.hpp"

int main() {
    using namespace rosenblatt::same_bits;
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
    std::fprintf(stderr, "kernels: %s\n", rosenblatt::kernels().name);
    report_online_runs();
    report_accelerators();
    report_pairs();
    report_dual_runs();
    report_kernel_values();
    report_predictions();
    report_compat_runs();
    report_theory();
    report_files();
}
