/// ReplicaPrices: predictions of tables for the operations of a replica, on grids of the sizes that vary, and from them
/// the prices of steps on a device with given rates.
/// Source: docs/models/serving.md, measured operators.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "models/serving/prices/step_operations.hpp"

namespace dfsweep::serving {

/// Tokens of products, experts and exchanges: two points for each doubling, 1 to 131072.
inline constexpr operators::LogAxes<1> token_grid{{{0.0, 0.0, 0.5, 35}}};
/// Sequences, 1 to 2048, and their contexts, 0 to 262080.
inline constexpr operators::LogAxes<2> decode_grid{{{0.0, 0.0, 1.0, 12}, {64.0, 6.0, 1.0, 13}}};
/// Prompts, 1 to 256, their tokens, 16 to 65536, and what is before them, 0 to 262080.
inline constexpr operators::LogAxes<3> prompt_grid{{{0.0, 0.0, 2.0, 5}, {0.0, 4.0, 1.0, 13}, {64.0, 6.0, 1.0, 13}}};

/// An operation and the table that prices it.
struct PricedOperation {
  StepOperation operation;
  std::size_t table = 0;
  std::vector<float> seconds;  ///< [point of the grid] of one, at the rates of the table
  std::vector<float> errors;   ///< [point of the grid] relative
};

struct ReplicaPrices {
  std::vector<PricedOperation> operations;  ///< only of parts of which every operation has a near row
  std::uint8_t far = 0;                     ///< bit p: StepPart p has tables for every operation, but not near rows
};

/// A row is near an operation whose keys are that of the row but for this many doublings, at some of the sizes that
/// vary. Of 0.25 to 2 doublings and all, 1 gives the least median error of served steps (docs/models/serving.md).
inline constexpr double farthest_row = 1.0;

/// Doublings from the keys of an operation to the nearest row of a table, at the size that is nearest.
[[nodiscard]] double least_distance(const StepOperation& operation, const operators::TablePredictor& predictor);

/// The table of an operation, or nothing if it was not measured; exchanges of a library have tables of their own.
[[nodiscard]] std::optional<std::size_t> table_of(const StepOperation& operation,
                                                  const operators::OperatorTables& tables,
                                                  const operators::TableStack& stack);

/// What tables know of a part.
enum class PartTables : std::uint8_t {
  missing,  ///< not every operation has a table
  far,      ///< not every operation has a near row
  near,     ///< the part is priced from tables
};
/// Of all-reduces, one table of both is enough.
[[nodiscard]] std::array<PartTables, step_part_count> tables_of_parts(const std::vector<StepOperation>& operations,
                                                                      const operators::OperatorTables& tables,
                                                                      const operators::TableStack& stack);

[[nodiscard]] ReplicaPrices replica_prices(const std::vector<StepOperation>& operations,
                                           const operators::OperatorTables& tables, const operators::TableStack& stack);

/// The prices on the devices of the replica. Where they are not those of the table, a time is that of the table times
/// closed form at their rates over closed form at the table's. All-reduces take the faster of engine and library.
[[nodiscard]] StepPrices step_prices(const ReplicaPrices& prices, const operators::OperatorTables& tables,
                                     const Replica& r);

}  // namespace dfsweep::serving
