#include <doctest/doctest.h>

#include "runs/endings.hpp"

using namespace rosenblatt;

namespace {

// The end of epoch 40, in which every condition of every ending holds.
EpochFacts everything() {
    return {.epoch_ended = true,
            .epoch = 40,
            .examples = 100,
            .presented = 4000,
            .mistakes = 500,
            .last_change = 3000,
            .epoch_errors = 10,
            .no_mistake = true,
            .period = 3,
            .best_epoch = 15,
            .validated_epoch = 20,
            .work = 1e11,
            .separable = false};
}

Limits all_limits() {
    return {.max_iter = 40,
            .max_steps = 4000,
            .max_updates = 500,
            .patience = 1000,
            .n_iter_no_change = 20,
            .max_error = 0.1,
            .may_stall = true};
}

}  // namespace

TEST_CASE("endings have an order of precedence") {
    EpochFacts facts = everything();
    Limits limits = all_limits();
    CHECK(decide(facts, limits) == Ending::separated);
    facts.no_mistake = false;
    CHECK(decide(facts, limits) == Ending::cycled);
    facts.period = 0;
    CHECK(decide(facts, limits) == Ending::error_reached);
    facts.epoch_errors = 11;
    CHECK(decide(facts, limits) == Ending::unchanged);
    facts.last_change = 3001;
    CHECK(decide(facts, limits) == Ending::early_stopped);
    facts.validated_epoch = 21;
    CHECK(decide(facts, limits) == Ending::stalled);
    limits.may_stall = false;
    CHECK(decide(facts, limits) == Ending::max_updates);
    facts.mistakes = 499;
    CHECK(decide(facts, limits) == Ending::max_steps);
    facts.presented = 3999;
    CHECK(decide(facts, limits) == Ending::max_iter);
    facts.epoch = 39;
    facts.validated_epoch = 39;
    CHECK(decide(facts, limits) == Ending::running);
}

TEST_CASE("within an epoch only counts of examples and mistakes end a run") {
    EpochFacts facts = everything();
    facts.epoch_ended = false;
    Limits limits = all_limits();
    CHECK(decide(facts, limits) == Ending::unchanged);
    limits.patience = kNoLimit;
    CHECK(decide(facts, limits) == Ending::max_updates);
    limits.max_updates = kNoLimit;
    CHECK(decide(facts, limits) == Ending::max_steps);
    limits.max_steps = kNoLimit;
    CHECK(decide(facts, limits) == Ending::running);
}

TEST_CASE("without limits only a separation or a cycle ends a run") {
    EpochFacts facts = everything();
    facts.no_mistake = false;
    facts.period = 0;
    CHECK(decide(facts, Limits{}) == Ending::running);
}

TEST_CASE("a run stalls after much work and no better epoch for half of it, but at least ten epochs") {
    const Limits limits{.max_error = -1, .may_stall = true};
    EpochFacts facts{.epoch_ended = true, .epoch = 100, .examples = 10, .epoch_errors = 5, .best_epoch = 50, .work = 2.1e8};
    CHECK(decide(facts, limits) == Ending::stalled);
    facts.best_epoch = 51;
    CHECK(decide(facts, limits) == Ending::running);
    facts.best_epoch = 50;
    facts.work = kStallWork;
    CHECK(decide(facts, limits) == Ending::running);
    facts.work = 2.1e8;
    facts.separable = true;
    CHECK(decide(facts, limits) == Ending::running);
    facts.work = 1.1e10;
    CHECK(decide(facts, limits) == Ending::stalled);
    facts.epoch = 12;
    facts.best_epoch = 3;
    CHECK(decide(facts, limits) == Ending::running);
    facts.best_epoch = 2;
    CHECK(decide(facts, limits) == Ending::stalled);
}
