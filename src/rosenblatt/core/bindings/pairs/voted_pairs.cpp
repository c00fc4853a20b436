// Prediction by the voters of all pairs of classes of a voted perceptron.
#include <stdexcept>
#include <vector>

#include "bindings/arrays.hpp"
#include "inference/inference.hpp"
#include "pairs/pair_winner.hpp"
#include "pairs/stored_pairs.hpp"

namespace rosenblatt {

using namespace nb::literals;

namespace {

// The voters of all pairs of a voted perceptron. `products` has one row per example and one column per support vector.
class PyVotedPairs {
   public:
    PyVotedPairs(std::size_t n_classes, Vector<std::uint64_t> starts, Vector<std::uint32_t> updates, Vector<double> scales,
                 Vector<double> survival)
        : classes_(n_classes), starts_(starts), updates_(updates), scales_(scales), survival_(survival) {
        const std::size_t pairs = pairs_of(n_classes), entries = updates.shape(0);
        if (n_classes < 2 || starts.shape(0) != pairs + 1 || starts.data()[0] != 0 || starts.data()[pairs] != entries ||
            scales.shape(0) != entries || survival.shape(0) != entries + pairs)
            throw std::invalid_argument("the parts of the voters do not fit each other");
        for (std::size_t p = 0; p < pairs; ++p)
            if (starts.data()[p] > starts.data()[p + 1]) throw std::invalid_argument("starts must not decrease");
        for (std::size_t k = 0; k < entries; ++k)
            if (updates.data()[k] >= columns_) columns_ = updates.data()[k] + 1;
    }

    void votes_into(Matrix products, Vector<double> start_scores, bool ties_are_positive, MatrixOut out) const {
        check(products, start_scores, out.shape(0));
        if (out.shape(1) != classes_) throw std::invalid_argument("there must be room for one vote per class");
        nb::gil_scoped_release release;
        const std::size_t pairs = pairs_of(classes_);
        std::vector<double> shares(pairs), sums(classes_);
        for (std::size_t r = 0; r < out.shape(0); ++r) {
            for (std::size_t p = 0; p < pairs; ++p)
                shares[p] = share(p, products.data() + r * products.shape(1), start_scores.data()[r], ties_are_positive);
            count_votes(shares.data(), classes_, ties_are_positive ? Tie::positive : Tie::mistake,
                        out.data() + r * classes_, sums.data());
        }
    }

    void labels_into(Matrix products, Vector<double> start_scores, bool ties_are_positive, CodesOut out) const {
        check(products, start_scores, out.shape(0));
        nb::gil_scoped_release release;
        PairWinner winner(classes_);
        for (std::size_t r = 0; r < out.shape(0); ++r) {
            const double* values = products.data() + r * products.shape(1);
            const auto score = [&](std::size_t a, std::size_t b) {
                return share(pair_index(classes_, a, b), values, start_scores.data()[r], ties_are_positive);
            };
            const auto positive = [&](double found) { return found > 0 || (found == 0 && ties_are_positive); };
            out.data()[r] = static_cast<std::uint32_t>(winner.of(score, positive));
        }
    }

   private:
    // The votes for the later class minus those against it, as a share of all votes of the pair.
    double share(std::size_t p, const double* products, double score, bool tie_is_positive) const {
        const std::uint64_t begin = starts_.data()[p], end = starts_.data()[p + 1];
        const double* survival = survival_.data() + begin + p;
        const auto signed_vote = [&](double weight) {
            return score > 0 || (score == 0 && tie_is_positive) ? weight : -weight;
        };
        double total = survival[0], balance = signed_vote(survival[0]);
        for (std::uint64_t k = begin; k < end; ++k) {
            score += products[updates_.data()[k]] * scales_.data()[k];
            const double weight = survival[k - begin + 1];
            balance += signed_vote(weight);
            total += weight;
        }
        return balance / total;
    }

    void check(const Matrix& products, const Vector<double>& start_scores, std::size_t rows) const {
        if (products.shape(0) != rows || start_scores.shape(0) != rows || products.shape(1) < columns_)
            throw std::invalid_argument("the products do not fit the voters");
    }

    std::size_t classes_;
    Vector<std::uint64_t> starts_;
    Vector<std::uint32_t> updates_;
    Vector<double> scales_, survival_;
    std::size_t columns_ = 0;
};

}  // namespace

void bind_voted_pairs(nb::module_& m) {
    nb::class_<PyVotedPairs>(m, "VotedPairs", "The voters of all pairs of classes of a voted perceptron.")
        .def(nb::init<std::size_t, Vector<std::uint64_t>, Vector<std::uint32_t>, Vector<double>, Vector<double>>(),
             nb::kw_only(), "n_classes"_a, "starts"_a, "updates"_a, "scales"_a, "survival"_a)
        .def("votes_into", &PyVotedPairs::votes_into, "products"_a, "start_scores"_a, "ties_are_positive"_a,
             "out"_a.noconvert())
        .def("labels_into", &PyVotedPairs::labels_into, "products"_a, "start_scores"_a, "ties_are_positive"_a,
             "out"_a.noconvert());
}

}  // namespace rosenblatt
