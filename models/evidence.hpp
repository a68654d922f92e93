/// Evidence: which measurements support a row, by the entries of its system and its software stack.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "models/estimator.hpp"

namespace dfsweep {

enum class Evidence : std::uint8_t {
  stack_measured,        ///< runs of this stack on this accelerator were measured
  accelerator_measured,  ///< runs of other stacks on this accelerator were measured
  not_measured,
  count
};
inline constexpr std::array<std::string_view, 3> evidence_names{"stack_measured", "accelerator_measured",
                                                                "not_measured"};
inline constexpr std::string_view evidence_meaning = "whether runs of the stack, or of the accelerator, were measured";

/// List of a software entry: systems with measured runs of this stack.
inline constexpr std::string_view measured_on_field = "measured_on";
/// List of a software entry: models with measured runs of this stack.
inline constexpr std::string_view measured_models_field = "measured_models";
/// List of a system entry: estimators for which some stack was measured on it.
inline constexpr std::string_view measured_for_field = "measured_for";

/// Evidence of every pair of a system and a stack of a sweep.
class EvidenceTable {
 public:
  EvidenceTable() = default;
  EvidenceTable(const SweepValues::Parameter& systems, const SweepValues::Parameter& software,
                std::string_view estimator);
  /// By codes. A chip that is not of an entry of "systems" is not measured.
  [[nodiscard]] Evidence at(std::size_t system, std::size_t software) const {
    return table_[system * software_count_ + software];
  }

 private:
  std::size_t software_count_ = 0;
  std::vector<Evidence> table_;
};

/// Whether runs of every pair of a model and a stack of a sweep were measured. Stacks that list no models say nothing
/// of them, so all models count as measured.
class MeasuredModels {
 public:
  MeasuredModels() = default;
  MeasuredModels(const SweepValues::Parameter& models, const SweepValues::Parameter& software);
  /// By codes.
  [[nodiscard]] bool has(std::size_t model, std::size_t software) const {
    return table_[model * software_count_ + software] != 0;
  }

 private:
  std::size_t software_count_ = 0;
  std::vector<std::uint8_t> table_;
};

}  // namespace dfsweep
