/// Rows of a table of measured training steps as points, with the shipped catalogue.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "models/training/measured/reading.hpp"
#include "models/training/step/point.hpp"

namespace dfsweep::testing {

struct MeasuredStep {
  MeasuredRow row;
  training::RowReading reading;
  training::TrainingPoint point;  ///< system and software of the catalogue
  double seconds = 0.0;           ///< measured time of the step
};

/// The rows of a table as they are.
[[nodiscard]] std::vector<MeasuredRow> measured_rows(const std::filesystem::path& table);

/// The row with what the catalogue of the source tree knows of its model.
[[nodiscard]] training::RowReading read_measured(const MeasuredRow& row);
/// Pre: the reading has no problem.
[[nodiscard]] training::TrainingPoint point_of(const training::RowReading& reading);

/// All rows that can be expressed; those whose own figures contradict one another are left out. Throws
/// std::runtime_error where the catalogue has a problem or a row no measured time.
[[nodiscard]] std::vector<MeasuredStep> measured_steps(const std::filesystem::path& table);

/// Linear between the values, as usual: share 0.5 is the median. Pre: there are values.
[[nodiscard]] double quantile(std::vector<double> values, double share);

}  // namespace dfsweep::testing
