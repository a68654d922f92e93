/// The numbers of software stacks: each declared once, with what it means, where `training` and `serving` keep it, and
/// what is known of it before anything is measured. Decoders, `describe`, `calibrate` and the reference pages follow
/// from this table.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "models/calibration_info.hpp"
#include "models/decoded.hpp"
#include "models/entry.hpp"
#include "models/entry_fields.hpp"
#include "models/kernels/serving_software.hpp"
#include "models/kernels/software.hpp"

namespace dfsweep::kernels {

/// An entry of "software" as `training` reads it. Fields that it does not have are those of every stack.
[[nodiscard]] Decoded<training::Software> decode_software(const Entry& entry);
/// The same as `serving` reads it.
[[nodiscard]] Decoded<serving::ServingSoftware> decode_serving_software(const Entry& entry);

/// Numbers that measured training steps, and measured serving, may correct.
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

/// All fields of an entry of "software", those of its calibration included.
[[nodiscard]] std::span<const FieldInfo> software_fields();

}  // namespace dfsweep::kernels
