#include "models/calculon/formulas/block_layers.hpp"

namespace dfsweep::calculon {

namespace {

constexpr LayerUse recomputed_if(bool holds) {
  return {.recomputed = holds};
}

/// Builds the layers of a block one after the other.
class BlockBuilder {
 public:
  explicit BlockBuilder(const BlockSetting& setting)
      : s_(setting),
        context_{setting.element_bytes, setting.tensor_parallel, setting.tensor_comm},
        full_(setting.recompute == Recompute::full),
        attention_(full_ || setting.recompute == Recompute::attention),
        gathers_attention_again_(attention_ || setting.sequence_parallel_redo),
        gathers_mlp_again_(full_ || setting.sequence_parallel_redo),
        tokens_(setting.micro_batch * setting.model.sequence),
        projection_(setting.model.heads * setting.model.head_size),
        activation_(activation_elements(setting)),
        boundary_(setting.tensor_comm == TensorComm::reduce_scatter_all_gather ? split_activation_elements(setting)
                                                                               : activation_) {}

  std::vector<Layer> build() {
    norm();
    projections();
    attention();
    attention_output();
    residual();
    norm();
    feed_forward();
    residual();
    return std::move(layers_);
  }

 private:
  void add(const char* name, Layer layer, LayerUse use) {
    layer.name = name;
    layer.use = use;
    layers_.push_back(layer);
  }
  [[nodiscard]] bool overlaps() const { return s_.tensor_overlap != TensorOverlap::none; }
  [[nodiscard]] bool is_multihead() const { return s_.attention == Attention::multihead; }

  void norm() {
    add("fork", fork(context_, boundary_, 2), recomputed_if(full_));
    add("layer_norm", layer_norm(context_, boundary_, s_.model.hidden),
        {.recomputed = full_, .reuses_activation = true});
  }

  /// Query, key and value; with overlap one product does what the collective feeds.
  void projections() {
    const LayerUse gathered{.recomputed = full_, .communicates_again = gathers_attention_again_};
    const LayerUse forked{.recomputed = gathers_attention_again_, .keeps_activation = !gathers_attention_again_};
    const LayerUse reusing{.recomputed = full_, .reuses_activation = true};
    const std::int64_t h = s_.model.hidden;
    const std::int64_t share = projection_ / s_.tensor_parallel;
    const std::int64_t key_value = is_multihead() ? share : s_.model.head_size;
    if (overlaps() && is_multihead())
      return add("query_key_value", overlapped(context_, tokens_, h, 3 * projection_, false), gathered);
    if (overlaps()) {
      add("query", overlapped(context_, tokens_, h, projection_, false), gathered);
      add("key_value_fork", fork(context_, activation_, 2), forked);
    } else {
      add("gather", tensor_collective(context_, activation_, false), {.communicates_again = gathers_attention_again_});
      add("query_key_value_fork", fork(context_, activation_, 3), forked);
      add("query", linear(context_, tokens_, h, share), reusing);
    }
    add("key", linear(context_, tokens_, h, key_value), reusing);
    add("value", linear(context_, tokens_, h, key_value), reusing);
  }

  /// Scores, their soft-max and dropout, and the weighted values; nothing is fused, all scores go to memory.
  void attention() {
    const std::int64_t sequence = s_.model.sequence;
    const std::int64_t products = s_.micro_batch * s_.model.heads / s_.tensor_parallel;
    const std::int64_t scores = s_.model.heads / s_.tensor_parallel * sequence * sequence * s_.micro_batch;
    const LayerUse recomputed{.recomputed = attention_, .keeps_output = !attention_};
    add("scores", batch_matmul(context_, products, sequence, s_.model.head_size, sequence), recomputed);
    add("soft_max", soft_max(context_, scores), recomputed);
    add("attention_drop_out", drop_out(context_, scores), {.recomputed = attention_, .keeps_activation = !attention_});
    add("weighted_values", batch_matmul(context_, products, sequence, sequence, s_.model.head_size),
        recomputed_if(full_));
  }

  void attention_output() {
    const std::int64_t h = s_.model.hidden;
    if (overlaps())
      return add("attention_output", overlapped(context_, tokens_, projection_, h, true),
                 {.recomputed = full_, .communicates_again = full_});
    add("attention_output", linear(context_, tokens_, projection_ / s_.tensor_parallel, h), recomputed_if(full_));
    sum();
  }

  void feed_forward() {
    const std::int64_t h = s_.model.hidden;
    const std::int64_t f = s_.model.feedforward;
    const std::int64_t share = f / s_.tensor_parallel;
    if (overlaps()) {
      add("mlp_up", overlapped(context_, tokens_, h, f, false),
          {.recomputed = full_, .communicates_again = gathers_mlp_again_});
    } else {
      add("gather", tensor_collective(context_, activation_, false), {.communicates_again = gathers_mlp_again_});
      add("mlp_up", linear(context_, tokens_, h, share),
          {.recomputed = full_, .keeps_activation = !gathers_mlp_again_});
    }
    add("gelu", gelu(context_, f * tokens_ / s_.tensor_parallel, s_.fused_activation), recomputed_if(full_));
    if (overlaps())
      return add("mlp_down", overlapped(context_, tokens_, f, h, true),
                 {.recomputed = full_, .communicates_again = full_});
    add("mlp_down", linear(context_, tokens_, share, h), recomputed_if(full_));
    sum();
  }

  void sum() {
    add("sum", tensor_collective(context_, activation_, true),
        {.communicates_again = full_, .keeps_activation = false});
  }

  void residual() {
    add("drop_out", drop_out(context_, boundary_), recomputed_if(full_));
    add("residual", element_wise(context_, boundary_), {.recomputed = full_, .reuses_activation = true});
  }

  const BlockSetting& s_;
  LayerContext context_;
  bool full_;
  bool attention_;
  bool gathers_attention_again_;
  bool gathers_mlp_again_;
  std::int64_t tokens_;
  std::int64_t projection_;
  std::int64_t activation_;
  std::int64_t boundary_;  ///< elements of a processor outside the tensor-parallel parts
  std::vector<Layer> layers_;
};

}  // namespace

BlockSetting block_setting(const ModelShape& model, const Execution& execution) {
  return {.model = model,
          .element_bytes = bytes_of(execution.datatype),
          .tensor_parallel = execution.tensor_parallel,
          .micro_batch = execution.micro_batch,
          .fused_activation = execution.fused_activation,
          .attention = execution.attention,
          .recompute = execution.recompute,
          .tensor_comm = execution.tensor_comm,
          .tensor_overlap = execution.tensor_overlap,
          .sequence_parallel_redo = execution.sequence_parallel_redo,
          .training = execution.training};
}

std::int64_t activation_elements(const BlockSetting& setting) {
  return setting.micro_batch * setting.model.sequence * setting.model.hidden;
}

std::int64_t split_activation_elements(const BlockSetting& setting) {
  return setting.micro_batch * setting.model.sequence / setting.tensor_parallel * setting.model.hidden;
}

std::vector<Layer> block_layers(const BlockSetting& setting) {
  return BlockBuilder(setting).build();
}

}  // namespace dfsweep::calculon
