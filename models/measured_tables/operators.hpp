/// Measured operators of a transformer, statistics of repeated measurements, and samples.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "models/enum_array.hpp"

namespace dfsweep {

/// Operators with measured times. Source: [vidur]
enum class Operator : std::uint8_t {
  attn_pre_proj,             ///< over tokens
  attn_post_proj,            ///< over tokens
  mlp_up_proj,               ///< over tokens
  mlp_down_proj,             ///< over tokens
  mlp_act,                   ///< over tokens
  input_layernorm,           ///< over tokens
  post_attention_layernorm,  ///< over tokens
  attn_rope,                 ///< over tokens
  add,                       ///< over tokens; one residual addition
  emb,                       ///< over tokens; the embedding table is read
  lm_head,                   ///< over tokens that need logits; the output layer
  attn_kv_cache_save,        ///< over tokens
  attn_prefill,              ///< over tokens in the cache and tokens of the chunk
  attn_decode,               ///< over requests and tokens in the cache of each
  all_reduce,                ///< over bytes
  send_recv,                 ///< over bytes
  schedule,                  ///< processor overhead, over requests
  sampler_e2e,               ///< processor overhead, over requests
  prepare_inputs_e2e,        ///< processor overhead, over requests
  process_model_outputs,     ///< processor overhead, over requests
  ray_comm_time,             ///< processor overhead, over requests; only its mean is measured
};
inline constexpr std::size_t operator_count = 21;

/// Operators of a layer in mlp.csv, in the order of metrics and explanations.
inline constexpr std::array token_operators{
    Operator::attn_pre_proj,
    Operator::attn_post_proj,
    Operator::mlp_up_proj,
    Operator::mlp_down_proj,
    Operator::mlp_act,
    Operator::input_layernorm,
    Operator::attn_rope,
    Operator::add,
    Operator::post_attention_layernorm,
};

/// Operators of mlp.csv outside layers; tables may lack them.
inline constexpr std::array head_operators{Operator::emb, Operator::lm_head};

/// The table of an operator, which determines the arguments of its time.
enum class OperatorKind : std::uint8_t {
  token,       ///< mlp.csv: a curve over tokens
  cache_save,  ///< attention.csv, all rows: a curve over tokens
  prefill,     ///< attention.csv: a surface over tokens in the cache and tokens of the chunk
  decode,      ///< attention.csv: a surface over requests and tokens in the cache of each
  collective,  ///< tables of a network: a curve over bytes
  processor,   ///< cpu_overheads.csv: a curve over requests
};

[[nodiscard]] constexpr Operator operator_at(std::size_t index) {
  return static_cast<Operator>(index);
}
/// Name in table columns: "attn_pre_proj".
[[nodiscard]] std::string_view name_of(Operator op);
[[nodiscard]] OperatorKind kind_of(Operator op);

/// Statistic over the repetitions of one measurement.
enum class Statistic : std::uint8_t { median, mean, min, max };
inline constexpr std::array<std::string_view, 4> statistic_names = {"median", "mean", "min", "max"};
[[nodiscard]] constexpr std::string_view name_of(Statistic s) {
  return statistic_names[static_cast<std::size_t>(s)];
}

/// Origin of a sample: table and line.
struct RowOrigin {
  std::uint32_t table = 0;  ///< index into the tables
  std::uint32_t line = 0;   ///< line of the file, from 1
  bool operator==(const RowOrigin&) const = default;
};

/// One measured time of an operator with one feature.
struct CurveSample {
  double x = 0.0;  ///< tokens, requests or bytes, depending on the operator
  double seconds = 0.0;
  RowOrigin row;
};

/// One measured time of an attention operator.
struct SurfaceSample {
  double u = 0.0;  ///< attn_decode: requests; attn_prefill: tokens in the cache
  double v = 0.0;  ///< attn_decode: tokens in the cache of each request; attn_prefill: tokens of the chunk
  double seconds = 0.0;
  RowOrigin row;
};

}  // namespace dfsweep
