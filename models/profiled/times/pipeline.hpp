/// Pipeline: division of the layers of a model into stages, and which transfers between stages leave a node.
#pragma once

#include <cstdint>

namespace dfsweep::profiled {

/// The stages to include in a time.
struct StageChoice {
  static constexpr double all = -1.0;
  double stage = all;  ///< one stage, from 0, or `all`
};

/// Transfer after a stage.
enum class Transfer : std::uint8_t {
  none,         ///< the last stage
  inside_node,  ///< to a device of the same node
  between_nodes,
};

/// Whether stage `stage` sends to another node. `tensor_parallel`: devices per stage, `node_devices`: devices per node.
using NodeCrossing = bool (*)(double stage, double tensor_parallel, double pipeline_parallel, double node_devices);

/// All transfers leave the node if the devices of all stages do not fit in one node. Source: [vidur] Section 1.
[[nodiscard]] bool crosses_if_several_nodes(double stage, double tensor_parallel, double pipeline_parallel,
                                            double node_devices);
/// A transfer leaves the node if some device of the stage and its partner, t devices later, are on different nodes;
/// nodes are filled in sequence.
[[nodiscard]] bool crosses_if_partner_is_elsewhere(double stage, double tensor_parallel, double pipeline_parallel,
                                                   double node_devices);

/// Layers and transfers of the included stages of a pipeline.
struct Stages {
  double layers = 0.0;             ///< layers of all included stages
  double transfers_inside = 0.0;   ///< transfers within a node
  double transfers_between = 0.0;  ///< transfers between nodes
  double most_layers = 0.0;        ///< maximum layers per stage
  /// [Transfer] Maximum layers of a stage followed by this transfer; 0 without such a stage.
  double most_layers_before[3] = {0.0, 0.0, 0.0};
  double embeddings = 0.0;    ///< 1 where the first stage is included
  double outputs = 0.0;       ///< 1 where the last stage is included
  double first_layers = 0.0;  ///< layers of the first stage where it is included
  Transfer first_transfer = Transfer::none;
  double fullest_layers = 0.0;      ///< layers of the stage with most weights
  double fullest_embeddings = 0.0;  ///< its tables of vocabulary size: input (first stage) and output (last stage)
};

/// The first L mod P of P stages have one of the L layers more than the others. `embedding_layers`: weight of one
/// embedding table in layers, to find the fullest stage. Pre: 1 <= P <= L; `choice` is a stage or all of them; t,
/// node_devices >= 1.
[[nodiscard]] Stages stages_of(double layers, double tensor_parallel, double pipeline_parallel, StageChoice choice,
                               double node_devices, NodeCrossing crosses, double embedding_layers);

}  // namespace dfsweep::profiled
