/// Software table: each number of software stacks with its meaning, its members in `training` and `serving`, and its
/// prior. Decoders, `describe`, `calibrate` and the reference pages read this table.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/calibration_info.hpp"
#include "models/decoded.hpp"
#include "models/entry.hpp"
#include "models/entry_fields.hpp"
#include "models/kernels/serving_software.hpp"
#include "models/kernels/software.hpp"

namespace dfsweep {

/// Decodes an entry of "software" for `training`. Missing fields have their defaults.
[[nodiscard]] Decoded<Software> decode_software(const Entry& entry);
/// Decodes an entry of "software" for `serving`. Missing fields have their defaults.
[[nodiscard]] Decoded<ServingSoftware> decode_serving_software(const Entry& entry);

/// Numbers that may be calibrated with measured training steps, and with measured serving.
[[nodiscard]] std::span<const CalibrationInfo> training_calibration();
[[nodiscard]] std::span<const CalibrationInfo> serving_calibration();

/// A number of a stack by the name of its field.
struct NamedNumber {
  std::string_view field;
  double value = 0.0;
};
/// The numbers of an entry that `training`, and that `serving`, reads, in the order of the table.
[[nodiscard]] std::vector<NamedNumber> training_numbers(const Entry& entry);
[[nodiscard]] std::vector<NamedNumber> serving_numbers(const Entry& entry);

/// The entry of "engines" with whose rules a stack schedules; "" where it names none.
[[nodiscard]] std::string engine_of_software(const Entry& entry);

/// All fields of an entry of "software", those of its calibration included.
[[nodiscard]] std::span<const FieldInfo> software_fields();

}  // namespace dfsweep
