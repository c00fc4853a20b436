// Online runs: every convention, order and published weight vector in every storage; every kind of data and row length.
#include <array>

#include "runs.hpp"

namespace rosenblatt::same_bits {

namespace {

constexpr Setting kSettings[] = {
    {"plain", nullptr},
    {"shuffle", [](Plan& plan) { plan.order = Order::shuffle; }},
    {"misclassified", [](Plan& plan) { plan.order = Order::misclassified, plan.limits.max_iter = 4; }},
    {"ties positive", [](Plan& plan) { plan.rule.tie = plan.rule.error_tie = Tie::positive; }},
    {"ties negative", [](Plan& plan) { plan.rule.tie = Tie::negative; }},
    {"no intercept", [](Plan& plan) { plan.rule.fit_intercept = false; }},
    {"eta0 0.1", [](Plan& plan) { plan.rule.eta0 = 0.1; }},
    {"margin", [](Plan& plan) { plan.rule.margin = 0.3; }},
    {"pa", [](Plan& plan) { plan.rule.step = Step::pa, plan.rule.margin = 1; }},
    {"pa1", [](Plan& plan) { plan.rule.step = Step::pa1, plan.rule.margin = 1, plan.rule.aggressiveness = 0.1; }},
    {"pa2", [](Plan& plan) { plan.rule.step = Step::pa2, plan.rule.margin = 1, plan.rule.aggressiveness = 0.1; }},
    {"batch", [](Plan& plan) { plan.batch = true; }},
    {"average", [](Plan& plan) { plan.average = true, plan.order = Order::shuffle; }},
    {"average weighted", [](Plan& plan) { plan.average = true; }, true},
    {"weighted", nullptr, true},
    {"pocket", [](Plan& plan) { plan.pocket = true; }},
    {"ratchet", [](Plan& plan) { plan.pocket = plan.ratchet = true, plan.order = Order::shuffle; }},
    {"record", [](Plan& plan) { plan.record = true; }},
    {"joint", [](Plan& plan) { plan.joint = true; }},
    {"joint all rivals", [](Plan& plan) { plan.joint = true, plan.rule.rivals = Rivals::all; }},
    {"joint average", [](Plan& plan) { plan.joint = plan.average = true, plan.order = Order::shuffle; }},
    {"early stopping", [](Plan& plan) { plan.validation = {1}, plan.limits.n_iter_no_change = 3; }},
    {"max_updates", [](Plan& plan) { plan.limits.max_updates = 40; }},
    {"max_steps", [](Plan& plan) { plan.limits.max_steps = 333; }},
    {"patience", [](Plan& plan) { plan.limits.patience = 10; }},
    {"max_error", [](Plan& plan) { plan.limits.max_error = 0.3; }},
    {"random start", nullptr, false, true},
    {"two thirds of the examples", nullptr, false, false, true},
};

}  // namespace

void report_online_runs() {
    constexpr std::int32_t kClasses = 3;
    for (const Storage storage : kStorages) {
        const Data data(Kind::floats, storage, 150, 37, kClasses, true, 1);
        for (const Setting& setting : kSettings) {
            Digest digest;
            run_online(data, setting, kClasses, kClasses, digest);
            const bool joint = std::string(setting.name).starts_with("joint");
            if (!joint) run_online(data, setting, 1, kClasses, digest);  // a single problem has loops of its own
            report("online/" + named(storage) + "/" + setting.name, digest);
        }
        for (const Kind kind : {Kind::decimals, Kind::integers, Kind::flags, Kind::subnormals, Kind::extremes}) {
            Digest digest;
            const Data others(kind, storage, 150, 37, 2, true, 2);
            for (const std::size_t k : {0, 1, 11, 12}) run_online(others, kSettings[k], 1, 2, digest);
            report("online/" + named(storage) + "/" + named(kind), digest);
        }
        // Row lengths around the widths of registers and blocks.
        Digest digest;
        for (const std::size_t features : {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 200})
            for (const std::int32_t classes : {2, 9})
                run_online(Data(Kind::floats, storage, 40, features, classes, true, features), kSettings[1],
                           classes == 2 ? 1 : classes, classes, digest);
        report("online/" + named(storage) + "/row lengths", digest);
    }
    Digest digest;
    for (const std::uint32_t n : {1u, 2u, 5u, 1000u, 70000u}) {
        std::vector<std::uint32_t> order(n);
        epoch_order(11, n, n, order.data());
        digest.add(order);
    }
    report("orders", digest);
}

}  // namespace rosenblatt::same_bits
