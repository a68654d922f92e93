/// Overlay: corrected entries as catalogue files, with the source of their numbers and the expected errors.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/calibration/calibration.hpp"

namespace dfsweep {

/// A field of an entry as a line of TOML: name = { value = "6e-06 s", source = "..." }.
[[nodiscard]] std::string entry_field_line(std::string_view field, double value, std::string_view unit,
                                           std::string_view source);

/// Names and checksums of operator tables, "compute/a100/m/mlp.csv 0123..., ...".
[[nodiscard]] std::string tables_text(std::span<const InputFile> files);

struct OverlayEntry {
  std::string kind;  ///< folder of the catalogue, "software"
  std::string name;
  std::size_t entry = 0;  ///< of Calibration::entries
};

/// Entries that rows name, and the originals of copies; copies equal to their original are left out. If rows name no
/// entry, one entry called "calibrated".
[[nodiscard]] std::vector<OverlayEntry> overlay_entries(const Calibration& calibration);

/// The entry as TOML, called `name`. The source of fitted numbers names the table of rows, its checksum and the
/// expected error; other numbers keep their source, and errors of a resource that was not fitted are unchanged.
[[nodiscard]] std::string overlay_text(const OverlayEntry& entry, const std::string& name,
                                       const Calibration& calibration);

/// Expected errors of a prediction, from left-out rows.
struct ExpectedError {
  double median = 0.0;        ///< of |relative error|
  double measured_low = 1.0;  ///< measured / predicted: 5 % and 95 % quantiles
  double measured_high = 1.0;
};
[[nodiscard]] ExpectedError expected_error(const CalibrationReport& report);

}  // namespace dfsweep
