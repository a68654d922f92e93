/// Expected relative error of a time that another table stands in for, operator by operator.
#pragma once

#include "models/measured_tables/operators.hpp"
#include "models/measured_tables/predictors/prediction.hpp"

namespace dfsweep::inference {

/// Mean |t' / t - 1| of stand-ins on the released tables of [vidur], with the tables of the wanted model taken away; of
/// the ranges of tokens or requests the largest (docs/validation.md, "Measured operators beside rooflines"). What was
/// not compared there (writing to the cache, collectives) has the largest of its kind: 13 % of operators that move
/// bytes, 42 % of all. Of the head (HeadModel): mlp_up_proj from attn_pre_proj of the same table as the output
/// layer from mlp_up_proj, and `emb` from mlp_act (docs/models/profiled.md, "The head"). A stand-in on another device
/// was not compared and may be further off.
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

/// A prediction that is scaled to another layer or number of devices: errors of the table and of the stand-in add up.
[[nodiscard]] constexpr Prediction standing_in(Prediction prediction, double ratio, Operator op) {
  return {prediction.time * ratio, Coverage::analytical, prediction.relative_error + stand_in_error(op)};
}

}  // namespace dfsweep::inference
