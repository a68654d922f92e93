#include "engine/calibration/row_classes.hpp"

#include <array>
#include <map>
#include <set>
#include <utility>

#include "engine/calibration/correctable_model.hpp"
#include "models/place_of_name.hpp"

namespace dfsweep {

namespace {

constexpr std::array<std::string_view, row_class_count> class_names{"accelerator and stack measured, dense",
                                                                    "accelerator and stack measured, experts",
                                                                    "accelerator measured, another stack, dense",
                                                                    "accelerator measured, another stack, experts",
                                                                    "neither measured, dense",
                                                                    "neither measured, experts"};

/// [observation] Numbers of the entry that each row names for a parameter; all 0 without that parameter.
std::vector<std::uint32_t> codes_of(const MeasuredSweep& sweep, std::string_view column) {
  if (auto groups = groups_by(sweep, column)) return std::move(groups->numbers);
  return std::vector<std::uint32_t>(sweep.observations.size(), 0);
}

std::vector<ModelKind> model_kinds(const MeasuredSweep& sweep) {
  const auto place = place_of_name(sweep.spec.estimator->parameters(), std::string_view("model"));
  std::vector<ModelKind> kinds(sweep.observations.size(), ModelKind::dense);
  if (!place) return kinds;
  const SweepValues::Parameter& models = sweep.spec.values.parameters[*place];
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const std::size_t row = sweep.observations[i].row;
    const std::uint32_t code = models.column == SweepValues::fixed ? 0 : sweep.spec.points->codes[models.column][row];
    const Entry* entry = models.values[code].entry;
    if (entry != nullptr && entry->number_or("experts", 0.0) > 0.0) kinds[i] = ModelKind::experts;
  }
  return kinds;
}

}  // namespace

std::size_t index_of(RowClass row_class) {
  return 2 * static_cast<std::size_t>(row_class.measured) + static_cast<std::size_t>(row_class.model);
}

RowClass row_class_at(std::size_t index) {
  return {static_cast<Measured>(index / 2), static_cast<ModelKind>(index % 2)};
}

std::string_view name_of(RowClass row_class) {
  return class_names[index_of(row_class)];
}

std::vector<RowClass> row_classes(const MeasuredSweep& sweep, const std::vector<std::size_t>& kept,
                                  const Groups& groups) {
  const Estimator& estimator = *sweep.spec.estimator;
  const bool has_accelerators = sweep.table.label("accelerator") != nullptr;
  const std::vector<std::uint32_t> accelerators = codes_of(sweep, has_accelerators ? "accelerator" : "system");
  const std::vector<std::uint32_t> stacks =
      codes_of(sweep, estimator.parameters()[parameter_of_entries(estimator)].name);
  const std::vector<ModelKind> kinds = model_kinds(sweep);
  std::map<std::uint32_t, std::set<std::uint32_t>> groups_of_accelerator;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::set<std::uint32_t>> groups_of_stack;
  for (std::size_t k = 0; k < kept.size(); ++k) {
    groups_of_accelerator[accelerators[kept[k]]].insert(groups.numbers[k]);
    groups_of_stack[{accelerators[kept[k]], stacks[kept[k]]}].insert(groups.numbers[k]);
  }
  // A set that contains the group of the row itself says something only if it contains another one, too.
  std::vector<RowClass> classes;
  for (const std::size_t i : kept) {
    const bool knows_stack = groups_of_stack[{accelerators[i], stacks[i]}].size() > 1;
    const bool knows_accelerator = groups_of_accelerator[accelerators[i]].size() > 1;
    classes.push_back({knows_stack         ? Measured::stack
                       : knows_accelerator ? Measured::accelerator
                                           : Measured::neither,
                       kinds[i]});
  }
  return classes;
}

std::vector<calibration::StatedError> stated_errors(const std::vector<RowClass>& classes,
                                                    const std::vector<double>& log_errors, const Groups& groups) {
  std::vector<calibration::StatedError> stated;
  for (std::size_t c = 0; c < row_class_count; ++c) {
    std::vector<double> errors;
    std::vector<std::uint32_t> numbers;
    for (std::size_t i = 0; i < classes.size(); ++i) {
      if (index_of(classes[i]) != c) continue;
      errors.push_back(log_errors[i]);
      numbers.push_back(groups.numbers[i]);
    }
    stated.push_back(calibration::stated_error(errors, numbers));
  }
  return stated;
}

}  // namespace dfsweep
