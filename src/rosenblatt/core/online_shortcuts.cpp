// Shortcuts of a run that leave its path as it is, and when each is worth its while: a shadow (shadow.hpp) where rows
// are many and long, rows with flags (flags.hpp) where mistakes are many, kept scores (gram.hpp) where examples are few and
// epochs many. Passes that read whole rows ask for them ahead (update.hpp) and do not guess mistakes that are many
// (branchless_pass.hpp); ROSENBLATT_PREFETCH=never and ROSENBLATT_BRANCHLESS (never, always) overrule, for comparison.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include "online_run.hpp"

namespace rosenblatt {

namespace {

// When a shadow is worth its while (benchmarks/shadow.py), by how the rows are met: the share of the examples that may be
// mistakes, and the epochs that must be left to make up for writing it, and so many more times that share. One
// plane in file order has least to gain, for there the memory is fast; in a random order most.
struct Worth {
    double mistakes;
    double epochs;
    double more_epochs;
};
constexpr Worth kInFileOrder{0.05, 4, 200};
constexpr Worth kShuffled{0.10, 2, 25};
constexpr Worth kSeveralPlanes{0.05, 2, 0};  // of one run, or of several that share what one of them writes

// Also: the bytes of a row that is met in file order by one plane; the bytes of all rows, if they are shorter and met in a
// random order, below which a cache holds them; and how far the examples read in full may exceed the mistakes.
constexpr std::size_t kOrderedBytes = 768;
constexpr std::size_t kCachedBytes = std::size_t{1} << 25;
constexpr double kPatience = 2;
// Integer dot products of more features could leave 32 bits.
constexpr std::size_t kMostFeatures = std::size_t{1} << 22;

// When rows with flags are (docs/performance.md has the cases): by how much they must be shorter, the epochs that must be
// left to make up for writing them; and mistakes must be so many that a shadow is not worth its while.
constexpr double kFlagSaving = 1.5;
constexpr double kFlagEpochs = 3;

// When kept scores are: so few examples that their matrix stays in a near cache; and so few mistakes an epoch, for each
// value of a row, that adding rows of the matrix costs less than the dot products that are spared.
constexpr std::size_t kGramExamples = 512;
static_assert(kGramExamples <= kMostKept);
constexpr double kGramMistakes = 0.5;

std::size_t row_bytes(const RowsView& rows) {
    return rows.features * (rows.storage == Storage::dense32 ? sizeof(float) : sizeof(double));
}

}  // namespace

Wish wish_of(const char* variable) {
    const char* wish = std::getenv(variable);
    if (wish && std::strcmp(wish, "never") == 0) return Wish::never;
    return wish && std::strcmp(wish, "always") == 0 ? Wish::always : Wish::automatic;
}

// A shadow costs an eighth to a quarter of the memory of X, and at most as much again for examples near a plane. It pays
// where rows are met often and few of them are mistakes: a mistake rounds its plane anew. The environment variable
// ROSENBLATT_SHADOW (never, always) overrules, for comparison, and ROSENBLATT_GUIDE (never): the path is the same.
void OnlineRun::judge_shadow() {
    const RowsView& rows = examples_.rows;
    if (!is_dense(rows.storage) || plan_.joint || plan_.order == Order::misclassified) return;
    const bool always = shadow_wish_ == Wish::always;
    if (rows.features < kLanes || rows.features > kMostFeatures) return;
    if (!always && (shadow_given_up_ || shadow_wish_ == Wish::never)) return;
    // All rows are written, those too that take no part: of two classes among many, most. Pairs of not too many classes may
    // share them.
    if (!always && (coarse_share_ ? 16 : 2) * count_ < rows.examples) return;
    const bool one_shuffled = weights_.planes() == 1 && plan_.order == Order::shuffle;
    const bool several = weights_.planes() > 1 || coarse_share_;
    const Worth& worth = one_shuffled ? kShuffled : several ? kSeveralPlanes : kInFileOrder;
    const auto meetings = static_cast<double>(count_ * weights_.planes());
    std::uint64_t mistakes = 0;
    for (const Problem& problem : problems_) mistakes += problem.epoch_mistakes;
    const double an_example = static_cast<double>(mistakes) / static_cast<double>(count_);
    if (shadow_) {
        shadow_->expect(an_example);
        shadow_given_up_ = static_cast<double>(shadow_->take_read()) > kPatience * worth.mistakes * meetings && !always;
        if (shadow_given_up_) drop_shadow();
        return;
    }
    const double share = static_cast<double>(mistakes) / meetings;
    const auto epochs_left = static_cast<double>(plan_.limits.max_iter - epoch_);
    if (always || (share < worth.mistakes && epochs_left >= worth.epochs + worth.more_epochs * share &&
                   (weights_.planes() > 1 || row_bytes(rows) >= kOrderedBytes ||
                    (one_shuffled && count_ * row_bytes(rows) >= kCachedBytes)) &&
                   rows.examples * coarse_stride(rows.features) <= copy_limit_)) {
        drop_flags();
        const double* guide = guided_ && weights_.planes() == 1 ? weights_.view().vector(0) : nullptr;
        try {
            shadow_.emplace(coarse_share_ ? coarse_share_->rows(rows) : std::make_shared<CoarseRows>(rows, guide),
                            rows.examples, rows.features, weights_.planes());
            shadow_->expect(an_example);
        } catch (const std::bad_alloc&) {
            shadow_given_up_ = true;  // it goes without
        }
    }
}

std::uint64_t OnlineRun::write_shadow_stretch() {
    constexpr std::size_t kPartWork = kStretchWork / 16;  // so small that runs that write together end together
    CoarseRows& rows = shadow_->rows();
    Shadow& view = *shadow_->view();
    const CoarseRows::Part part = rows.take(kPartWork / examples_.rows.features + 1);
    if (part.begin == part.end) {
        view.longest = rows.wait();
        examples_.shadow = &view;
        return 0;
    }
    kernels().write_shadow(examples_, part.begin, part.end, view);
    rows.wrote(part, view.longest);
    return (part.end - part.begin) * examples_.rows.features;
}

// Only a pass without branches reads rows with flags, and they pay only where memory is slow: in a random order, from more
// than a cache holds. The environment variable ROSENBLATT_FLAGS (never, always) overrules.
void OnlineRun::judge_flags() {
    const RowsView& rows = examples_.rows;
    if (shadow_ || flags_ || flags_given_up_ || !kernels().write_flags) return;
    if (flags_wish_ == Wish::never || branchless_ == Wish::never || !may_be_branchless(examples_, plan_.rule)) return;
    if (weights_.planes() > 1 || plan_.batch || plan_.pocket || plan_.record) return;
    if (plan_.order == Order::misclassified) return;
    const std::size_t bytes = rows.examples * row_bytes(rows);
    const bool worth = plan_.order == Order::shuffle && mistakes_before_ >= kShuffled.mistakes &&
                       2 * count_ >= rows.examples && bytes >= kCachedBytes && rows.examples <= copy_limit_ &&
                       static_cast<double>(plan_.limits.max_iter - epoch_) >= kFlagEpochs;
    if (!worth && flags_wish_ != Wish::always) return;
    FlagLayout layout = find_flags(rows);
    const std::size_t needed = rows.examples * layout.stride;
    const bool shorter = kFlagSaving * static_cast<double>(needed) <= static_cast<double>(bytes);
    flags_given_up_ = flags_wish_ != Wish::always && (!shorter || needed > copy_limit_);
    if (flags_given_up_) return;
    try {
        flags_.emplace(std::move(layout), rows.examples);
    } catch (const std::bad_alloc&) {
        flags_given_up_ = true;
    }
}

std::uint64_t OnlineRun::write_flags_stretch() {
    const RowsView& rows = examples_.rows;
    const std::size_t end = std::min(rows.examples, flags_->written() + kStretchWork / rows.features + 1);
    const std::uint64_t work = (end - flags_->written()) * rows.features;
    flags_given_up_ = !kernels().write_flags(rows, flags_->written(), end, *flags_->view());
    flags_->wrote_until(end);
    if (flags_given_up_)
        drop_flags();
    else if (end == rows.examples)
        examples_.flags = flags_->view();
    return work;
}

// The matrix costs as much as n / 2 epochs. So many are run before it is thought of, and so many must be left: whatever
// comes then, the run takes less than twice the time that it would have needed. The environment variable
// ROSENBLATT_GRAM (never, always) overrules.
void OnlineRun::judge_gram() {
    const RowsView& rows = examples_.rows;
    if (epoch_ < gram_judged_ || gram_wish_ == Wish::never || weights_.planes() > 1) return;
    if (!is_dense(rows.storage) || plan_.batch || plan_.order == Order::misclassified) return;
    if (rows.examples > kGramExamples) return;
    const bool always = gram_wish_ == Wish::always;
    const std::uint64_t wait = rows.examples / 2 + 1;
    const double worth = kGramMistakes * static_cast<double>(wait * (rows.features + kExampleWork));
    const std::uint64_t mistakes = problems_[0].mistakes - gram_mistakes_;
    gram_judged_ = epoch_ + wait;
    gram_mistakes_ = problems_[0].mistakes;
    if (gram_) {
        if (always || static_cast<double>(gram_->take_met()) <= kPatience * worth) return;
        drop_gram();
        gram_judged_ = kNoLimit;
    } else if (always || (epoch_ > 0 && static_cast<double>(mistakes) < worth &&
                          plan_.limits.max_iter - epoch_ >= wait)) {
        const std::size_t stored = rows.examples * rows.features;
        gram_.emplace(rows, kernels().largest(rows, stored));
        drop_shadow();
        drop_flags();
    }
}

void OnlineRun::drop_shadow() {
    shadow_.reset();
    examples_.shadow = nullptr;
}

void OnlineRun::drop_flags() {
    flags_.reset();
    examples_.flags = nullptr;
}

void OnlineRun::drop_gram() {
    gram_.reset();
    examples_.gram = nullptr;
}

// Of one class against another each pair is a run, and all are there until the last has ended.
void OnlineRun::let_go() {
    drop_shadow();
    drop_flags();
    drop_gram();
    coarse_share_.reset();
    order_ = std::vector<std::uint32_t>();  // braces would keep its memory
    presentation_ = nullptr;
    known_ = std::vector<double>();
    misclassified_ = std::vector<std::uint32_t>();
    gram_rows_.clear();
    gram_plane_.reset();
}

std::uint64_t OnlineRun::write_gram_stretch() {
    const RowsView& rows = examples_.rows;
    const std::size_t row_work = rows.examples * (rows.features + kExampleWork);
    const std::size_t end = std::min(rows.examples, gram_->written() + kStretchWork / row_work + 1);
    kernels().write_gram(rows, examples_.labels, problems_[0].positive, plan_.rule.fit_intercept, gram_->written(), end,
                         *gram_->view());
    const std::uint64_t work = (end - gram_->written()) * row_work;
    gram_->wrote_until(end);
    if (end == rows.examples) examples_.gram = gram_->view();
    return work;
}

}  // namespace rosenblatt
