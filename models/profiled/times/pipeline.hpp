/// Pipeline: how the layers of a model are cut into stages, and which transfers between stages leave a node.
#pragma once

#include <cstdint>

namespace dfsweep::inference {

/// Which stages a time is asked of.
struct StageChoice {
  static constexpr double all = -1.0;
  double stage = all;  ///< from 0
};

/// What follows a stage.
enum class Transfer : std::uint8_t {
  none,         ///< the last stage
  inside_node,  ///< to a device of the same node
  between_nodes,
};

/// True where stage s, of `tensor_parallel` devices each, sends to another node. `nodes_devices`: devices of a node.
using NodeCrossing = bool (*)(double stage, double tensor_parallel, double pipeline_parallel, double node_devices);

/// Every transfer, as soon as the devices of all stages do not fit in one node. Source: [vidur] Section 1.
[[nodiscard]] bool crosses_if_several_nodes(double stage, double tensor_parallel, double pipeline_parallel,
                                            double node_devices);
/// Where some device of the stage and its partner, t devices further on, are on different nodes; nodes are filled one
/// after the other.
[[nodiscard]] bool crosses_if_partner_is_elsewhere(double stage, double tensor_parallel, double pipeline_parallel,
                                                   double node_devices);

/// What the counted stages of a pipeline hold and send.
struct Stages {
  double layers = 0.0;             ///< of all counted stages
  double transfers_inside = 0.0;   ///< sent by them inside a node
  double transfers_between = 0.0;  ///< and between nodes
  double most_layers = 0.0;        ///< of one of them
  /// [Transfer] most layers of one of them that is followed by such a transfer; 0 where none is.
  double most_layers_before[3] = {0.0, 0.0, 0.0};
  double embeddings = 0.0;    ///< 1 where the first stage counts
  double outputs = 0.0;       ///< 1 where the last one does
  double first_layers = 0.0;  ///< of the first stage where it counts
  Transfer first_transfer = Transfer::none;
  double fullest_layers = 0.0;      ///< layers of the one that holds most weights
  double fullest_embeddings = 0.0;  ///< and its tables as large as the vocabulary: input (first) and output (last)
};

/// The first L mod P of P stages hold one of the L layers more than the others. `embedding_layers`: how many layers
/// weigh as much as one embedding table, to tell which stage is fullest. Pre: 1 <= P <= L; `choice` is a stage or all
/// of them; t, node_devices >= 1.
[[nodiscard]] Stages stages_of(double layers, double tensor_parallel, double pipeline_parallel, StageChoice choice,
                               double node_devices, NodeCrossing crosses, double embedding_layers);

}  // namespace dfsweep::inference
