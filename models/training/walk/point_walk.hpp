/// PointWalk: from point to point of a sweep, with the parts of a point and of its step that few parameters decide kept
/// for the points that share them.
#pragma once

#include <cstdint>
#include <optional>

#include "models/prepared/combination_cache.hpp"
#include "models/training/points/point_parts.hpp"
#include "models/training/points/points.hpp"
#include "models/training/step/estimate.hpp"
#include "models/training/walk/part_run.hpp"

namespace dfsweep::training {

/// The numbers of a walk are those of point_at() and estimate_step(), to the last bit: both call the same formulas.
class PointWalk {
 public:
  /// Pre: both outlive the walk.
  PointWalk(const DecodedValues& decoded, const PartSpaces& spaces);

  /// Starts at point `first`; returns how many points the run holds. Pre: the points outlive the run.
  std::size_t start_run(const PointColumns& points, std::size_t first) { return run_.start(points, first); }
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
  /// Price and power of a device. Pre: the codes are those of the last go_to(), whose point breaks no rule.
  void find_bill(const PointCodes& codes);

 private:
  /// What follows from several parts, as a set of bits.
  using Results = std::uint8_t;
  static constexpr Results of_activations = 1;
  static constexpr Results of_memory = 2;
  static constexpr Results of_pipeline = 4;
  static constexpr Results of_exchange = 8;
  static constexpr Results of_flop = 16;
  static constexpr Results of_offload = 32;
  static constexpr Results all_results = 63;
  /// What follows from a part.
  [[nodiscard]] static constexpr Results results_of(Part part);

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
  /// Whether some of these parts may be others than those that are loaded.
  [[nodiscard]] bool has_changed(Parts parts) const { return (changed_ & parts) != 0; }
  /// The first rule that a part breaks which decides whether the point starts at all.
  Rule load_start(const PointValues& values);
  void load_machine(const PointValues& values);
  void load_model(const PointValues& values);
  void assemble();
  /// The first rule of those that all parts decide.
  [[nodiscard]] Rule start_rule();
  [[nodiscard]] bool can_stack_run();
  void find_memory();

  const DecodedValues* decoded_;
  PartRun run_;
  std::size_t k_ = 0;
  Parts changed_ = all_parts;                ///< since they were loaded
  EnumArray<Part, std::uint64_t> loaded_{};  ///< numbers of the parts that are loaded
  Results stale_ = all_results;

  Kept<Machine> machine_;
  Kept<ProductFormat> format_;
  Kept<Degrees> degrees_;
  Kept<BatchSizes> batch_;
  Kept<Choices> choices_;
  Kept<Shards> shards_;
  Kept<Offload> offload_;
  Kept<ShapeParts> shape_;
  Kept<Footprint> states_;
  Kept<KeptByLayer> layer_;
  Kept<StageParts> stages_;
  Kept<Seconds> sending_;
  Kept<cost::Bill> bill_;
  Kept<StepEnds> update_;

  bool is_assembled_ = false;
  Rule early_rule_ = Rule::none;
  Rule rule_ = Rule::none;
  Rule rule_of_parts_ = Rule::none;  ///< but for those of the host and of the stack
  std::optional<bool> can_run_;      ///< whether the stack can; nothing: not checked yet
  bool has_demand_ = false;          ///< whether the demand is that of the point, but for its sharding
  Point point_;
  HeldActivations activations_;
  GradientWindow window_;
  StepEstimate estimate_;
};

}  // namespace dfsweep::training
