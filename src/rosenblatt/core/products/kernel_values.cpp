#include "products/kernel_values.hpp"

#include <algorithm>
#include <atomic>
#include <type_traits>
#include <vector>

#include "util/buffer.hpp"
#include "util/thread_pool.hpp"
#include "simd/kernels.hpp"
#include "products/sparse_products.hpp"

namespace rosenblatt {

namespace {

// Maximum rows, and bytes, of A that are interleaved at a time: they stay in the second-level cache. At least kStripsTogether
// strips are taken.
constexpr std::size_t kBlockRows = 512;
constexpr std::size_t kBlockBytes = std::size_t{5} << 17;
constexpr std::size_t kStripsTogether = 16;
constexpr std::size_t kPanelsBytes = std::size_t{3} << 17;  // interleaved rows of B that stay in the second-level cache
constexpr std::size_t kPanelColumnsMost = 1024;
constexpr std::size_t kSparseRows = 16;  // rows of A per job

// Minimum number of multiplications for a second thread to pay.
constexpr double kThreadWork = 4e6;

unsigned useful_threads(std::size_t threads, double work) {
    return static_cast<unsigned>(std::max(1.0, std::min(static_cast<double>(threads), work / kThreadWork)));
}

double product_of(std::size_t a, std::size_t b, std::size_t c) {
    return static_cast<double>(a) * static_cast<double>(b) * static_cast<double>(c);
}

constexpr std::size_t rounded_up(std::size_t count, std::size_t to) { return (count + to - 1) / to * to; }

// Groups of `width` interleaved rows, and their squared norms if the kernel needs them; capacity for `most` rows.
class Interleaved {
   public:
    Interleaved(const RowsView& view, std::size_t most, std::size_t width, bool with_norms)
        : view_(view), width_(width), values_(rounded_up(most, width) * view.features),
          norms_(with_norms ? rounded_up(most, width) : 0) {}

    void take(std::size_t begin, std::size_t end) {
        const ProductKernels& core = kernels().products;
        rows = end - begin;
        groups = (rows + width_ - 1) / width_;
        core.interleave(view_, begin, end, width_, values_.data());
        if (norms_.empty()) return;
        for (std::size_t g = 0; g < groups; ++g)
            core.squared_norms(values(g), width_, view_.features, norms_.data() + g * width_);
    }

    const double* values(std::size_t group) const { return values_.data() + group * width_ * view_.features; }
    const double* norms(std::size_t group) const { return norms_.empty() ? nullptr : norms_.data() + group * width_; }

    std::size_t rows = 0;
    std::size_t groups = 0;

