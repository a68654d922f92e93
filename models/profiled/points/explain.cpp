/// Explanation of a point.
#include "models/profiled/points/explain.hpp"

#include "models/absent.hpp"
#include "models/measured_tables/rows.hpp"

namespace dfsweep::profiled {

namespace {

constexpr std::string_view coverage_names[] = {"measured", "interpolated", "extrapolated", "analytical"};

std::string text_of(Coverage coverage) {
  return std::string(coverage_names[static_cast<std::size_t>(coverage)]);
}

Explanation section_of(std::string title) {
  return {.title = std::move(title), .facts = {}, .table = {}, .sections = {}};
}

Explanation explain_batch(const ProfiledPoint& p, const RequestBatch& batch) {
  Explanation section = section_of("batch");
  section.facts = {{"tokens of this step", p.batch.tokens(), ""},
                   {"decoding requests", p.batch.decode.requests, ""},
                   {"prompts", p.batch.prefill.requests, ""},
                   {"tokens in the cache after this step, in whole pages",
                    p.batch.decode.cached_tokens + p.batch.prefill.cached_tokens, ""}};
  section.table.headings = {"requests", "phase", "tokens of each", "context of each"};
  section.table.units = {"", "", "", ""};
  for (const RequestGroup& group : batch.decode)
    section.table.rows.push_back({group.count, std::string("decode"), group.tokens, group.context});
  for (const RequestGroup& group : batch.prefill)
    section.table.rows.push_back({group.count, std::string("prefill"), group.tokens, group.context});
  return section;
}

/// Builder of the table of operators, one row for each component of the step time.
class OperatorTable {
 public:
  OperatorTable(std::span<const Table> tables) : tables_(tables) {
    section_.table.headings = {"operator", "time", "in the step", "coverage", "expected error", "rows of tables"};
    section_.table.units = {"", "s", "", "", "", ""};
  }
  void add(std::string_view name, const TimeCell& cell, double repetitions, std::vector<RowOrigin> rows) {
    if (cell.complete == 0) {
      section_.table.rows.push_back({std::string(name), std::string("-"), repetitions, std::string("no table"),
                                     std::string("-"), std::string("")});
      return;
    }
    std::variant<double, std::string> error = std::string("-");
    if (cell.time > Seconds{} && is_given(cell.error)) error = cell.error / cell.time;
    section_.table.rows.push_back({std::string(name), cell.time.value(), repetitions, text_of(cell.coverage),
                                   std::move(error), places_of(std::move(rows), tables_)});
  }
  [[nodiscard]] Explanation take() { return std::move(section_); }

