/// Points of a sweep: what each is, from tables of what few parameters decide.
#pragma once

#include <optional>

#include "models/calculon/formulas/outputs.hpp"
#include "models/calculon/points/combination_table.hpp"
#include "models/calculon/points/decoded_values.hpp"
#include "models/prepared/code_columns.hpp"

namespace dfsweep::calculon {

using Codes = CodeColumns<Parameter>;

/// What model, system, degrees, tiers and precision decide. All else is at its default in `execution`.
struct Layout {
  Execution execution;
  ModelShape model;
  const TrainingSystem* system = nullptr;
  Rejection rule = Rejection::none;
};

/// What degrees and batches decide.
struct BatchSplit {
  std::int64_t global_batch = 0;
  std::int64_t micro_batch = 0;
  double micro_batches = 0.0;  ///< of a replica
  double left_over = 0.0;      ///< beyond a multiple of the stages
  Rejection rule = Rejection::none;
  Rejection split_rule = Rejection::none;  ///< where tokens are split over the group
};

/// What stages and interleaving decide.
struct Chunks {
  StageShape shape;  ///< without micro-batches
  std::int64_t interleaving = 1;
  Rejection rule = Rejection::none;
};

/// Which degrees are one, and whether stages have fewer than three blocks: all that rules on options read of them.
struct Smallness {
  bool tensor = false;
  bool data = false;
  bool blocks = false;
  [[nodiscard]] std::size_t index() const {
    return static_cast<std::size_t>(tensor) + 2 * static_cast<std::size_t>(data) + 4 * static_cast<std::size_t>(blocks);
  }
};

/// What the choices decide.
struct Options {
  Execution execution;             ///< degrees and batches at their defaults
  std::array<Rejection, 8> rules;  ///< [Smallness::index()]
};

/// Points are numbered in runs of this many.
inline constexpr std::size_t run_length = 256;

/// Tables of what few parameters decide, all but the one of useful FLOP.
enum class PointTable : std::uint8_t { layout, split, chunks, options, block, optimizer, count };

/// Numbers of the combinations of a run of points.
struct RunNumbers {
  std::size_t first = 0;
  std::size_t count = 0;
  EnumArray<PointTable, std::array<std::uint32_t, run_length>> of_table;
  std::array<std::uint32_t, run_length> of_useful;  ///< of the table of useful FLOP, where number_useful() was called
};

/// One point. References are to tables or to the walk.
struct CalculonPoint {
  const Layout* layout = nullptr;
  Execution execution;
  StageShape shape;
  Rejection rejection = Rejection::none;  ///< of all rules but those on memory
};

/// Where a walk over points stands. Neighbours share most combinations, so that only what differs is looked up.
struct PointWalk {
  CalculonPoint point;
  const BatchSplit* split = nullptr;
  const Chunks* chunks = nullptr;
  const Options* options = nullptr;
  bool is_at_point = false;  ///< whether all of `point` is that of these numbers
  EnumArray<PointTable, std::uint32_t> numbers{};
  // What is not kept in tables.
  std::optional<Layout> own_layout;
  std::optional<BatchSplit> own_split;
  std::optional<Chunks> own_chunks;
  std::optional<Options> own_options;
  std::optional<BlockSums> own_block;
  std::optional<OptimizerSums> own_optimizer;
  std::optional<ExactCount> own_useful;
};

class CalculonPoints {
 public:
  /// Pre: both outlive the object.
  CalculonPoints(const SweepValues& values, const DecodedValues& decoded);

  /// Numbers the points from `first` on, as many as a run holds.
  void number(const PointColumns& points, std::size_t first, RunNumbers& run) const;
  /// The same for useful FLOP. Pre: the run is numbered.
  void number_useful(const PointColumns& points, RunNumbers& run) const;
  /// Goes to point `k` of a run: its execution and first broken rule. Pre: the codes are of the points of the run.
  const CalculonPoint& go_to(const RunNumbers& run, std::size_t k, const Codes& codes, PointWalk& walk) const;
  /// Sums of point `k`. Pre: the walk is there, and no rule is broken.
  [[nodiscard]] BatchInputs inputs(const RunNumbers& run, std::size_t k, PointWalk& walk) const;
  /// Pre: the walk is at point `k`, no rule is broken, and the run has numbers of useful FLOP.
  [[nodiscard]] const ExactCount& useful(const RunNumbers& run, std::size_t k, PointWalk& walk) const;

 private:
  [[nodiscard]] Layout layout_of(const Codes& codes, std::size_t i) const;
  [[nodiscard]] BatchSplit split_of(const Codes& codes, std::size_t i, const Layout& layout) const;
  [[nodiscard]] Chunks chunks_of(const Codes& codes, std::size_t i, const Layout& layout) const;
  [[nodiscard]] Options options_of(const Codes& codes, std::size_t i) const;
  [[nodiscard]] std::int64_t whole(Parameter parameter, const Codes& codes, std::size_t i) const;

  const DecodedValues& decoded_;
  CombinationTable<Layout> layouts_;
  CombinationTable<BatchSplit> splits_;
  CombinationTable<Chunks> chunks_;
  CombinationTable<Options> options_;
  CombinationTable<BlockSums> blocks_;
  CombinationTable<OptimizerSums> optimizers_;
  CombinationTable<ExactCount> useful_;
};

}  // namespace dfsweep::calculon