   private:
    const RowsView& view_;
    std::size_t width_;
    Buffer<double> values_;
    std::vector<double> norms_;
};

// Multiplies a few strips of A by some panels of B, and applies the kernel while the products are in the cache.
bool apply_to_panels(const KernelFunction& kernel, const Interleaved& strips, const Interleaved& panels,
                     std::size_t features, double* products, ValuesOut out) {
    const ProductKernels& core = kernels().products;
    const std::size_t stride = panels.groups * core.panel_columns;
    bool finite = true;
    for (std::size_t s = 0; s < strips.groups; s += kStripsTogether) {
        const std::size_t first = s * core.strip_rows, some = std::min(kStripsTogether, strips.groups - s);
        const InterleavedBlock block{strips.values(s), some, panels.values(0), panels.groups, features, products};
        (kernel.takes_products() ? core.products : core.distances)(block);
        const ValuesBlock values{products,
                                 stride,
                                 std::min(some * core.strip_rows, strips.rows - first),
                                 panels.rows,
                                 strips.norms(s),
                                 panels.norms(0),
                                 out.data + first * out.stride,
                                 out.stride};
        finite = core.apply(kernel, values) && finite;
    }
    return finite;
}

}  // namespace

bool dense_kernel_values(const KernelFunction& kernel, const RowsView& a, const RowsView& b, std::size_t threads,
                         ValuesOut out) {
    const ProductKernels& core = kernels().products;
    const bool norms = kernel.takes_squared_norms();
    const std::size_t bytes = std::max<std::size_t>(1, a.features) * sizeof(double);
    const std::size_t block = std::clamp(kBlockBytes / bytes, kStripsTogether * core.strip_rows, kBlockRows);
    const std::size_t most =
        rounded_up(std::min({kPanelsBytes / bytes + 1, kPanelColumnsMost, b.examples}), core.panel_columns);
    const std::size_t parts = (b.examples + most - 1) / std::max<std::size_t>(1, most);
    Interleaved strips(a, std::min(block, a.examples), core.strip_rows, norms);
    std::atomic<bool> finite{true};
    for (std::size_t begin = 0; begin < a.examples; begin += block) {
        strips.take(begin, std::min(a.examples, begin + block));
        const unsigned useful = useful_threads(threads, product_of(strips.rows, b.examples, a.features));
        const std::size_t jobs = std::min<std::size_t>(parts, useful == 1 ? 1 : 4 * useful);
        parallel_for(jobs, useful, [&](std::size_t k) {
            Interleaved panels(b, most, core.panel_columns, norms);
            const Buffer<double> products(kStripsTogether * core.strip_rows * most);
            for (std::size_t part = parts * k / jobs; part < parts * (k + 1) / jobs; ++part) {
                panels.take(part * most, std::min(b.examples, (part + 1) * most));
                const ValuesOut part_out{out.data + begin * out.stride + part * most, out.stride};
                if (!apply_to_panels(kernel, strips, panels, a.features, products.data(), part_out)) finite = false;
            }
        });
    }
    return finite;
}

bool sparse_kernel_values(const KernelFunction& kernel, const RowsView& a, const RowsView& b, std::size_t threads,
                          ValuesOut out) {
    const SparseRows left = sparse_rows_of(a), right = sparse_rows_of(b);
    const bool products = kernel.takes_products();
    const SparseRows by_feature = products ? transposed(right, b.features) : SparseRows{};
    const bool with_norms = kernel.takes_squared_norms();
    const std::vector<double> row_norms = with_norms ? squared_norms(left) : std::vector<double>{};
    const std::vector<double> column_norms = with_norms ? squared_norms(right) : std::vector<double>{};
    std::atomic<bool> finite{true};
    const auto job = [&](std::size_t k) {
        for (std::size_t i = k * kSparseRows; i < std::min(a.examples, (k + 1) * kSparseRows); ++i) {
            double* const row = out.data + i * out.stride;
            if (products)
                sparse_products(left, i, by_feature, b.examples, row);
            else
                sparse_distances(left, i, right, row);
            const ValuesBlock values{row, out.stride, 1, b.examples, row_norms.data() + (with_norms ? i : 0),
                                     column_norms.data(), row, out.stride};
            if (!kernels().products.apply(kernel, values)) finite = false;
        }
    };
    const double work = product_of(left.values.size(), right.values.size(), products ? 1 : b.features) /
                        static_cast<double>(std::max<std::size_t>(1, b.features));
    parallel_for((a.examples + kSparseRows - 1) / kSparseRows, useful_threads(threads, work), job);
    return finite;
}

template <class Value>
bool integer_kernel_values(const KernelFunction& kernel, IntegerRows<Value> a, IntegerRows<Value> b, std::size_t threads,
                           ValuesOut out) {
    constexpr std::size_t kPanelBytes = std::size_t{1} << 18;
    constexpr std::size_t kJobRows = 64;
    const ProductKernels& core = kernels().products;
    const auto norms_of = [&](IntegerRows<Value> rows) {
        std::vector<double> norms(kernel.takes_squared_norms() ? rows.rows : 0);
        for (std::size_t i = 0; i < norms.size(); ++i) {
            std::int64_t sum = 0;
            for (std::size_t j = 0; j < rows.width; ++j) {
                const std::int32_t value = rows.data[i * rows.width + j];
                sum += value * value;
            }
            norms[i] = static_cast<double>(sum);
        }
        return norms;
    };
    const std::vector<double> row_norms = norms_of(a), column_norms = norms_of(b);
    const std::size_t width = a.width;
    const std::size_t panel = rounded_up(kPanelBytes / (width * sizeof(Value) + 1) + 1, 4);
    std::atomic<bool> finite{true};
    const auto job = [&](std::size_t k) {
        const std::size_t begin = a.rows * k / ((a.rows + kJobRows - 1) / kJobRows);
        const std::size_t end = a.rows * (k + 1) / ((a.rows + kJobRows - 1) / kJobRows);
        const Value* const job_rows = a.data + begin * width;
        std::vector<std::int32_t> moved(std::is_same_v<Value, std::uint8_t> ? std::min(panel, b.rows) : 0);
        const Buffer<std::int8_t> shifted(std::is_same_v<Value, std::uint8_t> ? kByteRows * width : 0);
        for (std::size_t first = 0; first < b.rows; first += panel) {
            const std::size_t columns = std::min(panel, b.rows - first);
            double* const values = out.data + begin * out.stride + first;
            if constexpr (std::is_same_v<Value, std::uint8_t>)
                core.byte_products(job_rows, end - begin, b.data + first * width, columns, width,
                                   {moved.size(), shifted.data(), moved.data()}, values, out.stride);
            else
                core.integer_products(job_rows, end - begin, b.data + first * width, columns, width, values, out.stride);
            const bool norms = !row_norms.empty();
            const ValuesBlock block{values,
                                    out.stride,
                                    end - begin,
                                    columns,
                                    row_norms.data() + (norms ? begin : 0),
                                    column_norms.data() + (norms ? first : 0),
                                    values,
                                    out.stride};
            if (!core.apply(kernel, block)) finite = false;
        }
    };
    parallel_for((a.rows + kJobRows - 1) / kJobRows, useful_threads(threads, product_of(a.rows, b.rows, width)), job);
    return finite;
}

template bool integer_kernel_values(const KernelFunction&, IntegerRows<std::int16_t>, IntegerRows<std::int16_t>,
                                    std::size_t, ValuesOut);
template bool integer_kernel_values(const KernelFunction&, IntegerRows<std::uint8_t>, IntegerRows<std::uint8_t>,
                                    std::size_t, ValuesOut);

}  // namespace rosenblatt
