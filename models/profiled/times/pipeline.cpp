/// Stages of a pipeline.
#include "models/profiled/times/pipeline.hpp"

#include <algorithm>
#include <cmath>

#include "models/expect.hpp"

namespace dfsweep::profiled {

bool crosses_if_several_nodes(double, double tensor_parallel, double pipeline_parallel, double node_devices) {
  return tensor_parallel * pipeline_parallel > node_devices;
}

bool crosses_if_partner_is_elsewhere(double stage, double tensor_parallel, double, double node_devices) {
  const auto node = [node_devices](double device) { return std::floor(device / node_devices); };
  for (double d = stage * tensor_parallel; d < (stage + 1.0) * tensor_parallel; ++d)
    if (node(d) != node(d + tensor_parallel)) return true;
  return false;
}

Stages stages_of(double layers, double tensor_parallel, double pipeline_parallel, StageChoice choice,
                 double node_devices, NodeCrossing crosses, double embedding_layers) {
  DFSWEEP_EXPECT(pipeline_parallel >= 1.0 && pipeline_parallel <= layers);
  Stages stages;
  const double least = std::floor(layers / pipeline_parallel);
  const double longer_stages = layers - least * pipeline_parallel;
  double fullest = -1.0;
  for (double s = 0.0; s < pipeline_parallel; ++s) {
    if (choice.stage != StageChoice::all && choice.stage != s) continue;
    const bool is_last = s + 1.0 == pipeline_parallel;
    const double own = least + (s < longer_stages ? 1.0 : 0.0);
    const double embeddings = (s == 0.0 ? 1.0 : 0.0) + (is_last ? 1.0 : 0.0);
    Transfer transfer = Transfer::none;
    if (!is_last)
      transfer = crosses(s, tensor_parallel, pipeline_parallel, node_devices) ? Transfer::between_nodes
                                                                              : Transfer::inside_node;
    stages.layers += own;
    stages.outputs += is_last ? 1.0 : 0.0;
    if (s == 0.0) {
      stages.embeddings = 1.0;
      stages.first_layers = own;
      stages.first_transfer = transfer;
    }
    stages.transfers_inside += transfer == Transfer::inside_node ? 1.0 : 0.0;
    stages.transfers_between += transfer == Transfer::between_nodes ? 1.0 : 0.0;
    stages.most_layers = std::max(stages.most_layers, own);
    double& before = stages.most_layers_before[static_cast<std::size_t>(transfer)];
    before = std::max(before, own);
    if (const double weight = own + embeddings * embedding_layers; weight > fullest) {
      fullest = weight;
      stages.fullest_layers = own;
      stages.fullest_embeddings = embeddings;
    }
  }
  return stages;
}

}  // namespace dfsweep::profiled
