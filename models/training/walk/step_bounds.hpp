/// StepBounds: numbers that step times do not fall below, at a fraction of the cost of the steps.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "models/prepared/combination_cache.hpp"
#include "models/training/walk/part_spaces.hpp"
#include "models/training/walk/point_walk.hpp"

namespace dfsweep::training {

/// With the mean stage M = (L times a layer + output layers) / p of a micro-batch, the heaviest stage takes at least M.
/// So a step takes at least
///
///     (M f + gradient_exposed * exchange of a step + optimizer) (1 + straggler)
///
/// with f = m + (p-1)/v under one_forward_one_backward, m under other schedules; a dual pipe hides at most m times what
/// a pair hides. A share of 1e-9 less allows for rounding.
class StepBounds {
 public:
  /// Pre: both outlive the bounds.
  StepBounds(const DecodedValues& decoded, const PartSpaces& spaces);

  /// Fills `bound` with seconds, where the status of a point is ok; elsewhere with any number.
  void find(const PointColumns& points, const PointCodes& codes, std::span<double> bound);

 private:
  /// Of a micro-batch, over all stages.
  struct Layers {
    double seconds = 0.0;
    double hidden = 0.0;  ///< in pairs of passes
  };
  /// Factors on these, over the number of stages.
  struct Pipeline {
    double passes = 0.0;
    double pairs = 0.0;
  };
  struct Ends {
    double seconds = 0.0;
    double factor = 1.0;
  };
  [[nodiscard]] static Layers layers_of(const StageParts& stages);
  [[nodiscard]] static Pipeline pipeline_of(const PipelineShape& shape);
  [[nodiscard]] static Ends ends_of(const StepEnds& ends, double gradient_exposed);
  template <class Value>
  struct Known {
    Known(Part what, const PartSpaces& spaces);
    Part part;
    CombinationCache<Value> cache;
    std::array<std::uint64_t, walk_run> numbers{};  ///< of the run
    std::size_t stride = 0;                         ///< 0: one number for all points
    [[nodiscard]] std::uint64_t number(std::size_t k) const { return numbers[k * stride]; }
  };
  template <class Value>
  void number(Known<Value>& known, const PointColumns& points, std::size_t first, std::size_t count);
  /// Of point `k` of the run; `go` goes to the point, and returns whether it breaks no rule.
  template <class Go>
  [[nodiscard]] double bound_of(std::size_t k, Go go);
  [[nodiscard]] static double bound_of(const Layers& layers, const Pipeline& pipeline, const Ends& ends);

  const PartSpaces* spaces_;
  PointWalk walk_;
  std::vector<std::uint8_t> is_constant_;
  std::uint64_t serial_ = 0;
  Known<Layers> layers_;
  Known<Pipeline> pipeline_;
  Known<Ends> ends_;
};

}  // namespace dfsweep::training
