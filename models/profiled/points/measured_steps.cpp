#include "models/profiled/points/measured_steps.hpp"

#include <charconv>

#include "models/profiled/points/swept_profiles.hpp"
#include "models/profiled/times/attention_rules.hpp"

namespace dfsweep::profiled {

namespace {

/// The default of a parameter; the only unit in defaults is the microsecond.
ParameterValue default_of(const ParameterInfo& info) {
  ParameterValue value;
  if (info.absence != Absence::fallback) return value;
  if (info.kind != ParameterKind::integer && info.kind != ParameterKind::real) {
    value.text = info.fallback;
    return value;
  }
  value.number = 0.0;
  const char* const end = info.fallback.data() + info.fallback.size();
  std::from_chars(info.fallback.data(), end, value.number);
  if (info.fallback.ends_with(" us")) value.number *= 1e-6;
  return value;
}

SweepValues profiled_values(const SweepValues& other, const TableChoice& choice) {
  SweepValues values;
  values.column_sizes = other.column_sizes;
  values.data = other.data;
  for (const ParameterInfo& info : profiled::parameters()) values.parameters.push_back({{default_of(info)}});
  values[Parameter::model] = choice.model;
  values[Parameter::device] = choice.device;
  values[Parameter::network] = choice.network;
  values[Parameter::tensor_parallel] = choice.tensor_parallel;
  values[Parameter::pipeline_parallel] = choice.pipeline_parallel;
  return values;
}

double tokens_of(const RequestBatch& batch) {
  double tokens = 0.0;
  for (const auto& groups : {batch.decode, batch.prefill})
    for (const RequestGroup& group : groups) tokens += group.count * group.tokens;
  return tokens;
}

}  // namespace

MeasuredSteps::MeasuredSteps(const SweepValues& other, const TableChoice& choice)
    : values_(profiled_values(other, choice)),
      findings_(findings_of(values_)),
      decoded_(decode_values(values_, findings_.errors)),
      batches_(values_, decoded_),
      replicas_(values_, decoded_, batches_, swept_tables(values_)) {}

std::optional<StepTime> MeasuredSteps::step(const PointColumns& points, std::size_t i,
                                            const RequestBatch& batch) const {
  const CodeColumns codes(values_, points);
  Replica own;
  const Replica& replica = replicas_.at(points, codes, i, own);
  if (replica.verdict != Status::ok) return std::nullopt;
  const LayerModel& model = replica.layer->model;
  const double tokens = tokens_of(batch);
  const TokenRow row = token_row(model, tokens);
  const NetworkRow network = network_row(replica.network->model, rounded_up(tokens, model.reading().token_granularity));
  const TimeCell decode = batch.decode.empty() ? TimeCell{} : time_cell(model.decode(batch.decode));
  const TimeCell prefill = batch.prefill.empty() ? TimeCell{} : time_cell(model.prefill(batch.prefill));
  const ReplicaTerms& terms = replica.terms;
  const HeadModel& head = *replica.layer->head;
  const TimeCell embedding = terms.embeddings > 0.0 ? time_cell(head.embedding(tokens)) : TimeCell{};
  const LogitRow logits =
      terms.outputs > 0.0 ? logit_row(head, requests_of(batch.decode) + requests_of(batch.prefill)) : LogitRow{};
  const auto there = [](double count, const TimeCell& cell) { return count == 0.0 || cell.complete != 0; };
  const Stages& stages = terms.stages;
  const bool is_complete = row.complete != 0 && decode.complete != 0 && prefill.complete != 0 &&
                           embedding.complete != 0 && logits.output.complete != 0 && logits.sampling.complete != 0 &&
                           there(terms.all_reduces, network.all_reduce) &&
                           there(stages.transfers_inside, network.transfer_inside) &&
                           there(stages.transfers_between, network.transfer_between);
  if (!is_complete) return std::nullopt;
  const BatchTime time = batch_time(terms, row, decode, prefill, network, {embedding, logits}, Seconds{});
  return StepTime{time.step, time.slowest};
}

}  // namespace dfsweep::profiled
