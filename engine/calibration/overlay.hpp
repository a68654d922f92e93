/// Overlay: corrected entries as files of a catalogue, with where their numbers are from and how far they err.
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

/// Entries that rows name, and those that they are copies of; copies that came out like the original are left to it.
/// Rows that name none give one that is called "calibrated".
[[nodiscard]] std::vector<OverlayEntry> overlay_entries(const Calibration& calibration);

/// The entry as TOML under this name: numbers that were fitted name the table of rows, its checksum and the error to
/// expect; others keep their source, and errors of a resource that was not fitted stay as they were.
[[nodiscard]] std::string overlay_text(const OverlayEntry& entry, const std::string& name,
                                       const Calibration& calibration);

/// Errors to expect of a prediction, from rows that the fit has not seen.
struct ExpectedError {
  double median = 0.0;        ///< of the size of the relative error
  double measured_low = 1.0;  ///< measured over predicted: 5 and 95 % of the rows lie below
  double measured_high = 1.0;
};
[[nodiscard]] ExpectedError expected_error(const CalibrationReport& report);

}  // namespace dfsweep
