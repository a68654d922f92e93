/// Expected relative error of times from replacement tables, by operator.
#pragma once

#include "models/measured_tables/operators.hpp"
#include "models/measured_tables/predictors/prediction.hpp"

namespace dfsweep::profiled {

/// Mean |t' / t - 1| of replacements on the released tables of [vidur] without the tables of the wanted model; maximum
/// over the ranges of tokens or requests (docs/validation.md, "Measured operators beside rooflines"). Operators not
/// compared there have the maximum of their kind: 13 % for writing to the cache (operators that move bytes), 42 % for
/// collectives (all operators). For the head (HeadModel), the error of mlp_up_proj from attn_pre_proj of the same table
/// is used for the output layer from mlp_up_proj, and that of `emb` from mlp_act for the embedding
/// (docs/models/profiled.md, "The head"). Replacements from another device were not compared and may be worse.
[[nodiscard]] constexpr double stand_in_error(Operator op) {
  switch (op) {
    case Operator::input_layernorm:
    case Operator::post_attention_layernorm:
      return 0.02;
    case Operator::attn_post_proj:
      return 0.03;
    case Operator::add:
    case Operator::mlp_up_proj:
    case Operator::mlp_down_proj:
      return 0.04;
    case Operator::mlp_act:
      return 0.05;
    case Operator::attn_pre_proj:
      return 0.11;
    case Operator::attn_rope:
    case Operator::attn_kv_cache_save:
      return 0.13;
    case Operator::attn_decode:
    case Operator::lm_head:
      return 0.22;
    case Operator::emb:
      return 0.98;
    default:
      return 0.42;
  }
}

/// A prediction scaled to another layer or number of devices; the errors of table and replacement add up.
[[nodiscard]] constexpr Prediction standing_in(Prediction prediction, double ratio, Operator op) {
  return {prediction.time * ratio, Coverage::analytical, prediction.relative_error + stand_in_error(op)};
}

}  // namespace dfsweep::profiled
