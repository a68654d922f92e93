#include "tests/support/measured_steps.hpp"

#include <algorithm>
#include <stdexcept>

#include "engine/catalogue/catalogue.hpp"
#include "models/kernels/software_table.hpp"
#include "models/machine/accelerator_names.hpp"
#include "models/machine/system.hpp"
#include "models/training/measured/measured_point.hpp"
#include "tests/support/golden_table.hpp"

namespace dfsweep::testing {

namespace {

using namespace training;

const Catalogue& catalogue() {
  static const Catalogue all = catalogue_with({});
  return all;
}

Entry entry(std::string_view kind, std::string_view name) {
  EntryFile file = catalogue().load(kind, name);
  if (!file.problems.empty()) throw std::runtime_error(std::string(name) + ": " + file.problems.front().problem);
  return std::move(file.entry);
}

template <class Value>
Value checked(Decoded<Value> decoded, std::string_view name) {
  if (decoded.problems.empty()) return std::move(decoded.value);
  throw std::runtime_error(std::string(name) + ": " + decoded.problems.front().problem);
}

}  // namespace

std::vector<MeasuredRow> measured_rows(const std::filesystem::path& table) {
  const GoldenTable cells(table.string());
  std::vector<MeasuredRow> rows(cells.size());
  for (std::size_t row = 0; row < cells.size(); ++row)
    for (const std::string& column : cells.columns()) rows[row].cells[column] = cells.text(row, column);
  return rows;
}

RowReading read_measured(const MeasuredRow& row) {
  const std::string_view model = row.text("model");
  if (!catalogue().contains("models", model)) return read_row(row, nullptr);
  const Architecture known = checked(decode_architecture(entry("models", model)), model);
  return read_row(row, &known);
}

TrainingPoint point_of(const RowReading& reading) {
  const std::string_view name = system_of_accelerator(reading.accelerator);
  const System system = checked(decode_system(entry("systems", name)), name);
  for (const std::string& software : software_entries(reading.accelerator, reading.software))
    if (catalogue().contains("software", software))
      return measured_point(reading, system.accelerator, system.network,
                            checked(decode_software(entry("software", software)), software));
  throw std::runtime_error("the catalogue has no software 'default'");
}

std::vector<MeasuredStep> measured_steps(const std::filesystem::path& table) {
  std::vector<MeasuredStep> steps;
  for (const MeasuredRow& row : measured_rows(table)) {
    if (row.text("consistent") == "no") continue;
    const RowReading reading = read_measured(row);
    if (!reading.problem.empty()) continue;
    const TrainingPoint point = point_of(reading);
    const double seconds = measured_step_time(row, point).value();
    if (!(seconds > 0.0)) throw std::runtime_error(std::string(row.text("id")) + " has no measured time");
    steps.push_back({row, reading, point, seconds});
  }
  return steps;
}

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

}  // namespace dfsweep::testing
