#include "accelerate/factories.hpp"

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

#include "accelerate/branchless/branchless.hpp"
#include "accelerate/flags/flags.hpp"
#include "accelerate/float32/float32.hpp"
#include "accelerate/gram/gram.hpp"
#include "accelerate/quantized/quantized.hpp"
#ifndef ROSENBLATT_NO_THREADS
#include "accelerate/speculative/speculative.hpp"
#endif

namespace rosenblatt {

namespace {

using Factory = std::unique_ptr<Accelerator> (*)(bool forced);

struct Entry {
    std::string_view name;
    Factory make;
    bool automatic;  // variants exist for benchmarks only
};

constexpr Entry kFactories[] = {
    {"gram", [](bool forced) -> std::unique_ptr<Accelerator> { return std::make_unique<Gram>(forced); }, true},
    {"float32", [](bool forced) -> std::unique_ptr<Accelerator> { return std::make_unique<Float32>(forced); }, true},
    {"quantized", [](bool forced) -> std::unique_ptr<Accelerator> { return std::make_unique<Quantized>(forced); }, true},
    {"quantized-without-reference",
     [](bool forced) -> std::unique_ptr<Accelerator> { return std::make_unique<Quantized>(forced, false); }, false},
#ifndef ROSENBLATT_NO_THREADS
    {"speculative", [](bool forced) -> std::unique_ptr<Accelerator> { return std::make_unique<Speculative>(forced); }, true},
#endif
    {"flags", [](bool forced) -> std::unique_ptr<Accelerator> { return std::make_unique<Flags>(forced); }, true},
    {"branchless", [](bool forced) -> std::unique_ptr<Accelerator> { return std::make_unique<Branchless>(forced); }, true},
};

}  // namespace

std::vector<std::unique_ptr<Accelerator>> make_accelerators() {
    const char* variable = std::getenv("ROSENBLATT_ACCELERATOR");
    const std::string_view choice = variable && *variable ? variable : "auto";
    std::vector<std::unique_ptr<Accelerator>> made;
    if (choice == "none") return made;
    std::string names;
    for (const Entry& entry : kFactories) {
        if (choice == "auto" ? entry.automatic : choice == entry.name) made.push_back(entry.make(choice != "auto"));
        names.append(", ").append(entry.name);
    }
    if (made.empty())
        throw std::invalid_argument("ROSENBLATT_ACCELERATOR is '" + std::string(choice) + "'; it must be one of auto, none" +
                                    names + ".");
    return made;
}

}  // namespace rosenblatt
