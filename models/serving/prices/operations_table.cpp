#include "models/serving/prices/operations_table.hpp"

#include "models/operators/table_checks.hpp"
#include "models/serving/prices/replica_prices.hpp"

namespace dfsweep::serving {

namespace {

StepSizes sizes_of_part(StepPart part, const ExplainedSizes& sizes) {
  switch (part) {
    case StepPart::prompts:
      return sizes.prompts;
    case StepPart::decoding:
      return sizes.decoding;
    case StepPart::experts:
      return {.first = sizes.all_tokens};
    case StepPart::output:
      return {.first = sizes.sampled};
    default:
      return {.first = sizes.tokens};
  }
}

/// Why an operation keeps its closed form.
std::string unpriced_text(const StepOperation& operation, const operators::OperatorTables& tables,
                          std::optional<std::size_t> table) {
  if (!table) return "closed form";
  return least_distance(operation, tables.predictor(*table)) > farthest_row
             ? "closed form: no row of " + place_text(tables.table(*table)) + " is near"
             : "closed form: another operation of its part has no near row";
}

}  // namespace

Explanation operations_table(const std::vector<StepOperation>& operations, const operators::OperatorTables& tables,
                             const operators::TableStack& stack, const ExplainedSizes& sizes) {
  Explanation section{.title = "operations of a step", .facts = {}, .table = {}, .sections = {}};
  section.table.headings = {"operation",   "in all layers", "measured by", "rows", "distance of the nearest",
                            "time of one", "expected error"};
  section.table.units = {"", "1", "", "1", "doublings", "s", "1"};
  const std::array<PartTables, step_part_count> parts = tables_of_parts(operations, tables, stack);
  for (const StepOperation& operation : operations) {
    const std::optional<std::size_t> table = table_of(operation, tables, stack);
    if (!table || parts[static_cast<std::size_t>(operation.part)] != PartTables::near) {
      section.table.rows.push_back({std::string(operation.name), operation.count,
                                    unpriced_text(operation, tables, table), std::string(), std::string(),
                                    std::string(), std::string()});
      continue;
    }
    const operators::TablePredictor& predictor = tables.predictor(*table);
    const auto found = predictor.predict(keys_of(operation, sizes_of_part(operation.part, sizes)));
    section.table.rows.push_back({std::string(operation.name), operation.count, place_text(tables.table(*table)),
                                  static_cast<double>(predictor.rows()), found.distance, found.time.value(),
                                  found.expected_error});
  }
  return section;
}

}  // namespace dfsweep::serving
