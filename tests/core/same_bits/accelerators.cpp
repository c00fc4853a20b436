// The same runs under every accelerator. Which of them ran is written to standard error: narrow registers rule some out.
#include <cstdlib>

#include "runs.hpp"

namespace rosenblatt::same_bits {

namespace {

constexpr const char* kNames[] = {"none", "auto", "gram", "quantized", "quantized-without-reference", "flags", "branchless"};

void choose_accelerator(const char* name) {
#ifdef _WIN32
    _putenv_s("ROSENBLATT_ACCELERATOR", name ? name : "");
#else
    if (name)
        setenv("ROSENBLATT_ACCELERATOR", name, 1);
    else
        unsetenv("ROSENBLATT_ACCELERATOR");
#endif
}

}  // namespace

void report_accelerators() {
    constexpr Setting kCyclic{"cyclic", [](Plan& plan) { plan.limits.max_iter = 30; }};
    constexpr Setting kShuffled{"shuffle", [](Plan& plan) { plan.order = Order::shuffle, plan.limits.max_iter = 15; }};
    constexpr Setting kAveraged{"average", [](Plan& plan) { plan.average = true, plan.limits.max_iter = 10; }};
    std::set<std::string> used;
    for (const Storage storage : {Storage::dense32, Storage::dense64})
        for (const Kind kind : {Kind::floats, Kind::decimals, Kind::flags, Kind::subnormals, Kind::extremes})
            for (const bool noisy : {false, true}) {
                const Data data(kind, storage, 150, 48, 3, noisy, 5);
                for (const char* name : kNames) {
                    choose_accelerator(name);
                    Digest digest;
                    for (const Setting& setting : {kCyclic, kShuffled, kAveraged})
                        for (const std::int32_t planes : {1, 3}) used.merge(run_online(data, setting, planes, 3, digest));
                    report("accelerator/" + named(storage) + "/" + named(kind) + (noisy ? "/noisy/" : "/clean/") + name,
                           digest);
                }
            }
    choose_accelerator(nullptr);
    std::fprintf(stderr, "accelerators:");
    for (const std::string& name : used) std::fprintf(stderr, " %s", name.c_str());
    std::fprintf(stderr, "\n");
}

}  // namespace rosenblatt::same_bits
