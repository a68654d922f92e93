/// The layouts of AIConfigurator's tables. Source: docs/measured-operators.md.
#include "engine/operators/operator_layouts.hpp"

#include <array>

namespace dfsweep::operators {

namespace {

using Names = std::string_view;
constexpr std::array<Names, 3> gemm_keys{"m", "n", "k"};
constexpr std::array<Names, 7> attention_keys{"batch_size",          "isl",      "step",       "num_heads",
                                              "num_key_value_heads", "head_dim", "window_size"};
constexpr std::array<Names, 4> mla_keys{"batch_size", "isl", "step", "num_heads"};
constexpr std::array<Names, 2> bmm_keys{"num_tokens", "num_heads"};
constexpr std::array<Names, 8> moe_keys{"num_tokens",  "hidden_size", "inter_size",  "topk",
                                        "num_experts", "moe_tp_size", "moe_ep_size", "distribution"};
constexpr std::array<Names, 2> quantize_keys{"m", "k"};
constexpr std::array<Names, 2> exchange_keys{"num_gpus", "bytes"};
constexpr std::array<Names, 6> ll_keys{"node_num", "num_token", "hidden_size", "num_topk", "num_experts", ""};
constexpr std::array<Names, 6> dispatch_keys{"node_num", "num_token",   "hidden_size",
                                             "num_topk", "num_experts", "dispatch_sms"};
constexpr std::array<Names, 6> combine_keys{"node_num", "num_token",   "hidden_size",
                                            "num_topk", "num_experts", "combine_sms"};
constexpr std::array<Names, 5> alltoall_keys{"moe_ep_size", "num_tokens", "hidden_size", "topk", "num_experts"};

constexpr std::array<Names, 0> no_variants{};
/// Libraries have a kernel for each size of heads, and others where a window limits what a token sees.
constexpr std::array<Names, 1> attention_variants{"head_dim"};
constexpr std::array<Names, 3> mla_variants{"table", "model", "gemm_type"};
constexpr std::array<Names, 1> op_variants{"op_name"};
constexpr std::array<Names, 1> table_variants{"table"};
constexpr std::array<Names, 2> alltoall_variants{"op_name", "distribution"};

constexpr double microsecond = 1e-6;
constexpr double millisecond = 1e-3;

using enum Family;
constexpr std::array layouts{
    OperatorLayout{"gemm", products, gemm_keys, "gemm_dtype", "", no_variants, "", "latency", millisecond, ""},
    OperatorLayout{"context_attention", prompts, attention_keys, "attn_dtype", "kv_cache_dtype", attention_variants, "",
                   "latency", millisecond, "", "window_size"},
    OperatorLayout{"generation_attention", decoding, attention_keys, "attn_dtype", "kv_cache_dtype", attention_variants,
                   "", "latency", millisecond, "", "window_size"},
    OperatorLayout{"mla", latent_prompts, mla_keys, "mla_dtype", "kv_cache_dtype", mla_variants, "context_mla",
                   "latency", millisecond, ""},
    OperatorLayout{"mla", latent_prompts, mla_keys, "mla_dtype", "kv_cache_dtype", mla_variants, "mla_context",
                   "latency", millisecond, ""},
    OperatorLayout{"mla", latent_decoding, mla_keys, "mla_dtype", "kv_cache_dtype", mla_variants, "generation_mla",
                   "latency", millisecond, ""},
    OperatorLayout{"mla", latent_decoding, mla_keys, "mla_dtype", "kv_cache_dtype", mla_variants, "mla_generation",
                   "latency", millisecond, ""},
    OperatorLayout{"mla_bmm", latent_products, bmm_keys, "bmm_dtype", "", op_variants, "", "latency", millisecond, ""},
    OperatorLayout{"moe", experts, moe_keys, "moe_dtype", "", no_variants, "", "latency", millisecond, ""},
    OperatorLayout{"quantize", quantisation, quantize_keys, "quant_dtype", "", table_variants, "", "latency",
                   millisecond, ""},
    OperatorLayout{"nccl", library_exchanges, exchange_keys, "nccl_dtype", "", op_variants, "", "latency", millisecond,
                   ""},
    OperatorLayout{"custom_allreduce", own_all_reduces, exchange_keys, "allreduce_dtype", "", no_variants, "",
                   "latency", millisecond, ""},
    OperatorLayout{"deepep", token_exchanges, ll_keys, "", "", op_variants, "ll", "dispatch_avg_t_us", microsecond,
                   "dispatch"},
    OperatorLayout{"deepep", token_exchanges, ll_keys, "", "", op_variants, "ll", "combine_avg_t_us", microsecond,
                   "combine"},
    OperatorLayout{"deepep", token_exchanges, dispatch_keys, "", "", op_variants, "normal", "dispatch_transmit_us",
                   microsecond, "dispatch"},
    OperatorLayout{"deepep", token_exchanges, combine_keys, "", "", op_variants, "normal", "combine_transmit_us",
                   microsecond, "combine"},
    OperatorLayout{"trtllm_alltoall", nvlink_exchanges, alltoall_keys, "moe_dtype", "", alltoall_variants, "",
                   "latency", millisecond, ""},
};

}  // namespace

std::span<const OperatorLayout> operator_layouts() {
  return layouts;
}

std::string_view operator_file(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  for (const OperatorLayout& layout : layouts)
    if (name == std::string(layout.file) + ".csv" || name == std::string(layout.file) + "_perf.csv") return layout.file;
  return {};
}

}  // namespace dfsweep::operators
