#include "models/transformer/entry.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "models/short_number.hpp"

namespace dfsweep {

namespace {

constexpr std::string_view kinds[] = {"transformer"};

void require(double value, const char* field, std::vector<EntryProblem>& problems) {
  if (!is_given(value)) problems.push_back({"'" + std::string(field) + "' is missing", "", {field}});
}

}  // namespace

Decoded<TransformerEntry> decode_transformer(const Entry& entry) {
  Decoded<TransformerEntry> decoded;
  FieldReader reader(entry, decoded.problems);
  if (reader.has_text("kind") && !reader.choice("kind", kinds)) return decoded;
  decode_numbers<TransformerEntry>(reader, transformer_fields, decoded.value);
  const TransformerEntry& t = decoded.value;
  if (t.key_value_heads > t.heads)
    reader.complain("key_value_heads", " is above 'heads'", "each key-value head serves at least one query head");
  else if (std::fmod(t.heads, t.key_value_heads) > 0.0)
    reader.complain("key_value_heads",
                    " is " + short_number(t.key_value_heads) + ", and 'heads' is " + short_number(t.heads),
                    "each key-value head serves the same number of heads");
  if (t.dense_layers > t.layers)
    reader.complain("dense_layers", " is above 'layers'", "dense layers are a part of all layers");
  if (t.linear_layers > t.layers)
    reader.complain("linear_layers", " is above 'layers'", "layers of linear attention are a part of all layers");
  if (t.has_indexer() && is_given(t.window))
    reader.complain("index_heads", " is beside 'window'", "attention reads a window or what an indexer selects");
  if (t.has_experts() && t.experts_per_token > t.experts)
    reader.complain("experts_per_token", " is above 'experts'", "a token visits each expert at most once");
  return decoded;
}

void require_parts(const TransformerEntry& t, std::vector<EntryProblem>& problems) {
  if (t.has_latent_attention()) {
    require(t.key_value_rank, "key_value_rank", problems);
    require(t.plain_head_dim, "plain_head_dim", problems);
    require(t.rotary_head_dim, "rotary_head_dim", problems);
    require(t.value_head_dim, "value_head_dim", problems);
  }
  if (t.has_indexer()) {
    require(t.index_head_dim, "index_head_dim", problems);
    require(t.index_positions, "index_positions", problems);
  }
  if (t.has_linear_layers()) {
    require(t.linear_key_heads, "linear_key_heads", problems);
    require(t.linear_key_dim, "linear_key_dim", problems);
    require(t.linear_value_heads, "linear_value_heads", problems);
    require(t.linear_value_dim, "linear_value_dim", problems);
  }
  if (t.has_experts()) {
    require(t.experts_per_token, "experts_per_token", problems);
    require(t.expert_ffn_hidden, "expert_ffn_hidden", problems);
  }
}

}  // namespace dfsweep
