/// The kernels and edges that a layer with experts has besides those of a dense layer.
#pragma once

#include "models/dataflow/workload/layer_builder.hpp"

namespace dfsweep::dataflow {

/// Router, Dispatch, Combine and the shared experts. Pre: has_experts(sizes); the kernels of the dense layer exist.
void add_expert_kernels(LayerBuilder& layer, const TransformerSizes& sizes);
void add_expert_edges(LayerBuilder& layer, const TransformerSizes& sizes);

/// Their counterparts of the backward pass.
void add_expert_backward_kernels(LayerBuilder& layer, const TransformerSizes& sizes);
void add_expert_backward_edges(LayerBuilder& layer, const TransformerSizes& sizes);

}  // namespace dfsweep::dataflow
