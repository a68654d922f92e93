/// Groups of observations: rows of one source, one model, one configuration, and rows of few or many devices.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/calibration/measured_sweep.hpp"

namespace dfsweep {

/// Which group each observation belongs to.
struct Groups {
  std::string of;                      ///< column: "source", "model"; or "ten folds"
  std::vector<std::string> names;      ///< [group] in order of first appearance
  std::vector<std::uint32_t> numbers;  ///< [observation]
  [[nodiscard]] std::size_t count() const { return names.size(); }
};

/// Groups by the cells of a column, which is a label or a parameter. Nothing if there is no such column.
[[nodiscard]] std::optional<Groups> groups_by(const MeasuredSweep& sweep, std::string_view column);

/// Ten folds of whole configurations: rows with the same parameters stay together.
[[nodiscard]] Groups ten_folds(const MeasuredSweep& sweep);

/// 1 for observations of at most `most` devices, 0 for others. Nothing if the rows have no device_count, or one side
/// has fewer than `fewest` observations.
[[nodiscard]] std::optional<std::vector<std::uint8_t>> few_devices(const MeasuredSweep& sweep, double most,
                                                                   std::size_t fewest);

}  // namespace dfsweep
