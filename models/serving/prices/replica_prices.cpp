/// Times are summed at the points of a grid, part by part.
#include "models/serving/prices/replica_prices.hpp"

#include <algorithm>
#include <limits>
#include <span>

#include "models/operators/table_checks.hpp"

namespace dfsweep::serving {

namespace {

using operators::Family;
using operators::LogAxes;
using operators::OperatorTables;
using operators::TableSetting;
using operators::TableStack;

constexpr double least_error = 1e-4;

/// The sizes of a point of a grid.
StepSizes sizes_of(const std::array<double, 1>& keys) {
  return {.first = keys[0]};
}
StepSizes sizes_of(const std::array<double, 2>& keys) {
  return {.first = keys[0], .context = keys[1]};
}
StepSizes sizes_of(const std::array<double, 3>& keys) {
  return {.first = keys[0], .tokens = keys[1], .context = keys[2]};
}

/// Calls visit(grid) with the grid of a part.
template <class Visit>
auto with_grid(StepPart part, const Visit& visit) {
  if (part == StepPart::prompts) return visit(prompt_grid);
  if (part == StepPart::decoding) return visit(decode_grid);
  return visit(token_grid);
}

PricedOperation priced(const StepOperation& operation, std::size_t table, const OperatorTables& tables) {
  PricedOperation priced{operation, table, {}, {}};
  const operators::TablePredictor& predictor = tables.predictor(table);
  with_grid(operation.part, [&](const auto& grid) {
    for (std::size_t point = 0; point < points_of(grid); ++point) {
      const auto prediction = predictor.predict(keys_of(operation, sizes_of(keys_at(grid, point))));
      priced.seconds.push_back(static_cast<float>(prediction.time.value()));
      priced.errors.push_back(static_cast<float>(prediction.expected_error));
    }
  });
  return priced;
}

bool are_rates_of(const TableSetting& a, const TableSetting& b) {
  return a.rates.peak == b.rates.peak && a.rates.bandwidth == b.rates.bandwidth && a.link == b.link &&
         a.network == b.network;
}

/// The setting of a table on the devices of a replica.
TableSetting setting_on(const Replica& r, const operators::OperatorTable& table, const TableSetting& measured) {
  const Accelerator& a = r.accelerator;
  const operators::TableDevice device{a.peak_16bit,
                                      a.peak_8bit,
                                      a.peak_4bit,
                                      a.memory_bandwidth,
                                      r.network.inside.bandwidth,
                                      r.network.across.bandwidth,
                                      r.network.enclosures.node};
  return setting_of(table, device).value_or(measured);
}

/// Times of all operations of a kind at the points of a grid, and time x error.
struct GridTimes {
  std::vector<double> seconds;
  std::vector<double> errors;
};

/// Of one operation, on the devices of the replica.
template <std::size_t Axes>
GridTimes times_on(const PricedOperation& priced, const OperatorTables& tables, const Replica& r,
                   const LogAxes<Axes>& grid) {
  const operators::OperatorTable& table = tables.table(priced.table);
  const TableSetting& measured = tables.setting(priced.table);
  const TableSetting here = setting_on(r, table, measured);
  const bool is_measured = are_rates_of(here, measured);
  const operators::Numbers& numbers = tables.predictor(priced.table).numbers();
  GridTimes times;
  for (std::size_t point = 0; point < priced.seconds.size(); ++point) {
    double seconds = priced.operation.count * static_cast<double>(priced.seconds[point]);
    if (!is_measured) {
      const operators::Keys keys = keys_of(priced.operation, sizes_of(keys_at(grid, point)));
      seconds *= form_time(table.family, keys, here, numbers) / form_time(table.family, keys, measured, numbers);
    }
    times.seconds.push_back(seconds);
    times.errors.push_back(seconds * static_cast<double>(priced.errors[point]));
  }
  return times;
}

void add(GridTimes& sum, const GridTimes& more) {
  if (sum.seconds.empty()) {
    sum = more;
    return;
  }
  for (std::size_t i = 0; i < sum.seconds.size(); ++i) {
    sum.seconds[i] += more.seconds[i];
    sum.errors[i] += more.errors[i];
  }
}

void take_faster(GridTimes& best, const GridTimes& other) {
  if (best.seconds.empty()) best = other;
  for (std::size_t i = 0; i < best.seconds.size(); ++i) {
    if (!(other.seconds[i] < best.seconds[i])) continue;
    best.seconds[i] = other.seconds[i];
    best.errors[i] = other.errors[i];
  }
}

/// Adds up the operations of some parts.
template <std::size_t Axes>
std::optional<PricedSurface<Axes>> surface(std::span<const StepPart> parts, const ReplicaPrices& prices,
                                           const OperatorTables& tables, const Replica& r, const LogAxes<Axes>& grid) {
  GridTimes sum;
  GridTimes exchange;
  for (const PricedOperation& priced : prices.operations) {
    const StepPart part = priced.operation.part;
    if (std::find(parts.begin(), parts.end(), part) == parts.end()) continue;
    const GridTimes times = times_on(priced, tables, r, grid);
    if (part == StepPart::exchanges)
      take_faster(exchange, times);
    else
      add(sum, times);
  }
  if (!exchange.seconds.empty()) add(sum, exchange);
  if (sum.seconds.empty()) return std::nullopt;
  for (std::size_t i = 0; i < sum.seconds.size(); ++i)
    sum.errors[i] = std::max(least_error, sum.errors[i] / sum.seconds[i]);
  never_fall(grid, sum.seconds);
  return PricedSurface<Axes>{{grid, sum.seconds}, {grid, sum.errors}};
}

/// The number of a closed form that is paid once for each kernel.
Seconds launch_of(const OperatorTables& tables, std::size_t table) {
  const auto names = operators::info_of(tables.table(table).family).numbers;
  const auto found = std::find(names.begin(), names.end(), std::string_view("launch"));
  if (found == names.end()) return {};
  return Seconds{tables.predictor(table).numbers()[static_cast<std::size_t>(found - names.begin())]};
}

}  // namespace

std::optional<std::size_t> table_of(const StepOperation& operation, const OperatorTables& tables,
                                    const TableStack& stack) {
  if (!operation.is_of_library) return tables.find(operation.query, stack);
  return tables.find(operation.query, {.system = stack.system, .engine = "nccl", .version = "", .word = ""});
}

double least_distance(const StepOperation& operation, const operators::TablePredictor& predictor) {
  double least = std::numeric_limits<double>::infinity();
  with_grid(operation.part, [&](const auto& grid) {
    for (std::size_t point = 0; point < points_of(grid) && least > farthest_row; ++point) {
      const operators::Keys keys = keys_of(operation, sizes_of(keys_at(grid, point)));
      least = std::min(least, predictor.predict(keys).distance);
    }
  });
  return least;
}

std::array<PartTables, step_part_count> tables_of_parts(const std::vector<StepOperation>& operations,
                                                        const OperatorTables& tables, const TableStack& stack) {
  std::array<std::size_t, step_part_count> all{};
  std::array<std::size_t, step_part_count> found{};
  std::array<std::size_t, step_part_count> near{};
  for (const StepOperation& operation : operations) {
    const auto part = static_cast<std::size_t>(operation.part);
    ++all[part];
    const auto table = table_of(operation, tables, stack);
    if (!table) continue;
    ++found[part];
    if (least_distance(operation, tables.predictor(*table)) <= farthest_row) ++near[part];
  }
  std::array<PartTables, step_part_count> known{};
  for (std::size_t part = 0; part < step_part_count; ++part) {
    const std::size_t needed = part == static_cast<std::size_t>(StepPart::exchanges) ? 1 : all[part];
    if (found[part] == 0 || found[part] < needed) continue;
    known[part] = near[part] > 0 && near[part] >= needed ? PartTables::near : PartTables::far;
  }
  return known;
}

ReplicaPrices replica_prices(const std::vector<StepOperation>& operations, const OperatorTables& tables,
                             const TableStack& stack) {
  const std::array<PartTables, step_part_count> parts = tables_of_parts(operations, tables, stack);
  ReplicaPrices prices;
  for (std::size_t part = 0; part < step_part_count; ++part)
    if (parts[part] == PartTables::far) prices.far = static_cast<std::uint8_t>(prices.far | 1U << part);
  for (const StepOperation& operation : operations) {
    if (parts[static_cast<std::size_t>(operation.part)] != PartTables::near) continue;
    const auto table = table_of(operation, tables, stack);
    if (table && least_distance(operation, tables.predictor(*table)) <= farthest_row)
      prices.operations.push_back(priced(operation, *table, tables));
  }
  return prices;
}

StepPrices step_prices(const ReplicaPrices& prices, const OperatorTables& tables, const Replica& r) {
  using enum StepPart;
  constexpr std::array of_tokens{attention_products, dense_products, exchanges};
  constexpr std::array of_exchanges{exchanges};
  constexpr std::array of_experts{experts};
  constexpr std::array of_output{output};
  constexpr std::array of_decoding{decoding};
  constexpr std::array of_prompts{StepPart::prompts};
  StepPrices step;
  step.far = prices.far;
  step.rank_tokens = surface(of_tokens, prices, tables, r, token_grid);
  step.exchanges = surface(of_exchanges, prices, tables, r, token_grid);
  step.experts = surface(of_experts, prices, tables, r, token_grid);
  step.output = surface(of_output, prices, tables, r, token_grid);
  step.decoding = surface(of_decoding, prices, tables, r, decode_grid);
  step.prompts = surface(of_prompts, prices, tables, r, prompt_grid);
  for (const PricedOperation& priced : prices.operations) {
    const StepPart part = priced.operation.part;
    step.priced = static_cast<std::uint8_t>(step.priced | 1U << static_cast<unsigned>(part));
    if (part != StepPart::prompts && part != exchanges)
      step.launches += priced.operation.count * launch_of(tables, priced.table);
  }
  return step;
}

}  // namespace dfsweep::serving
