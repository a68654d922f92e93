/// PointWalk: from point to point of a sweep, with the parts of a point and of its step that few parameters decide kept
/// for the points that share them.
#pragma once

#include <array>
#include <cstdint>

#include "models/prepared/combination_cache.hpp"
#include "models/training/points/point_parts.hpp"
#include "models/training/points/points.hpp"
#include "models/training/step/estimate.hpp"
#include "models/training/walk/part_spaces.hpp"

namespace dfsweep::training {

/// Points are numbered in runs of this many.
inline constexpr std::size_t walk_run = 256;

/// The numbers of a walk are those of point_at() and estimate_step(), to the last bit: both call the same formulas.
class PointWalk {
 public:
  /// Pre: both outlive the walk.
  PointWalk(const DecodedValues& decoded, const PartSpaces& spaces);

  /// Numbers the points from `first` on, as many as a run holds; returns how many.
  std::size_t start_run(const PointColumns& points, std::size_t first);
  /// Goes to point `k` of the run. Returns the first rule that it breaks, but for those on memory. Pre: the codes are
  /// of the points of the run.
  Rule go_to(const PointCodes& codes, std::size_t k);

  /// Of the point where the walk is; complete where it breaks no rule.
  [[nodiscard]] const Point& point() const { return point_; }
  /// Pre: the point breaks no rule.
  Fit fit();
  /// Without FLOP and utilization. Pre: the point breaks no rule.
  const StepEstimate& step();
  /// With them.
  const StepEstimate& whole_step();

 private:
  /// Shape of a pipeline, and what follows from it alone.
  struct ShapeParts {
    PipelineShape shape;
    HeldLayers held;
    Rule rule = Rule::none;
  };
  template <class Value>
  struct Kept {
    Kept(Part what, const PartSpaces& spaces);
    Part part;
    CombinationCache<Value> cache;
    const Value* now = nullptr;
  };
  /// Goes to the value of the point. Returns whether it is another one than before.
  template <class Value, class Compute>
  bool load(Kept<Value>& kept, Compute compute);
  /// Whether these parts are others than those of `key`, which becomes theirs.
  template <std::size_t size>
  [[nodiscard]] bool differs(std::array<std::uint64_t, size>& key, const std::array<Part, size>& parts) const;
  void assemble();
  [[nodiscard]] Rule start_rule() const;
  void find_memory();
  [[nodiscard]] std::uint64_t number(Part part) const { return numbers_[part][k_ * stride_[part]]; }

  const DecodedValues* decoded_;
  const PartSpaces* spaces_;
  EnumArray<Part, std::array<std::uint64_t, walk_run>> numbers_{};  ///< of the run
  EnumArray<Part, std::size_t> stride_{};                           ///< in `numbers_`; 0: one number for all points
  std::vector<std::uint8_t> is_constant_;
  EnumArray<Part, std::uint64_t> loaded_{};  ///< of the parts as they are loaded
  std::uint64_t serial_ = 0;
  std::size_t first_ = 0;
  std::size_t k_ = 0;

  Kept<Machine> machine_;
  Kept<ProductFormat> format_;
  Kept<Degrees> degrees_;
  Kept<BatchSizes> batch_;
  Kept<Choices> choices_;
  Kept<Storage> storage_;
  Kept<ShapeParts> shape_;
  Kept<Footprint> states_;
  Kept<KeptByLayer> layer_;
  Kept<StageParts> stages_;
  Kept<Seconds> sending_;
  Kept<StepEnds> update_;

  bool is_assembled_ = false;
  Rule rule_ = Rule::none;
  Point point_;
  GradientWindow window_;
  StepEstimate estimate_;
  std::array<std::uint64_t, 5> memory_key_{};
  std::array<std::uint64_t, 4> pipeline_key_{};
  std::array<std::uint64_t, 2> flop_key_{};
};

}  // namespace dfsweep::training
