#include "models/serving/step/times.hpp"

#include <algorithm>
#include <cmath>

namespace dfsweep::serving {

namespace {

/// sqrt(a^2 + b^2): near the larger of two times that overlap.
Seconds overlapped(Seconds a, Seconds b) {
  return Seconds{std::sqrt(a.value() * a.value() + b.value() * b.value())};
}

/// 1 - (1 - k/E)^m; 1 where the second term is below the last digit.
double touched_experts(const Costs& costs, double tokens) {
  constexpr double last_digit = -54;
  const double exponent = tokens * costs.log_experts_missed;
  return exponent < last_digit ? 1.0 : 1 - std::exp2(exponent);
}

bool has_experts(const Costs& costs) {
  return costs.log_experts_missed < 0;
}

Seconds arithmetic_time(const Costs& costs, double tokens) {
  return (tokens + costs.half_rows) * (costs.attention.token + costs.dense.token + costs.experts.token);
}

Seconds weights_time(const Costs& costs, double tokens) {
  const Seconds always = costs.attention.weights + costs.dense.weights;
  return has_experts(costs) ? always + touched_experts(costs, tokens) * costs.experts.weights : always;
}

/// Mean positions that a token of a prompt attends to.
double prompt_positions(const Costs& costs, const Prompts& prompts) {
  const double all = prompts.shared + prompts.tokens / 2;
  return all + costs.windowed_layers * (std::min(all, costs.window) - all);
}

/// Sequences whose caches are read as if all devices shared them: no fewer than devices that read one each.
double sequences_read(const Costs& costs, double sequences) {
  return std::max(sequences, costs.attention_devices);
}

}  // namespace

Parts operator+(const Parts& a, const Parts& b) {
  return {a.compute + b.compute, a.memory + b.memory, a.network + b.network, a.host + b.host};
}

Parts operator*(double times, const Parts& parts) {
  return {times * parts.compute, times * parts.memory, times * parts.network, times * parts.host};
}

double positions_read(const Costs& costs, double context) {
  return context + costs.windowed_layers * (std::min(context, costs.window) - context);
}

Seconds products_time(const Costs& costs, double tokens) {
  const double rows = tokens + costs.half_rows;
  const Seconds always = overlapped(rows * costs.attention.token, costs.attention.weights) +
                         overlapped(rows * costs.dense.token, costs.dense.weights);
  if (!has_experts(costs)) return always;
  return always + overlapped(rows * costs.experts.token, touched_experts(costs, tokens) * costs.experts.weights);
}

double Prompts::steps() const {
  return std::max(1.0, all_tokens() / chunk);
}

double Prompts::step_tokens() const {
  return std::min(all_tokens(), chunk);
}

Seconds prompt_work(const Costs& costs, const Prompts& prompts) {
  const Seconds products = products_time(costs, prompts.step_tokens());
  return launched(costs, prompts.steps(), prompt_device_time(costs, prompts, products));
}

Seconds prompt_device_time(const Costs& costs, const Prompts& prompts, Seconds products) {
  const double tokens = prompts.all_tokens();
  const double steps = prompts.steps();
  return steps * products +
         tokens * (prompt_positions(costs, prompts) * costs.pair + costs.exchange + costs.activations) +
         steps * (costs.exchange_step + costs.host);
}

Seconds launched(const Costs& costs, double steps, Seconds device_time) {
  if (!(costs.prompt_launch > Seconds{})) return device_time;
  const double a = device_time.value() * device_time.value();
  const double b = steps * steps * costs.prompt_launch.value() * costs.prompt_launch.value();
  return Seconds{std::sqrt(std::sqrt(a * a + b * b))};
}

Parts prompt_parts(const Costs& costs, const Prompts& prompts) {
  const double tokens = prompts.all_tokens();
  const double steps = prompts.steps();
  return {
      steps * arithmetic_time(costs, prompts.step_tokens()) + tokens * prompt_positions(costs, prompts) * costs.pair,
      steps * weights_time(costs, prompts.step_tokens()) + tokens * costs.activations,
      tokens * costs.exchange + steps * costs.exchange_step, steps * (costs.host + costs.prompt_launch)};
}

Seconds prefill_time(const Costs& costs, const Prompts& prompts) {
  return prompt_work(costs, prompts) / costs.pipeline;
}

Seconds lone_prefill_time(const Costs& costs, const Prompts& prompts) {
  const double steps = prompts.steps();
  return (steps + costs.pipeline - 1) / (steps * costs.pipeline) * prompt_work(costs, prompts);
}

double stage_sequences(const Costs& costs, const Decode& decode) {
  return std::max(1.0, decode.sequences / costs.pipeline);
}

Seconds decode_time(const Costs& costs, const Decode& decode) {
  return decode_time(costs, decode, products_time(costs, stage_sequences(costs, decode) * decode.step_tokens));
}

Seconds decode_time(const Costs& costs, const Decode& decode, Seconds products) {
  const double sequences = stage_sequences(costs, decode);
  const double tokens = sequences * decode.step_tokens;
  const Seconds position = std::max(costs.position, decode.step_tokens * costs.pair);
  return products + sequences_read(costs, sequences) * positions_read(costs, decode.context) * position +
         std::max(costs.output.weights, tokens * costs.output.token) +
         tokens * (costs.logits + costs.exchange + costs.activations) + costs.exchange_step + costs.host +
         decode.sequences * costs.host_sequence;
}

Parts decode_parts(const Costs& costs, const Decode& decode) {
  const double sequences = stage_sequences(costs, decode);
  const double tokens = sequences * decode.step_tokens;
  const double positions = sequences_read(costs, sequences) * positions_read(costs, decode.context);
  return {arithmetic_time(costs, tokens) + tokens * costs.output.token + positions * (decode.step_tokens * costs.pair),
          weights_time(costs, tokens) + positions * costs.position + costs.output.weights +
              tokens * (costs.logits + costs.activations),
          tokens * costs.exchange + costs.exchange_step, costs.host + decode.sequences * costs.host_sequence};
}

Flop prompt_flop(const Costs& costs, const Prompts& prompts) {
  return Flop{prompts.all_tokens() * (costs.flop_token + prompt_positions(costs, prompts) * costs.flop_pair)};
}

Flop decode_flop(const Costs& costs, const Decode& decode) {
  const double tokens = decode.sequences * decode.step_tokens;
  return Flop{tokens *
              (costs.flop_token + costs.flop_output + positions_read(costs, decode.context) * costs.flop_pair)};
}

}  // namespace dfsweep::serving
