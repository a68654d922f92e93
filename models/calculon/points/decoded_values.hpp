/// Values of the swept parameters as the formulas need them, by code.
#pragma once

#include <vector>

#include "models/calculon/points/entries.hpp"
#include "models/calculon/points/published.hpp"

namespace dfsweep::calculon {

/// What absent whole numbers are: those parameters follow from others.
inline constexpr std::int64_t derived = std::numeric_limits<std::int64_t>::min();

struct DecodedValues {
  std::vector<TrainedModel> models;                       ///< [code of model]
  std::vector<TrainingSystem> systems;                    ///< [code of system]
  EnumArray<Parameter, std::vector<std::int64_t>> whole;  ///< [parameter][code]; choices: index of the choice
};

/// Throws InvalidValues.
[[nodiscard]] DecodedValues decode_values(const SweepValues& values);
/// What is wrong with the entries, whatever the other values are.
[[nodiscard]] std::vector<ValueProblem> problems_of_values(const SweepValues& values);

/// Choices as the Calculon model names them; those that it does not know become `unknown`.
[[nodiscard]] Datatype datatype_of(std::int64_t choice);
[[nodiscard]] Attention attention_of(std::int64_t choice);
[[nodiscard]] Recompute recompute_of(std::int64_t choice);
[[nodiscard]] TensorComm tensor_comm_of(std::int64_t choice);
[[nodiscard]] TensorOverlap tensor_overlap_of(std::int64_t choice);

}  // namespace dfsweep::calculon
