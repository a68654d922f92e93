/// Parts of a point, each of which few parameters of a sweep decide: machine, format, degrees, batch and choices.
#pragma once

#include <optional>

#include "models/training/pipeline/schedule.hpp"
#include "models/training/points/points.hpp"
#include "models/training/points/rules.hpp"

namespace dfsweep::training {

using PointValues = PointNumbers<Parameter>;

/// Rules that a part breaks are only those that it alone decides.
struct Machine {
  System system;
  Network network;  ///< with its dimensions, where the sweep gives a topology
  Software software;
  const Capabilities* stack = nullptr;  ///< of the sweep's values; null: no software is given
  Rule rule = Rule::none;
};
[[nodiscard]] Machine machine_at(const DecodedValues& values, const PointValues& point);

/// Format of matrix products. `formats`: those of the accelerator.
struct ProductFormat {
  std::optional<NumberFormat> products;
  MatrixFormat format = MatrixFormat::bits16;
  Rule rule = Rule::none;
};
[[nodiscard]] ProductFormat format_at(const PointValues& point, const NumberFormats& formats);

struct Degrees {
  Parallelism parallel;
  StageSplit split = StageSplit::even;
  Rule rule = Rule::none;
};
[[nodiscard]] Degrees degrees_at(const DecodedValues& values, const PointValues& point);

struct BatchSizes {
  Batch batch;
  Rule rule = Rule::none;
};
/// `data`: replicas.
[[nodiscard]] BatchSizes batch_at(const DecodedValues& values, const PointValues& point, double data);

struct Choices {
  Execution execution;                    ///< degrees, batch, split, format and bytes at their defaults
  std::optional<StateBytes> state_bytes;  ///< nothing: the usual ones
  std::optional<TileOverlap> overlap;     ///< nothing: an unknown one
  Rule rule = Rule::none;
};
[[nodiscard]] Choices choices_at(const DecodedValues& values, const PointValues& point);

/// The execution of these parts.
[[nodiscard]] Execution execution_of(const Machine& machine, const ProductFormat& format, const Degrees& degrees,
                                     const BatchSizes& batch, const Choices& choices);

/// What the point asks of its stack.
[[nodiscard]] StackDemand demand_of(const Execution& execution, const ProductFormat& format, const Choices& choices);

/// The rules of pipelines.
[[nodiscard]] Rule schedule_rule(const PipelineShape& shape);

/// Whether something is offloaded to a host that the machine lacks.
[[nodiscard]] Rule host_rule(const Execution& execution, const Accelerator& accelerator);

}  // namespace dfsweep::training
