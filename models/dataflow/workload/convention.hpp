/// Convention: whose reading of the model's formulas is used, as data that the formulas are given.
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
/// How a kernel that nobody consumes comes out where both cost the same bytes.
enum class SinkSharding : std::uint8_t { sharded, replicated };
enum class BubbleRule : std::uint8_t {
  layers,       ///< (stages-1) / (micro-batches * max(layers per stage - 1, 1))
  interleaved,  ///< (stages-1) / (micro-batches * interleaving)
};
/// Which dimensions may serve which kind of parallelism.
enum class RoleOrder : std::uint8_t {
  tensor_pipeline_data,  ///< in that order, innermost first
  any,
};
/// What the stages of a pipeline are made of.
enum class StageRule : std::uint8_t {
  layers,   ///< of whole layers; DLRM, HPL and FFT have none: all their degrees are sizes of a grid of chips
  kernels,  ///< as `layers`, but a graph that is no repeated layer is cut between its kernels
};
/// Which chips share a high-bandwidth domain.
enum class DomainRule : std::uint8_t {
  every_role,   ///< H of those of tensor and H of those of data parallelism, each as if alone; latencies, pipeline and
                ///< whole machines do not know it. [dfmodel] section 4.3
  shared_once,  ///< H in all, innermost dimension first
};
enum class PipelineTransfer : std::uint8_t {
  once_per_step,    ///< 2 h s w layers / B, once, when training
  per_micro_batch,  ///< h s w / B per stage boundary, micro-batch and direction
};
enum class GradientCharge : std::uint8_t {
  spread,         ///< over the micro-batches, as part of the network time of the partition with the weight update
  once_per_step,  ///< after the last micro-batch, not overlapped
};
/// How often weights are read and latencies paid.
enum class PassUnit : std::uint8_t { sequence, micro_batch };
enum class BatchUnit : std::uint8_t {
  passes,  ///< global_batch counts passes over the DLRM graph, although each handles samples_per_chip samples
  samples,
};
/// What the model cards of newer transformers add to the layer of the original.
enum class LayerDetail : std::uint8_t {
  plain,         ///< two feed-forward matrices and as many key-value heads as heads, whatever the model says
  as_described,  ///< gated feed-forward and grouped queries where the model has them
};

struct Convention {
  std::string_view name;
  std::string_view meaning;

  double all_reduce_passes = 2.0;                  ///< on rings and switches; one pass is (p-1)/p S/B
  double all_reduce_passes_fully_connected = 2.0;  ///< one pass is S/(p B)
  double gradient_passes = 2.0;
  network::CollectiveCost gather = network::gather_shards;
  network::CollectiveCost all_to_all = network::scheduled_all_to_all;
  network::CollectiveSteps all_reduce_steps = network::all_reduce_steps;
  network::CollectiveSteps gather_steps = network::gather_steps;
  network::CollectiveSteps all_to_all_steps = network::all_to_all_steps;
  network::CollectiveSteps transfer_steps = network::gather_steps;  ///< asked for two chips: one hop
  network::ExchangeRule exchange = network::bisection_exchange;
  /// DLRM gradients: seconds per byte that replace the all-reduce, whatever the bandwidth; 0: not replaced.
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

  double chips_without_switch = 1.0;  ///< systems of that many chips pay for no switch
  double third_dimension_link_power = 1.0;
};

/// physical, dfmodel-g1, dfmodel-g2, dfmodel-g3.
[[nodiscard]] std::span<const Convention> conventions();
/// Pre: `name` is one of theirs.
[[nodiscard]] const Convention& convention_named(std::string_view name);

}  // namespace dfsweep::dataflow
