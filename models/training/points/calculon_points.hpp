/// Points of a sweep under the Calculon convention: what each is, from tables of what few parameters decide.
#pragma once

#include <optional>

#include "models/prepared/code_columns.hpp"
#include "models/training/calculon/outputs.hpp"
#include "models/training/points/combination_table.hpp"
#include "models/training/points/decoded_values.hpp"

namespace dfsweep::training::calculon {

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
  StageShape shape;  ///< without micro batches
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

/// Values of a point that are not kept in tables; reused from point to point.
struct PointScratch {
  std::optional<Layout> layout;
  std::optional<BatchSplit> split;
  std::optional<Chunks> chunks;
  std::optional<Options> options;
  std::optional<BlockSums> block;
  std::optional<OptimizerSums> optimizer;
  std::optional<ExactCount> useful;
};

/// One point. References are to tables or to the scratch.
struct CalculonPoint {
  const Layout* layout = nullptr;
  Execution execution;
  StageShape shape;
  Rejection rejection = Rejection::none;  ///< of all rules but those on memory
};

class CalculonPoints {
 public:
  /// Pre: both outlive the object.
  CalculonPoints(const SweepValues& values, const DecodedValues& decoded);

  /// The execution and its first broken rule.
  [[nodiscard]] CalculonPoint at(const PointColumns& points, const Codes& codes, std::size_t i,
                                 PointScratch& scratch) const;
  /// Its sums. Pre: no rule is broken.
  [[nodiscard]] BatchInputs inputs(const CalculonPoint& point, const PointColumns& points, std::size_t i,
                                   PointScratch& scratch) const;
  [[nodiscard]] const ExactCount& useful(const CalculonPoint& point, const PointColumns& points, std::size_t i,
                                         PointScratch& scratch) const;

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

}  // namespace dfsweep::training::calculon
