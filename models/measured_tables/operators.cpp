/// Names and kinds of the measured operators.
#include "models/measured_tables/operators.hpp"

namespace dfsweep {

namespace {

struct OperatorInfo {
  std::string_view name;
  OperatorKind kind;
};
/// In the order of Operator.
constexpr std::array<OperatorInfo, operator_count> operator_infos = {{
    {"attn_pre_proj", OperatorKind::token},
    {"attn_post_proj", OperatorKind::token},
    {"mlp_up_proj", OperatorKind::token},
    {"mlp_down_proj", OperatorKind::token},
    {"mlp_act", OperatorKind::token},
    {"input_layernorm", OperatorKind::token},
    {"post_attention_layernorm", OperatorKind::token},
    {"attn_rope", OperatorKind::token},
    {"add", OperatorKind::token},
    {"emb", OperatorKind::token},
    {"lm_head", OperatorKind::token},
    {"attn_kv_cache_save", OperatorKind::cache_save},
    {"attn_prefill", OperatorKind::prefill},
    {"attn_decode", OperatorKind::decode},
    {"all_reduce", OperatorKind::collective},
    {"send_recv", OperatorKind::collective},
    {"schedule", OperatorKind::processor},
    {"sampler_e2e", OperatorKind::processor},
    {"prepare_inputs_e2e", OperatorKind::processor},
    {"process_model_outputs", OperatorKind::processor},
    {"ray_comm_time", OperatorKind::processor},
}};

}  // namespace

std::string_view name_of(Operator op) {
  return operator_infos[index_of(op)].name;
}

OperatorKind kind_of(Operator op) {
  return operator_infos[index_of(op)].kind;
}

}  // namespace dfsweep
