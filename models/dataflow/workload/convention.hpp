/// Convention: a variant of the formulas of the model, as data passed to the formulas.
#pragma once

#include <span>
#include <string_view>

#include "models/machine/collectives.hpp"

namespace dfsweep::dataflow {

enum class WeightTraffic : std::uint8_t {
  none,             ///< weights are never read from DRAM
  unless_resident,  ///< once per pass where the weights of all layers of a stage do not fit in SRAM
};
enum class SramAccounting : std::uint8_t { code, paper, split };
/// Sharding of a kernel without consumers where both options cost the same bytes.
enum class SinkSharding : std::uint8_t { sharded, replicated };
enum class BubbleRule : std::uint8_t {
  layers,       ///< (stages-1) / (micro-batches * max(layers per stage - 1, 1))
  interleaved,  ///< (stages-1) / (micro-batches * interleaving)
};
/// Which dimensions may carry which kind of parallelism.
enum class RoleOrder : std::uint8_t {
  tensor_pipeline_data,  ///< in this order, innermost first
  any,
};
/// The units of which pipeline stages consist.
enum class StageRule : std::uint8_t {
  layers,   ///< whole layers; DLRM, HPL and FFT have no stages: their degrees are sizes of a grid of chips
  kernels,  ///< as `layers`, but a graph that is not a repeated layer is cut between its kernels
};
/// Which chips share a high-bandwidth domain.
enum class DomainRule : std::uint8_t {
  every_role,   ///< H chips of tensor and H chips of data parallelism, independently; latencies, pipeline and
                ///< whole machines ignore the domain. [dfmodel] section 4.3
  shared_once,  ///< H chips in total, innermost dimension first
};
enum class PipelineTransfer : std::uint8_t {
  once_per_step,    ///< 2 h s w layers / B, once, when training
  per_micro_batch,  ///< h s w / B per stage boundary, micro-batch and direction
};
enum class GradientCharge : std::uint8_t {
  spread,         ///< over the micro-batches, in the network time of the partition with the weight update
  once_per_step,  ///< after the last micro-batch, not overlapped
};
/// Unit in which weights are read and latencies are charged.
enum class PassUnit : std::uint8_t { sequence, micro_batch };
enum class BatchUnit : std::uint8_t {
  passes,  ///< global_batch counts passes over the DLRM graph, although each handles samples_per_chip samples
  samples,
};
/// Which features of newer transformers the layer has.
enum class LayerDetail : std::uint8_t {
  plain,         ///< two feed-forward matrices and as many key-value heads as heads, regardless of the entry
  as_described,  ///< gated feed-forward network and grouped queries as in the entry
};

/// What happens to the stated price and power of a chip and its memory where a sweep replaces their parts.
enum class PriceRule : std::uint8_t {
  as_stated,      ///< they stay
  follows_parts,  ///< they grow and fall with what is derived from the parts
};

struct Convention {
  std::string_view name;
  std::string_view meaning;

  double all_reduce_passes = 2.0;                  ///< on rings and switches; one pass is (p-1)/p S/B
  double all_reduce_passes_fully_connected = 2.0;  ///< one pass is S/(p B)
  double gradient_passes = 2.0;
  CollectiveCost gather = gather_shards;
  CollectiveCost all_to_all = scheduled_all_to_all;
  CollectiveSteps all_reduce_steps = dfsweep::all_reduce_steps;
  CollectiveSteps gather_steps = dfsweep::gather_steps;
  CollectiveSteps all_to_all_steps = dfsweep::all_to_all_steps;
  CollectiveSteps transfer_steps = dfsweep::gather_steps;  ///< evaluated for two chips: one hop
  ExchangeRule exchange = bisection_exchange;
  /// DLRM gradients: seconds per byte that replace the all-reduce, independent of the bandwidth; 0: not replaced.
  double gradient_seconds_per_byte = 0.0;

  GradientCharge gradient_charge = GradientCharge::once_per_step;
  RoleOrder role_order = RoleOrder::any;
  DomainRule domain = DomainRule::shared_once;
  BubbleRule bubble = BubbleRule::interleaved;
  StageRule stage_rule = StageRule::kernels;
  PipelineTransfer pipeline_transfer = PipelineTransfer::per_micro_batch;
  PassUnit pass_unit = PassUnit::micro_batch;
  BatchUnit batch_unit = BatchUnit::samples;
  LayerDetail layer_detail = LayerDetail::as_described;

  SinkSharding training_sink = SinkSharding::sharded;
  SinkSharding prefill_sink = SinkSharding::sharded;
  SramAccounting sram_accounting = SramAccounting::split;

  WeightTraffic training_weights = WeightTraffic::unless_resident;
  WeightTraffic prefill_weights = WeightTraffic::unless_resident;
  double weight_copies_stored = 1.0;            ///< per weight of a forward kernel
  double backward_weight_copies_stored = 0.0;   ///< per weight of a backward kernel
  double gradient_copies_stored = 1.0;          ///< when training
  double optimizer_bytes_per_parameter = 12.0;  ///< when training
  double activations_kept = 1.0;  ///< copies of forward tensors kept per micro-batch in flight when training

  double chips_without_switch = 1.0;  ///< systems with this number of chips have no switch to pay for
  double third_dimension_link_power = 1.0;
  PriceRule price_rule = PriceRule::follows_parts;
};

/// All conventions: physical, dfmodel-g1, dfmodel-g2, dfmodel-g3.
[[nodiscard]] std::span<const Convention> conventions();
/// Pre: `name` is the name of a convention.
[[nodiscard]] const Convention& convention_named(std::string_view name);

}  // namespace dfsweep::dataflow
