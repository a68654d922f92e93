/// Coverage: the measured keys of tables, the spread of repeated measurements, and missing tables.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "models/absent.hpp"
#include "models/measured_tables/profiles.hpp"

namespace dfsweep {

struct KeyRange {
  double lowest = 0.0;
  double highest = 0.0;
};

/// Measured keys of one operator.
struct MeasuredKeys {
  std::size_t samples = 0;
  std::size_t keys = 0;           ///< number of distinct keys
  std::size_t repeated_keys = 0;  ///< number of keys measured more than once
  /// (highest - lowest) / mean of the times of a repeated key, averaged over these keys; NaN without repeated keys.
  /// Prediction errors cannot be much below half of it.
  double repeat_spread = absent;
  KeyRange first;   ///< range of x or u
  KeyRange second;  ///< range of v; 0 for curves
};

[[nodiscard]] MeasuredKeys coverage_of(std::span<const CurveSample> samples);
[[nodiscard]] MeasuredKeys coverage_of(std::span<const SurfaceSample> samples);

/// Coverage of one operator of a profile.
struct OperatorCoverage {
  Operator op = Operator::add;
  MeasuredKeys keys;
};
/// Coverage by medians over all page sizes, without operators that have no samples.
[[nodiscard]] std::vector<OperatorCoverage> coverage_of(const LayerProfile& layer);
[[nodiscard]] MeasuredKeys coverage_of(const NetworkProfile& network);
/// Coverage by medians, or by means where no median exists.
[[nodiscard]] std::vector<OperatorCoverage> coverage_of(const ProcessorProfile& processor);

/// A missing table, degree or range that a sweep may need.
struct Hole {
  std::string place;    ///< "a40 meta-llama/Llama-2-7b-hf", "network a800_pairwise_nvlink"
  std::string missing;  ///< "no attention table"
};

/// Finds missing tables, degrees that only one of mlp.csv and attention.csv has, degrees without a network table, and
/// gaps in the token counts: neighbours from 64 on that differ by more than a factor of 2.
[[nodiscard]] std::vector<Hole> holes_of(const ProfileSet& set);

}  // namespace dfsweep
