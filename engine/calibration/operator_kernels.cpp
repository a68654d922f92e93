#include "engine/calibration/operator_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "engine/console/usage_error.hpp"
#include "engine/operators/operator_folder.hpp"
#include "io/suggestion.hpp"
#include "models/operators/attention_forms.hpp"

namespace dfsweep {

namespace {

using operators::Family;
using operators::Keys;
using operators::OperatorTable;

/// The entry of "systems" behind the name that tables have for their machine.
std::string entry_of(const std::string& name, std::span<const MeasuredOn> measured_on, const Catalogue& catalogue) {
  const std::vector<std::string> known = catalogue.names("systems");
  for (const MeasuredOn& place : measured_on) {
    if (place.folder != name) continue;
    if (!catalogue.contains("systems", place.system))
      throw UsageError(fmt::format("--measured-on: no system is called '{}'. {}", place.system,
                                   did_you_mean(place.system, known, "There are: " + listed(known) + ".")));
    return place.system;
  }
  for (const std::string& entry : known)
    if (entry == name || catalogue.load("systems", entry).entry.text_or("operators", "") == name) return entry;
  throw UsageError(
      fmt::format("the tables name the system '{}', which the catalogue does not have. {} Or say which one it is: "
                  "--measured-on {}=SYSTEM.",
                  name, did_you_mean(name, known, "There are: " + listed(known) + "."), name));
}

bool is_16_bits(const OperatorTable& table) {
  return table.format == "bfloat16" || table.format == "float16" || table.format == "half";
}

/// Whether training steps have kernels like those of the table.
bool is_of_training(const OperatorTable& table) {
  if (!is_16_bits(table)) return false;
  if (table.family == Family::library_exchanges) return table.variant == "all_reduce";
  return table.family == Family::products || table.family == Family::prompts;
}

std::optional<TimedKernel> product_of(const Keys& keys, Seconds measured) {
  return TimedKernel{MatrixProduct{keys[0], keys[1], keys[2], 1.0, false, ""}, measured};
}

/// Prompts without a window: a window is work that steps of dense attention do not have.
std::optional<TimedKernel> prompt_of(const Keys& keys, Seconds measured, ScoreCount count) {
  const double tokens = keys[1], context = keys[2], window = keys[6];
  if (tokens < fewest_tokens || window > 0.0) return std::nullopt;
  const double scores = keys[0] * tokens * (context + (count == ScoreCount::causal ? 0.5 : 1.0) * tokens);
  return TimedKernel{ScoreWork{Flop{4.0 * keys[3] * keys[5] * scores}, keys[5]}, measured};
}

std::optional<TimedKernel> exchange_of(const Keys& keys, Seconds measured) {
  const double devices = keys[0];
  if (Bytes{keys[1]} < least_exchange) return std::nullopt;
  return TimedKernel{AllReduceWork{Bytes{keys[1]}, GroupPlace{devices, devices, devices}}, measured};
}

std::optional<TimedKernel> kernel_of(const OperatorTable& table, std::size_t row, ScoreCount count) {
  const Keys keys = operators::keys_of(table, row);
  const Seconds measured{static_cast<double>(table.seconds[row])};
  if (table.family == Family::products) return product_of(keys, measured);
  if (table.family == Family::prompts) return prompt_of(keys, measured, count);
  return exchange_of(keys, measured);
}

KernelClass class_of(Family family) {
  if (family == Family::products) return KernelClass::products;
  return family == Family::prompts ? KernelClass::attention : KernelClass::inside_exchanges;
}

/// What is left out together by cross-validation: shapes, heads, counts of devices.
std::string group_of(Family family, const Keys& keys) {
  if (family == Family::products) return fmt::format("{} x {}", keys[1], keys[2]);
  if (family == Family::prompts) return fmt::format("{} heads of {}", keys[3], keys[5]);
  return fmt::format("{} devices", keys[0]);
}

/// The kernels of a table, one KernelTable for each group.
std::vector<KernelTable> kernel_tables(const OperatorTable& table, ScoreCount count) {
  std::map<std::string, KernelTable> groups;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::optional<TimedKernel> kernel = kernel_of(table, row, count);
    if (!kernel) continue;
    const std::string group = group_of(table.family, operators::keys_of(table, row));
    KernelTable& of_group = groups.try_emplace(group, KernelTable{class_of(table.family), group, {}}).first->second;
    of_group.kernels.push_back(*kernel);
  }
  std::vector<KernelTable> tables;
  for (auto& [group, of_group] : groups) tables.push_back(std::move(of_group));
  return tables;
}

}  // namespace

std::vector<SystemKernels> read_operator_kernels(const std::filesystem::path& folder,
                                                 std::span<const MeasuredOn> measured_on, const Catalogue& catalogue,
                                                 unsigned threads) {
  const operators::OperatorFolder read = operators::read_operator_folder(folder, catalogue, threads);
  std::vector<SystemKernels> systems;
  for (const OperatorTable& table : read.tables) {
    if (!is_of_training(table)) continue;
    SystemKernels& kernels = kernels_of(systems, entry_of(table.system, measured_on, catalogue), catalogue);
    for (KernelTable& each : kernel_tables(table, ScoreCount::causal)) kernels.tables.push_back(std::move(each));
    if (table.family != Family::prompts) continue;
    for (KernelTable& each : kernel_tables(table, ScoreCount::square))
      kernels.square_attention.push_back(std::move(each));
  }
  std::erase_if(systems, [](const SystemKernels& kernels) { return kernels.tables.empty(); });
  if (systems.empty())
    throw UserError(
        {{{folder.string(), 0, 0},
          "no row times a kernel of training steps",
          "those are products, prompts of 1024 tokens and more, and all-reduces of 1 MiB and more, in 16 bits",
          ""}});
  for (SystemKernels& kernels : systems) kernels.files = read.inputs;
  return systems;
}

}  // namespace dfsweep
