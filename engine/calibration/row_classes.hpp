/// Classes of measured rows: what other groups of rows say about the machine and the stack of a row, dense or experts.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/calibration/groups.hpp"
#include "engine/calibration/measured_sweep.hpp"
#include "models/calibration/stated_error.hpp"

namespace dfsweep {

/// What rows of other groups measure.
enum class Measured : std::uint8_t {
  stack,        ///< the same entry on the same accelerator
  accelerator,  ///< the same accelerator with another entry
  neither
};
enum class ModelKind : std::uint8_t { dense, experts };

struct RowClass {
  Measured measured = Measured::neither;
  ModelKind model = ModelKind::dense;
  bool operator==(const RowClass&) const = default;
};
inline constexpr std::size_t row_class_count = 6;
[[nodiscard]] std::size_t index_of(RowClass row_class);
[[nodiscard]] RowClass row_class_at(std::size_t index);
/// "accelerator and stack measured, dense"
[[nodiscard]] std::string_view name_of(RowClass row_class);

/// [observation of `kept`] Its class. The accelerator is that of the column 'accelerator', else of the parameter
/// 'system'; the stack is the entry that is corrected. `groups`: of the kept observations; a row that no other group
/// measures is in Measured::neither.
[[nodiscard]] std::vector<RowClass> row_classes(const MeasuredSweep& sweep, const std::vector<std::size_t>& kept,
                                                const Groups& groups);

/// [index of class] Errors stated for it, from `log_errors` of rows left out group by group.
[[nodiscard]] std::vector<calibration::StatedError> stated_errors(const std::vector<RowClass>& classes,
                                                                  const std::vector<double>& log_errors,
                                                                  const Groups& groups);

}  // namespace dfsweep
