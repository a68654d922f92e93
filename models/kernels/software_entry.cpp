#include "models/kernels/software_entry.hpp"

#include <string_view>

#include "models/field_reader.hpp"

namespace dfsweep::serving {

namespace {

/// A number of a stack: its field, and where it is kept.
struct EfficiencyField {
  std::string_view name;
  double& (*at)(Efficiency&);
};

/// A field of type Seconds or Bytes.
struct EfficiencyQuantity {
  std::string_view name;
  void (*set)(Efficiency&, double);
  double (*get)(const Efficiency&);
};

constexpr EfficiencyField efficiency_numbers[] = {
    {"matrix_share", [](Efficiency& e) -> double& { return e.matrix.peak_share; }},
    {"matrix_share_8bit", [](Efficiency& e) -> double& { return e.matrix.share_8bit; }},
    {"matrix_share_4bit", [](Efficiency& e) -> double& { return e.matrix.share_4bit; }},
    {"half_rows", [](Efficiency& e) -> double& { return e.matrix.half_rows; }},
    {"matrix_memory_share", [](Efficiency& e) -> double& { return e.matrix.memory_share; }},
    {"expert_matrix_share", [](Efficiency& e) -> double& { return e.matrix.expert_peak_share; }},
    {"expert_memory_share", [](Efficiency& e) -> double& { return e.matrix.expert_memory_share; }},
    {"attention_share", [](Efficiency& e) -> double& { return e.cache.peak_share; }},
    {"attention_share_8bit", [](Efficiency& e) -> double& { return e.cache.share_8bit; }},
    {"cache_memory_share", [](Efficiency& e) -> double& { return e.cache.memory_share; }},
    {"grouped_query_cost", [](Efficiency& e) -> double& { return e.cache.grouped; }},
    {"inside_share", [](Efficiency& e) -> double& { return e.links.inside; }},
    {"across_share", [](Efficiency& e) -> double& { return e.links.across; }},
    {"hidden_bytes", [](Efficiency& e) -> double& { return e.traffic.hidden; }},
    {"logit_bytes", [](Efficiency& e) -> double& { return e.traffic.logit; }},
    {"cache_share", [](Efficiency& e) -> double& { return e.memory.cache_share; }},
};

constexpr EfficiencyQuantity efficiency_quantities[] = {
    {"exchange_time", [](Efficiency& e, double v) { e.links.exchange = Seconds{v}; },
     [](const Efficiency& e) { return e.links.exchange.value(); }},
    {"layer_time", [](Efficiency& e, double v) { e.host.layer = Seconds{v}; },
     [](const Efficiency& e) { return e.host.layer.value(); }},
    {"expert_layer_time", [](Efficiency& e, double v) { e.host.expert_layer = Seconds{v}; },
     [](const Efficiency& e) { return e.host.expert_layer.value(); }},
    {"fixed_time", [](Efficiency& e, double v) { e.host.step = Seconds{v}; },
     [](const Efficiency& e) { return e.host.step.value(); }},
    {"sequence_time", [](Efficiency& e, double v) { e.host.sequence = Seconds{v}; },
     [](const Efficiency& e) { return e.host.sequence.value(); }},
    {"prompt_layer_time", [](Efficiency& e, double v) { e.host.prompt_launch = Seconds{v}; },
     [](const Efficiency& e) { return e.host.prompt_launch.value(); }},
    {"reserved", [](Efficiency& e, double v) { e.memory.reserved = Bytes{v}; },
     [](const Efficiency& e) { return e.memory.reserved.value(); }},
};

}  // namespace

Decoded<Efficiency> decode_efficiency(const Entry& entry) {
  Decoded<Efficiency> decoded;
  FieldReader fields(entry, decoded.problems);
  Efficiency& e = decoded.value;
  for (const EfficiencyField& field : efficiency_numbers) field.at(e) = fields.not_negative_or(field.name, field.at(e));
  for (const EfficiencyQuantity& field : efficiency_quantities)
    field.set(e, fields.not_negative_or(field.name, field.get(e)));
  return decoded;
}

}  // namespace dfsweep::serving
