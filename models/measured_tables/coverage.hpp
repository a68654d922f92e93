/// Coverage: which keys measured tables hold, how well repeated measurements agree, and what is missing.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "models/absent.hpp"
#include "models/measured_tables/profiles.hpp"

namespace dfsweep::inference {

struct KeyRange {
  double lowest = 0.0;
  double highest = 0.0;
};

/// Of the samples of one operator.
struct MeasuredKeys {
  std::size_t samples = 0;
  std::size_t keys = 0;           ///< different ones
  std::size_t repeated_keys = 0;  ///< measured more than once
  /// (highest - lowest) / mean of the times of a repeated key, on average over those keys; NaN without any. No
  /// prediction can be better than about half of it.
  double repeat_spread = absent;
  KeyRange first;   ///< of x, or of u
  KeyRange second;  ///< of v; 0 for curves
};

[[nodiscard]] MeasuredKeys coverage_of(std::span<const CurveSample> samples);
[[nodiscard]] MeasuredKeys coverage_of(std::span<const SurfaceSample> samples);

/// One operator of a profile. Operators without samples are left out.
struct OperatorCoverage {
  Operator op = Operator::add;
  MeasuredKeys keys;
};
/// By the medians, all page sizes together.
[[nodiscard]] std::vector<OperatorCoverage> coverage_of(const LayerProfile& layer);
[[nodiscard]] MeasuredKeys coverage_of(const NetworkProfile& network);
/// By the medians, or the mean where there is no median.
[[nodiscard]] std::vector<OperatorCoverage> coverage_of(const ProcessorProfile& processor);

/// Something that a sweep may ask for and will not find.
struct Hole {
  std::string place;    ///< "a40 meta-llama/Llama-2-7b-hf", "network a800_pairwise_nvlink"
  std::string missing;  ///< "no attention table"
};

/// Missing tables, degrees of mlp.csv that attention.csv lacks and the other way round, degrees that no network joins,
/// and ranges of tokens that are left out: between neighbours that differ by more than a factor of 2, from 64 on.
[[nodiscard]] std::vector<Hole> holes_of(const ProfileSet& set);

}  // namespace dfsweep::inference
