/// Parts of a point, each of which few parameters of a sweep decide: machine, format, degrees, batch and choices.
#pragma once

#include <optional>

#include "models/cost/bill.hpp"
#include "models/prepared/point_numbers.hpp"
#include "models/training/pipeline/schedule.hpp"
#include "models/training/points/decoded_values.hpp"
#include "models/training/points/rules.hpp"
#include "models/training/step/point.hpp"

namespace dfsweep::training {

using PointValues = PointNumbers<Parameter>;

/// Rules that a part breaks are only those that it alone decides.
struct Machine {
  System system;
  Network network;  ///< with its dimensions, where the sweep gives a topology
  Software software;
  const Capabilities* stack = nullptr;  ///< of the sweep's values; null: no software is given
  /// A chip whose figures the sweep replaces is another one than that of its entry, so not measured.
  Evidence evidence = Evidence::not_measured;
  Rule rule = Rule::none;
};
[[nodiscard]] Machine machine_at(const DecodedValues& values, const PointValues& point);

/// Price and power of a device of the machine.
[[nodiscard]] cost::Bill bill_at(const DecodedValues& values, const PointValues& point, const System& system);

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
  Execution execution;                 ///< what other parts decide is at its default
  std::optional<TileOverlap> overlap;  ///< nothing: an unknown one
  Rule rule = Rule::none;
};
[[nodiscard]] Choices choices_at(const PointValues& point);

/// States that replicas divide.
struct Shards {
  Sharding sharding = Sharding::optimizer;
  double group = 0.0;
  std::optional<StateBytes> bytes;  ///< nothing: the usual ones
};
[[nodiscard]] Shards shards_at(const DecodedValues& values, const PointValues& point);

/// Shares that the memory of the host keeps.
struct Offload {
  double activations = 0.0;
  double optimizer = 0.0;
};
[[nodiscard]] Offload offload_at(const PointValues& point);

/// The execution of these parts, without what Shards and Offload decide.
[[nodiscard]] Execution execution_of(const ProductFormat& format, const Degrees& degrees, const BatchSizes& batch,
                                     const Choices& choices);
/// Sets what Shards decides. Pre: all else is set, except for what Offload decides.
void set_shards(const Shards& shards, const KeptBytes& kept, Execution& execution);
/// Sets what Offload decides.
inline void set_offload(const Offload& offload, Execution& execution) {
  execution.offloaded_activations = offload.activations;
  execution.offloaded_optimizer = offload.optimizer;
}

/// The sharding that the point asks of its stack; nothing where no states could be divided.
[[nodiscard]] std::optional<ShardedStates> demanded_sharding(const Execution& execution);
/// What the point asks of its stack.
[[nodiscard]] StackDemand demand_of(const Architecture& model, const Execution& execution, const ProductFormat& format,
                                    const Choices& choices);

/// The rules of pipelines.
[[nodiscard]] Rule schedule_rule(const PipelineShape& shape);

/// Whether something is offloaded to a host that the machine lacks.
[[nodiscard]] Rule host_rule(const Execution& execution, const Accelerator& accelerator);

}  // namespace dfsweep::training
