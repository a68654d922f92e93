/// Points of a sweep under the Calculon convention: what each is, from tables of what few parameters decide.
#pragma once

#include <optional>

#include "models/prepared/code_columns.hpp"
#include "models/training/calculon/outputs.hpp"
#include "models/training/points/combination_table.hpp"
#include "models/training/points/decoded_values.hpp"

namespace dfsweep::training {

using Codes = CodeColumns<Parameter>;

/// What model, system, degrees, tiers and precision decide. All else is at its default in `execution`.
struct Layout {
  calculon::Execution execution;
  calculon::ModelShape model;
  const TrainingSystem* system = nullptr;
  calculon::Rejection rule = calculon::Rejection::none;
};

/// What degrees and batches decide.
struct BatchSplit {
  std::int64_t global_batch = 0;
  std::int64_t micro_batch = 0;
  double micro_batches = 0.0;  ///< of a replica
  double left_over = 0.0;      ///< beyond a multiple of the stages
  calculon::Rejection rule = calculon::Rejection::none;
  calculon::Rejection split_rule = calculon::Rejection::none;  ///< where tokens are split over the group
};

/// What stages and interleaving decide.
struct Chunks {
  calculon::StageShape shape;  ///< without micro batches
  std::int64_t interleaving = 1;
  calculon::Rejection rule = calculon::Rejection::none;
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
  calculon::Execution execution;             ///< degrees and batches at their defaults
  std::array<calculon::Rejection, 8> rules;  ///< [Smallness::index()]
};

/// Values of a point that are not kept in tables; reused from point to point.
struct PointScratch {
  std::optional<Layout> layout;
  std::optional<BatchSplit> split;
  std::optional<Chunks> chunks;
  std::optional<Options> options;
  std::optional<calculon::BlockSums> block;
  std::optional<calculon::OptimizerSums> optimizer;
  std::optional<calculon::ExactCount> useful;
};

/// One point. References are to tables or to the scratch.
struct CalculonPoint {
  const Layout* layout = nullptr;
  calculon::Execution execution;
  calculon::StageShape shape;
  calculon::Rejection rejection = calculon::Rejection::none;  ///< of all rules but those on memory
};

class CalculonPoints {
 public:
  /// Pre: both outlive the object.
  CalculonPoints(const SweepValues& values, const DecodedValues& decoded);

  /// The execution and its first broken rule.
  [[nodiscard]] CalculonPoint at(const PointColumns& points, const Codes& codes, std::size_t i,
                                 PointScratch& scratch) const;
  /// Its sums. Pre: no rule is broken.
  [[nodiscard]] calculon::BatchInputs inputs(const CalculonPoint& point, const PointColumns& points, std::size_t i,
                                             PointScratch& scratch) const;
  [[nodiscard]] const calculon::ExactCount& useful(const CalculonPoint& point, const PointColumns& points,
                                                   std::size_t i, PointScratch& scratch) const;

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
  CombinationTable<calculon::BlockSums> blocks_;
  CombinationTable<calculon::OptimizerSums> optimizers_;
  CombinationTable<calculon::ExactCount> useful_;
};

}  // namespace dfsweep::training
