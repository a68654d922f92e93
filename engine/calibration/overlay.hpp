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

/// What left-out rows say about predictions with an entry.
struct EntryError {
  calibration::StatedError error;
  std::string rows;  ///< which rows say it: "all rows", or the name of a class
};
/// For models of one kind. The class is that of an accelerator and a stack that are measured, for the original of
/// copies that of neither. Where other groups of rows do not measure the class, so that nothing is known about the next
/// group: for dense models all rows, for models with experts nothing.
[[nodiscard]] std::optional<EntryError> error_of_entry(const CalibrationReport& report, std::size_t entry,
                                                       ModelKind kind);

}  // namespace dfsweep
