/// Measured rows of serving as points of the shipped studies, whose software may be any.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "engine/sweep/sweep.hpp"
#include "models/measured_row.hpp"
#include "models/serving/points/demand.hpp"
#include "models/serving/points/figures.hpp"

namespace dfsweep::testing {

/// A row of sweeps/measured that is a point of the study.
struct ServingRow {
  MeasuredRow measured;
  std::size_t point = 0;  ///< line of the point list
  std::string system;     ///< of the point
};

/// The points of studies/NAME.toml, and the rows of their table. Not safe for threads: predictions set the
/// software of the point.
class ServingPoints {
 public:
  /// `sweeps`: the folder of the source tree; `name`: "measured-serving-load"; `table`: of measured/. Throws where a
  /// file is malformed.
  ServingPoints(const std::filesystem::path& sweeps, const std::string& name, const std::string& table);
  [[nodiscard]] const std::vector<ServingRow>& rows() const { return rows_; }
  /// The metrics of a row with this software, under load by the closed form or by the simulation.
  [[nodiscard]] serving::Figures figures(const ServingRow& row, const ServingSoftware& software,
                                         serving::Queueing queueing);

 private:
  SweepSpec spec_;
  std::vector<std::span<const std::uint32_t>> columns_;
  serving::DecodedValues decoded_;
  std::vector<ServingRow> rows_;
};

}  // namespace dfsweep::testing
