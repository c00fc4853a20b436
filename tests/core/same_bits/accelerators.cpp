// The same runs under every accelerator. Which of them ran is written to standard error: narrow registers rule some out.
#include <cstdlib>
#include <initializer_list>
#include <set>
#include <string>

#include "runs.hpp"

namespace rosenblatt::same_bits {

namespace {

constexpr const char* kNames[] = {"none",  "auto",    "gram",      "quantized", "quantized-without-reference",
                                  "flags", "float32", "branchless"};

// "auto" chooses single precision from four classes on. Seven classes leave the last tile of problems partly empty.
constexpr const char* kNamesForSeveralClasses[] = {"none", "auto", "float32"};
constexpr std::int32_t kSeveralClasses[] = {4, 7};

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

constexpr Setting kCyclic{"cyclic", [](Plan& plan) { plan.limits.max_iter = 30; }};
constexpr Setting kShuffled{"shuffle", [](Plan& plan) { plan.order = Order::shuffle, plan.limits.max_iter = 15; }};
constexpr Setting kAveraged{"average", [](Plan& plan) { plan.average = true, plan.limits.max_iter = 10; }};
constexpr Setting kMargin{"margin", [](Plan& plan) { plan.rule.margin = 0.1, plan.limits.max_iter = 10; }};

// One digest of a run for each setting and number of problems. Adds the accelerators that ran to `used`.
void report_runs(const Data& data, std::int32_t classes, std::initializer_list<std::int32_t> planes,
                 std::initializer_list<Setting> settings, const std::string& case_name, const char* accelerator,
                 std::set<std::string>& used) {
    choose_accelerator(accelerator);
    Digest digest;
    for (const Setting& setting : settings)
        for (const std::int32_t count : planes) used.merge(run_online(data, setting, count, classes, digest));
    report("accelerator/" + case_name + "/" + accelerator, digest);
}

}  // namespace

void report_accelerators() {
    std::set<std::string> used;
    for (const Storage storage : {Storage::dense32, Storage::dense64})
        for (const Kind kind : {Kind::floats, Kind::decimals, Kind::flags, Kind::subnormals, Kind::extremes})
            for (const bool noisy : {false, true}) {
                const std::string name = named(storage) + "/" + named(kind) + (noisy ? "/noisy" : "/clean");
                const Data data(kind, storage, 150, 48, 3, noisy, 5);
                for (const char* accelerator : kNames)
                    report_runs(data, 3, {1, 3}, {kCyclic, kShuffled, kAveraged}, name, accelerator, used);
                for (const std::int32_t classes : kSeveralClasses) {
                    const Data several(kind, storage, 150, 61, classes, noisy, 6);
                    for (const char* accelerator : kNamesForSeveralClasses)
                        report_runs(several, classes, {classes}, {kCyclic, kShuffled, kAveraged, kMargin},
                                    name + "/" + std::to_string(classes) + "-classes", accelerator, used);
                }
            }
    choose_accelerator(nullptr);
    std::fprintf(stderr, "accelerators:");
    for (const std::string& name : used) std::fprintf(stderr, " %s", name.c_str());
    std::fprintf(stderr, "\n");
}

}  // namespace rosenblatt::same_bits
