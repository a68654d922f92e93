/// Left-out procedures: predictions of rows from the other rows, as the errors of tables and forms are stated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/operators/form_fit.hpp"
#include "models/operators/operator_table.hpp"

namespace dfsweep::operators {

/// Errors of the prediction of one row, |predicted / measured - 1|.
struct LeftOutError {
  float seconds = 0.0F;  ///< measured
  float form = 0.0F;     ///< of the closed form, fitted to the other rows
  float table = 0.0F;    ///< of the closed form times the ratios of the nearest keys
  float bound = 0.0F;    ///< that `table` was expected to stay below, nine times of ten
};

/// What is left out together.
enum class LeftOut : std::uint8_t {
  shapes,  ///< all rows of a shape, whatever their size
  sizes,   ///< all rows of a size, whatever their shape
};

inline constexpr std::size_t left_out_folds = 20;

/// Errors of every row of a table, each predicted from the rows of the other folds. A table with fewer than 40 rows, or
/// where no row remains, has none.
[[nodiscard]] std::vector<LeftOutError> left_out_errors(const OperatorTable& table, const TableSetting& setting,
                                                        LeftOut what);

/// A table with its setting.
struct SetTable {
  const OperatorTable* table = nullptr;
  TableSetting setting;
};

/// Errors of the closed form for one table: fitted to rows of other tables only, or with twenty rows of its own beside
/// them, of five draws joined. Pre: `others` are of the same family.
[[nodiscard]] std::vector<float> errors_without_rows(const SetTable& table, const Numbers& shared);
[[nodiscard]] std::vector<float> errors_with_twenty_rows(const SetTable& table, const Numbers& shared);

/// Numbers for a device of which nothing was measured, fitted to the tables of other devices together, as many rows of
/// each table. For exchanges, products that quantise nothing and attention of prompts, which the device decides more
/// than the engine, the weights of all rows of a device add up to 1 / (0.05 + d) for one that is d doublings away in
/// the rates that decide the family (how_far); else all rows count equally.
[[nodiscard]] Numbers shared_numbers(std::span<const SetTable> tables, const TableSetting& device);

/// How far apart two devices are: the doublings between their links for exchanges; else the root of the sum of the
/// squares of those between their peak rates and between their memory bandwidths.
[[nodiscard]] double how_far(Family family, const TableSetting& a, const TableSetting& b);

/// Median and ninth decile.
struct ErrorPair {
  double median = 0.0;
  double ninth_decile = 0.0;
};
/// Pre: not empty.
[[nodiscard]] ErrorPair error_pair(std::vector<float> errors);

}  // namespace dfsweep::operators
