/// Times and energies of batches.
#include "models/profiled/simulation/batch_clock.hpp"

#include "models/absent.hpp"
#include "models/profiled/times/batch_work.hpp"

namespace dfsweep::profiled {

namespace {

constexpr TimeCell no_time{};

}  // namespace

BatchClock::BatchClock(const Replica& replica) : replica_(replica) {
  const LayerModel& layer = replica.layer->model;
  const BatchReading& reading = layer.reading();
  granularity_ = static_cast<std::uint64_t>(reading.context_granularity);
  // A replacement is scaled by the work of the batch, which does not depend on the sums alone.
  const auto stands_in = [&](std::size_t op) { return layer.source(op).stand_in.has_value(); };
  has_mean_decodes_ = reading.convention->decode == &decode_at_mean_context && !stands_in(layer_operator_count - 1);
  has_one_prompt_ = reading.convention->prefill == &prefill_as_one_prompt && !stands_in(layer_operator_count - 2);
}

BatchClock::TokenTimes BatchClock::token_times(double tokens) const {
  const LayerModel& layer = replica_.layer->model;
  TokenTimes times;
  times.row = token_row(layer, tokens);
  times.network = network_row(replica_.network->model, rounded_up(tokens, layer.reading().token_granularity));
  if (replica_.terms.embeddings > 0.0) times.embedding = time_cell(replica_.layer->head->embedding(tokens));
  times.work = tokens_work(layer.layer(), tokens, layer.reading().convention->additions_per_block);
  return times;
}

BatchClock::RequestTimes BatchClock::request_times(double requests) const {
  RequestTimes times;
  if (replica_.terms.outputs > 0.0) times.logits = logit_row(*replica_.layer->head, requests);
  if (replica_.processor != nullptr) times.processor = time_cell(replica_.processor->time(requests));
  return times;
}

TimeCell BatchClock::decode_time(const vidur::BatchView& batch) const {
  const vidur::BatchSums& sums = batch.sums();
  if (sums.decodes == 0) return no_time;
  const LayerModel& layer = replica_.layer->model;
  if (has_mean_decodes_) {
    const std::uint64_t mean = sums.decodes_before / sums.decodes;
    const std::uint64_t context = (mean + granularity_ - 1) / granularity_ * granularity_;
    return decodes_.get({sums.decodes, context}, [&] {
      const RequestGroup group{static_cast<double>(sums.decodes), 1.0, static_cast<double>(context)};
      return time_cell(layer.decode({&group, 1}));
    });
  }
  groups_.clear();
  for (std::size_t i = 0; i < batch.size(); ++i)
    if (const vidur::BatchMember member = batch[i]; member.is_decode)
      groups_.push_back({1.0, 1.0, static_cast<double>(member.before)});
  return time_cell(layer.decode(groups_));
}

TimeCell BatchClock::prefill_time(const vidur::BatchView& batch) const {
  if (batch.sums().decodes == batch.sums().requests) return no_time;
  const LayerModel& layer = replica_.layer->model;
  groups_.clear();
  std::uint64_t contexts = 0;
  std::uint64_t squares = 0;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const vidur::BatchMember member = batch[i];
    if (member.is_decode) continue;
    groups_.push_back({1.0, static_cast<double>(member.tokens), static_cast<double>(member.before)});
    contexts += (member.before + granularity_ - 1) / granularity_ * granularity_;
    squares += std::uint64_t{member.tokens} * member.tokens;
  }
  const auto time = [&] { return time_cell(layer.prefill(groups_)); };
  if (!has_one_prompt_) return time();
  const std::uint64_t is_several = groups_.size() > 1 ? 1 : 0;
  return prefills_.get({2 * contexts + is_several, squares}, time);
}

Seconds BatchClock::operator()(const vidur::BatchView& batch, std::uint32_t stage) const {
  const vidur::BatchSums& sums = batch.sums();
  const ReplicaTerms& terms = replica_.stage_terms[stage];
  const TokenTimes& tokens =
      tokens_.get({sums.tokens, 0}, [&] { return token_times(static_cast<double>(sums.tokens)); });
  const RequestTimes& requests =
      requests_.get({sums.requests, 0}, [&] { return request_times(static_cast<double>(sums.requests)); });
  const TimeCell decode = decode_time(batch);
  const TimeCell prefill = prefill_time(batch);
  const BatchTime time = batch_time(terms, tokens.row, decode, prefill, tokens.network,
                                    {tokens.embedding, requests.logits}, requests.processor.time);
  note(terms, tokens, decode, prefill, requests);
  if (device_) add_energy(batch, terms, tokens.work, time);
  return time.step;
}

OperatorWork BatchClock::attention_work_of(const vidur::BatchView& batch) const {
  const LayerSplit& layer = replica_.layer->model.layer();
  const vidur::BatchSums& sums = batch.sums();
  OperatorWork sum;
  if (sums.decodes > 0) {
    const auto decodes = static_cast<double>(sums.decodes);
    sum = decode_work(layer, decodes, static_cast<double>(sums.decodes_before) / decodes);
  }
  if (sums.decodes == sums.requests) return sum;
  for (std::size_t i = 0; i < batch.size(); ++i)
    if (const vidur::BatchMember member = batch[i]; !member.is_decode)
      sum = sum + prefill_work(layer, member.before, member.tokens);
  return sum;
}

void BatchClock::add_energy(const vidur::BatchView& batch, const ReplicaTerms& terms, const OperatorWork& of_tokens,
                            const BatchTime& time) const {
  const LayerModel& layer = replica_.layer->model;
  const OperatorWork work = terms.stages.layers * (of_tokens + attention_work_of(batch)) +
                            terms.outputs * token_work(Operator::lm_head, layer.layer(), batch.sums().requests);
  const Seconds kernels = kernel_time(time);
  const Watts running = cost::kernel_power({}, *device_, running_work(work, layer.rates(), kernels));
  kernel_energy_ += kernels * (running - device_->idle);
}

void BatchClock::note(const ReplicaTerms& terms, const TokenTimes& tokens, const TimeCell& decode,
                      const TimeCell& prefill, const RequestTimes& requests) const {
  coverage_ =
      std::max({coverage_, tokens.row.coverage, decode.coverage, prefill.coverage, requests.processor.coverage});
  if (terms.all_reduces > 0.0) coverage_ = std::max(coverage_, tokens.network.all_reduce.coverage);
  if (terms.stages.transfers_inside > 0.0) coverage_ = std::max(coverage_, tokens.network.transfer_inside.coverage);
  if (terms.stages.transfers_between > 0.0) coverage_ = std::max(coverage_, tokens.network.transfer_between.coverage);
}

}  // namespace dfsweep::profiled