 private:
  Explanation section_ = section_of("operators");
  std::span<const Table> tables_;
};

/// Adds embedding, output layer and sampling, where they are included.
void explain_head(const ProfiledPoint& p, OperatorTable& table) {
  const ReplicaTerms& terms = p.replica->terms;
  const HeadModel& head = *p.replica->layer->head;
  const double tokens = p.batch.tokens();
  const double requests = p.batch.decode.requests + p.batch.prefill.requests;
  if (terms.embeddings > 0.0) table.add("embedding", *p.embedding, terms.embeddings, head.embedding_rows(tokens));
  if (terms.outputs == 0.0) return;
  table.add("output layer", p.logits->output, terms.outputs, head.output_rows(requests));
  table.add("sampling", p.logits->sampling, terms.outputs, head.sampling_rows(requests));
}

Explanation explain_operators(const ProfiledPoint& p, const RequestBatch& batch, std::span<const Table> tables) {
  const LayerModel& layer = p.replica->layer->model;
  const ReplicaTerms& terms = p.replica->terms;
  const double layers = terms.stages.layers;
  const double tokens = p.batch.tokens();
  OperatorTable table(tables);
  for (std::size_t i = 0; i < token_operator_count; ++i) {
    const Operator op = layer_operators[i];
    const double in_a_block = op == Operator::add ? layer.reading().convention->additions_per_block : 1.0;
    table.add(name_of(op), time_cell(layer.token(i, tokens)), in_a_block * layers, layer.rows(i, batch));
  }
  if (!batch.prefill.empty())
    table.add(name_of(Operator::attn_prefill), *p.prefill, layers, layer.rows(token_operator_count, batch));
  if (!batch.decode.empty())
    table.add(name_of(Operator::attn_decode), *p.decode, layers, layer.rows(token_operator_count + 1, batch));
  explain_head(p, table);
  const double sent = rounded_up(tokens, layer.reading().token_granularity);
  const NetworkModel& network = p.replica->network->model;
  if (terms.all_reduces > 0.0)
    table.add("all_reduce", p.network->all_reduce, terms.all_reduces * layers + terms.embeddings,
              network.rows(Transfer::none, sent));
  if (terms.stages.transfers_inside > 0.0)
    table.add("send_recv within a node", p.network->transfer_inside, terms.stages.transfers_inside,
              network.rows(Transfer::inside_node, sent));
  if (terms.stages.transfers_between > 0.0)
    table.add("send_recv between nodes", p.network->transfer_between, terms.stages.transfers_between,
              network.rows(Transfer::between_nodes, sent));
  if (p.replica->processor != nullptr) table.add("processor", p.processor, terms.processor_batches, {});
  return table.take();
}

/// Facts about layers whose tables replace missing ones.
std::vector<Fact> stand_ins(const LayerModel& layer) {
  std::vector<Fact> facts;
  for (std::size_t i = 0; i < layer_operator_count; ++i) {
    const OperatorSource& source = layer.source(i);
    if (!source.stand_in) continue;
    const LayerProfile& profile = source.predictors->profile();
    facts.push_back(
        {std::string(name_of(layer_operators[i])) + " is scaled from",
         profile.model + " on " + profile.device + ", tensor parallel " + std::to_string(profile.tensor_parallel), ""});
  }
  return facts;
}

Explanation explain_result(const ProfiledPoint& p) {
  Explanation section = section_of("result");
  section.facts.push_back({"status", std::string(statuses()[index_of(p.status)].name), ""});
  if (p.status != Status::ok) return section;
  const BatchTime t = batch_time(p);
  for (const auto& [label, value] : {std::pair{"step time", t.step},
                                     {"attention", t.attention},
                                     {"feed-forward network and additions", t.mlp},
                                     {"all-reduces", t.tensor_comm},
                                     {"transfers between stages", t.pipeline_comm},
                                     {"processor", t.processor},
                                     {"embedding", t.embedding},
                                     {"output layer", t.output},
                                     {"sampling", t.sampling},
                                     {"slowest stage", t.slowest}})
    section.facts.push_back({label, value.value(), "s"});
  section.facts.push_back({"coverage", text_of(coverage_of(p)), ""});
  if (const std::optional<Coverage> head = head_coverage_of(p))
    section.facts.push_back({"coverage of the head", text_of(*head), ""});
  return section;
}

Explanation explain_pipeline(const ReplicaTerms& terms) {
  Explanation section = section_of("stages counted");
  section.facts = {{"layers", terms.stages.layers, ""},
                   {"layers of the longest stage", terms.stages.most_layers, ""},
                   {"transfers within a node", terms.stages.transfers_inside, ""},
                   {"transfers between nodes", terms.stages.transfers_between, ""},
                   {"added to every all-reduce", terms.all_reduce_overhead.value(), "s"}};
  return section;
}

Explanation explain_memory(const ProfiledPoint& p) {
  Explanation section = section_of("memory of the fullest chip");
  section.facts = {{"weights", p.replica->memory.weights.value(), "B"},
                   {"cache per token", p.replica->memory.cache_per_token.value(), "B"},
                   {"needed by this batch", p.memory_used.value(), "B"},
                   {"usable", p.replica->usable_memory.value(), "B"},
                   {"requests of max_request_tokens that fit", p.replica->max_batch, ""}};
  return section;
}

/// Why the point has no time; empty where it has one.
std::string reason_of(const ProfiledPoint& p, const RequestBatch& batch, const WantedTables& wanted,
                      const ProfileSet& profiles) {
  if (!p.replica->reason.empty()) return std::string(p.replica->reason);
  if (p.status == Status::invalid && batch.empty()) return "the batch is empty";
  if (p.status == Status::invalid) return "the batch is given twice: by requests, and by decode_batch or prefill_chunk";
  if (p.status == Status::no_profile)
    return missing_tables(p, wanted, profiles) +
           "; with fallback = \"analytical\" the nearest table of the devices in the sweep is used";
  if (p.status != Status::out_of_memory) return "";
  return p.replica->max_batch < 1.0 ? "not even one request of max_request_tokens fits beside the weights"
                                    : "weights and the cache of this batch exceed the usable memory";
}

}  // namespace

Explanation explain_point(const ProfiledPoint& point, const RequestBatch& batch, const WantedTables& wanted,
                          const ProfileSet& profiles) {
  Explanation all = section_of("profiled");
  if (std::string reason = reason_of(point, batch, wanted, profiles); !reason.empty())
    all.facts.push_back({"reason", std::move(reason), ""});
  all.sections.push_back(explain_result(point));
  if (point.tokens == nullptr) return all;
  const LayerModel& layer = point.replica->layer->model;
  all.facts.push_back({"convention", std::string(layer.reading().convention->name), ""});
  for (Fact& fact : stand_ins(layer)) all.facts.push_back(std::move(fact));
  all.sections.push_back(explain_batch(point, batch));
  all.sections.push_back(explain_operators(point, batch, profiles.tables));
  all.sections.push_back(explain_pipeline(point.replica->terms));
  all.sections.push_back(explain_memory(point));
  return all;
}

}  // namespace dfsweep::profiled
