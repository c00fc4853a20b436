#include "theory/find_cycle.hpp"

namespace rosenblatt {

namespace {

constexpr std::uint64_t kNever = ~std::uint64_t{0};

}  // namespace

CycleSearch::CycleSearch(const Examples& examples, const Rule& rule, std::int32_t positive, const double* start,
                         double start_offset)
    : examples_(examples),
      rule_(rule),
      start_{WeightStore(examples.rows.storage, 1, examples.rows.features), {}},
      hare_(start_),
      tortoise_(start_),
      scores_(score_room(1)) {
    start_.weights.set(0, start, start_offset);
    start_.problem.positive = positive;
    start_.problem.max_updates = kNever;
    hare_ = tortoise_ = start_;
}

bool CycleSearch::Walker::same_as(const Walker& other, std::size_t features) const {
    if (weights.offset(0) != other.weights.offset(0)) return false;
    std::vector<double> mine(features), theirs(features);
    weights.get(0, mine.data());
    other.weights.get(0, theirs.data());
    return mine == theirs;
}

void CycleSearch::walk(Walker& walker) {
    walker.problem.epoch_mistakes = walker.problem.epoch_errors = 0;
    walker.problem.epoch_loss = 0;
    present(walker, 0, examples_.rows.examples);
}

void CycleSearch::present(Walker& walker, std::size_t begin, std::size_t end) {
    const Weights weights = walker.weights.view();
    kernels().online(examples_, {nullptr, begin, end, 0, nullptr, nullptr}, rule_, {weights, weights, nullptr, 1},
                     &walker.problem, scores_.data(), nullptr);
}

bool CycleSearch::advance(std::uint64_t epochs) {
    const std::size_t features = examples_.rows.features;
    for (; epochs > 0 && stage_ != Stage::ended; --epochs) {
        switch (stage_) {
            case Stage::period:
                walk(hare_);
                found_.epochs = ++walked_;
                if (hare_.problem.epoch_mistakes == 0) {
                    found_.separated = true;
                    stage_ = Stage::ended;
                } else if (hare_.same_as(tortoise_, features)) {
                    found_.period = walked_ - kept_at_;
                    hare_ = tortoise_ = start_;
                    walked_ = 0;
                    stage_ = Stage::lead;
                } else if (walked_ == keep_next_) {
                    tortoise_ = hare_;
                    kept_at_ = walked_;
                    keep_next_ *= 2;
                }
                break;
            case Stage::lead:
                walk(hare_);
                if (++walked_ == found_.period) stage_ = Stage::pre_period;
                break;
            case Stage::pre_period:
                if (hare_.same_as(tortoise_, features)) {
                    stage_ = Stage::count;
                    walked_ = 0;
                    found_.mistakes.assign(examples_.rows.examples, 0);
                } else {
                    walk(hare_);
                    walk(tortoise_);
                    ++found_.pre_period;
                }
                break;
            case Stage::count:
                count_mistakes();
                if (++walked_ == found_.period) stage_ = Stage::ended;
                break;
            case Stage::ended: break;
        }
    }
    return stage_ == Stage::ended;
}

void CycleSearch::count_mistakes() {
    for (std::size_t i = 0; i < examples_.rows.examples; ++i) {
        const std::uint64_t before = hare_.problem.mistakes;
        present(hare_, i, i + 1);
        found_.mistakes[i] += hare_.problem.mistakes - before;
    }
}

}  // namespace rosenblatt
