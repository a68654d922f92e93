#include "engine/commands/product.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "engine/catalogue/catalogue.hpp"
#include "engine/console/output.hpp"
#include "engine/console/usage_error.hpp"
#include "engine/tables/rendering.hpp"
#include "engine/tables/table.hpp"
#include "io/json.hpp"
#include "io/number_format.hpp"
#include "io/suggestion.hpp"
#include "models/kernels/product.hpp"
#include "models/machine/hardware.hpp"

namespace dfsweep {

namespace {

constexpr double most_of_a_size = 1e15;

struct ChipRates {
  std::string name;
  Throughput peak;
  Bandwidth bandwidth;
};

struct TimedProduct {
  std::string device;
  std::string shape;
  Product product;
  double moved = 0.0;  ///< B
  ProductTimes times;
  double utilization = 0.0;  ///< of the peak rate
  [[nodiscard]] std::string bound() const { return times.compute >= times.memory ? "compute" : "memory"; }
};

Product product_of(const std::string& shape, double count) {
  std::array<double, 3> sizes{};
  const char* at = shape.data();
  const char* const end = at + shape.size();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    std::uint64_t size = 0;
    const auto [stop, error] = std::from_chars(at, end, size);
    sizes[i] = static_cast<double>(size);
    const bool is_last = i + 1 == sizes.size();
    const bool ends_well = is_last ? stop == end : stop != end && *stop == 'x';
    if (error != std::errc{} || size == 0 || sizes[i] > most_of_a_size || !ends_well)
      throw UsageError(
          fmt::format("'{}' must be three whole numbers MxKxN from 1 to 10^15, like 4096x4096x16384.", shape));
    at = is_last ? stop : stop + 1;
  }
  return {count, sizes[0], sizes[1], sizes[2]};
}

template <class Decode>
auto decoded_entry(const Catalogue& catalogue, std::string_view kind, const std::string& name, const Decode& decode) {
  if (!catalogue.contains(kind, name)) {
    const std::vector<std::string> known = catalogue.names(kind);
    throw UsageError(fmt::format("'{}' is not in the catalogue of {}. {}", name, kind,
                                 did_you_mean(name, known, "There are: " + listed(known) + ".")));
  }
  const Entry entry = catalogue.load(kind, name).entry;
  auto decoded = decode(entry);
  if (!decoded.problems.empty())
    throw UsageError(
        fmt::format("'{}' of {}: {} ({}).", name, kind, decoded.problems[0].problem, decoded.problems[0].reason));
  return decoded.value;
}

std::vector<ChipRates> chips_of(const ProductOptions& options) {
  const Catalogue catalogue = catalogue_with(options.catalogues);
  std::vector<ChipRates> chips;
  for (const std::string& name : options.devices) {
    const Device device = decoded_entry(catalogue, "devices", name, decode_device);
    const Bandwidth bandwidth = options.memory.empty()
                                    ? device.memory_bandwidth
                                    : decoded_entry(catalogue, "memories", options.memory, decode_memory).bandwidth;
    if (!is_given(bandwidth))
      throw UsageError(fmt::format("'{}' of devices has no memory_bandwidth. Give --memory.", name));
    chips.push_back({name, device.peak_flops, bandwidth});
  }
  return chips;
}

std::vector<TimedProduct> timed_products(const ProductOptions& options) {
  const auto* const precision = std::find_if(std::begin(product_precisions), std::end(product_precisions),
                                             [&](const PrecisionBytes& p) { return p.name == options.precision; });
  const Bytes word{precision->bytes};
  std::vector<Product> products;
  for (const std::string& shape : options.shapes) products.push_back(product_of(shape, options.count));
  std::vector<TimedProduct> timed;
  for (const ChipRates& chip : chips_of(options))
    for (std::size_t i = 0; i < products.size(); ++i) {
      const Product& product = products[i];
      const ProductTimes times = product_times(product, options.utilization * chip.peak, chip.bandwidth, word);
      timed.push_back({chip.name, options.shapes[i], product, words_of(product) * word.value(), times,
                       flop_of(product) / times.total() / chip.peak});
    }
  return timed;
}

DataTable table_of(std::vector<TimedProduct> timed) {
  const auto quantity = [](const char* unit) { return [unit](double value) { return with_unit(value, unit); }; };
  TableOf<TimedProduct> table(std::move(timed));
  table.add({"device"}, &TimedProduct::device, {.heading = "device", .weight = 3, .narrowest = 8})
      .show({.heading = "m x k x n", .weight = 3}, &TimedProduct::shape)
      .add({"m"}, [](const TimedProduct& t) { return t.product.m; })
      .add({"k"}, [](const TimedProduct& t) { return t.product.k; })
      .add({"n"}, [](const TimedProduct& t) { return t.product.n; })
      .add({"count"}, [](const TimedProduct& t) { return t.product.count; })
      .add({"work", "FLOP"}, [](const TimedProduct& t) { return flop_of(t.product).value(); },
           {.heading = "work", .number = quantity("FLOP")})
      .add({"moved", "B"}, &TimedProduct::moved, {.heading = "moved", .number = quantity("B")})
      .add({"compute_time", "s"}, [](const TimedProduct& t) { return t.times.compute.value(); },
           {.heading = "compute", .weight = 1, .number = quantity("s")})
      .add({"memory_time", "s"}, [](const TimedProduct& t) { return t.times.memory.value(); },
           {.heading = "memory", .weight = 1, .number = quantity("s")})
      .add({"time", "s"}, [](const TimedProduct& t) { return t.times.total().value(); },
           {.heading = "time", .weight = 3, .number = quantity("s")})
      .add({"bound"}, &TimedProduct::bound, {.heading = "bound by", .weight = 2})
      .add({"utilization"}, &TimedProduct::utilization,
           {.heading = "of the peak", .weight = 1, .number = [](double share) {
              return fmt::format("{:.1f} %", 100.0 * share);
            }});
  return table.take();
}

}  // namespace

ExitStatus run_product(const ProductOptions& options) {
  const DataTable table = table_of(timed_products(options));
  if (options.form == OutputForm::json)
    write_results(to_text(JsonObject{{"precision", options.precision}, {"products", rows_json(table)}}));
  else
    write_results(table_with_note(text_columns(table), terminal_of(1, options.colour), 0));
  return ExitStatus::complete;
}

}  // namespace dfsweep
