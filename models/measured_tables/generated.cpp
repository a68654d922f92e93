/// Generation of tables from formulas and counter-based noise.
#include "models/measured_tables/generated.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>

#include "models/absent.hpp"
#include "models/expect.hpp"
#include "models/measured_tables/columns.hpp"
#include "models/statistics/random.hpp"

namespace dfsweep {

namespace {

constexpr Seconds launch{4e-6};
constexpr double compute_efficiency = 0.7;
constexpr double attention_efficiency = 0.5;
constexpr double memory_efficiency = 0.8;
constexpr double tile_tokens = 64.0;
constexpr double between_nodes = 0.1;  // share of the bandwidth within a node
constexpr std::size_t repetitions = 5;
constexpr double resolution = 1e-7;  // s; profilers round to a microsecond or less

/// Approximately normal with standard deviation 1: sum of twelve uniform numbers in [0, 1) minus 6.
double deviate(std::uint64_t seed, std::uint64_t counter) {
  double sum = -6.0;
  for (std::uint64_t i = 0; i < 12; ++i)
    sum += static_cast<double>(random_bits(seed, 12 * counter + i) >> 11) * 0x1p-53;
  return sum;
}

constexpr std::array<std::string_view, 5> statistics = {"min", "max", "mean", "median", "std"};

/// Statistics in milliseconds of simulated repetitions, in the order of `statistics`.
std::array<double, statistics.size()> measured(double seconds, const GeneratedNoise& noise, std::uint64_t counter) {
  std::array<double, repetitions> times{};
  double sum = 0.0;
  for (std::size_t r = 0; r < repetitions; ++r) {
    const double factor = std::max(1.0 + noise.relative * deviate(noise.seed, repetitions * counter + r), 0.1);
    times[r] = std::max(std::floor(seconds * factor / resolution + 0.5), 1.0) * resolution * milliseconds_per_second;
    sum += times[r];
  }
  std::sort(times.begin(), times.end());
  const double mean = std::clamp(sum / static_cast<double>(repetitions), times.front(), times.back());
  double squares = 0.0;
  for (const double time : times) squares += (time - mean) * (time - mean);
  return {times.front(), times.back(), mean, times[repetitions / 2],
          std::sqrt(squares / static_cast<double>(repetitions))};
}

/// A table under construction; rows have the line numbers 2, 3, ...
class TableBuilder {
 public:
  explicit TableBuilder(std::span<const Operator> operators) {
    for (const Operator op : operators)
      for (const std::string_view statistic : statistics)
        table_.columns.push_back({"time_stats." + std::string(name_of(op)) + "." + std::string(statistic), {}, {}});
  }
  void begin_row() {
    table_.lines.push_back(table_.lines.size() + 2);
    next_ = 0;
  }
  void time(Seconds time, const GeneratedNoise& noise) {
    for (const double value : measured(time.value(), noise, times_++)) table_.columns[next_++].numbers.push_back(value);
  }
  void no_time() {
    for (std::size_t s = 0; s < statistics.size(); ++s) table_.columns[next_++].numbers.push_back(absent);
  }
  void number(std::string_view name, double value) { column(name).numbers.push_back(value); }
  void text(std::string_view name, std::string_view value) {
    TableColumn& added = column(name);
    added.numbers.push_back(absent);
    added.texts.emplace_back(value);
  }
  Table take() { return std::move(table_); }

 private:
  TableColumn& column(std::string_view name) {
    if (next_ == table_.columns.size()) table_.columns.push_back({std::string(name), {}, {}});
    return table_.columns[next_++];
  }
  Table table_;
  std::size_t next_ = 0;
  std::uint64_t times_ = 0;
};

/// Token counts: small ones individually, then in steps of 8 that double with the count; powers of two from 2048 on
/// occur twice.
std::vector<double> token_counts(double most) {
  std::vector<double> counts = {1.0, 2.0, 4.0};
  double step = 8.0;
  for (double count = 8.0; count <= most; count += step) {
    counts.push_back(count);
    while (count >= 128.0 * step) step *= 2.0;
  }
  for (double count = 2048.0; count <= most; count *= 2.0) counts.push_back(count);
  std::sort(counts.begin(), counts.end(), std::greater<>());
  return counts;
}

Seconds time_of(const OperatorWork& work, const DeviceRates& rates, double efficiency) {
  return launch + std::max(work.flop / (efficiency * rates.peak), work.bytes / (memory_efficiency * rates.bandwidth));
}

bool is_product(Operator op) {
  return op == Operator::attn_pre_proj || op == Operator::attn_post_proj || op == Operator::mlp_up_proj ||
         op == Operator::mlp_down_proj;
}

Seconds token_time(Operator op, const LayerSplit& split, const DeviceRates& rates, double tokens) {
  OperatorWork work = token_work(op, split, tokens);
  if (is_product(op)) work.flop = work.flop * (std::ceil(tokens / tile_tokens) * tile_tokens / tokens);
  return time_of(work, rates, compute_efficiency);
}

double in_pages(double tokens, double block_size) {
  return std::ceil(tokens / block_size) * block_size;
}

void add_attention_keys(TableBuilder& table, const GeneratedLayer& layer, double degree, double requests, double chunk,
                        double cached) {
  table.number("n_embd", layer.model.hidden);
  table.number("n_q_head", layer.model.heads);
  table.number("n_kv_head", layer.model.key_value_heads);
  table.number(column_names::block_size, layer.block_size);
  table.number(column_names::tensor_parallel, degree);
  table.number("max_model_len", layer.most_tokens);
  table.number(column_names::requests, requests);
  table.number(column_names::chunk, chunk);
  table.number(column_names::cached, cached);
  table.text("is_prefill", chunk > 0.0 ? "True" : "False");
  table.text(column_names::backend, "AttentionBackend.FLASH_ATTENTION");
}

void add_prefill_rows(TableBuilder& table, const GeneratedLayer& layer, const LayerSplit& split,
                      const GeneratedNoise& noise) {
  for (double chunk = 64.0; chunk <= layer.most_tokens; chunk *= 2.0)
    for (double cached = 0.0; cached + chunk <= layer.most_tokens; cached += chunk) {
      table.begin_row();
      table.time(
          time_of(prefill_work(split, in_pages(cached, layer.block_size), chunk), layer.rates, attention_efficiency),
          noise);
      table.no_time();
      table.time(token_time(Operator::attn_kv_cache_save, split, layer.rates, chunk), noise);
      add_attention_keys(table, layer, split.tensor_parallel, 1.0, chunk, cached);
    }
}

void add_decode_rows(TableBuilder& table, const GeneratedLayer& layer, const LayerSplit& split,
                     const GeneratedNoise& noise) {
  for (double requests = 1.0; requests <= layer.most_requests; requests += requests < 8.0 ? 1.0 : 8.0)
    for (double cached = 64.0; cached <= layer.most_tokens; cached += cached < 512.0 ? 64.0 : 256.0) {
      table.begin_row();
      table.no_time();
      table.time(
          time_of(decode_work(split, requests, in_pages(cached, layer.block_size)), layer.rates, attention_efficiency),
          noise);
      table.time(token_time(Operator::attn_kv_cache_save, split, layer.rates, requests), noise);
      add_attention_keys(table, layer, split.tensor_parallel, requests, 0.0, cached);
    }
}

/// Message sizes, two per power of two.
std::vector<double> message_sizes(double most) {
  std::vector<double> sizes;
  for (double size = 2048.0; size <= most; size *= 2.0) {
    sizes.push_back(size);
    if (1.5 * size <= most) sizes.push_back(1.5 * size);
  }
  return sizes;
}

void add_message(TableBuilder& table, const GeneratedNetwork& network, Operator op, Seconds time, double size,
                 unsigned workers, unsigned on_node, const GeneratedNoise& noise) {
  table.begin_row();
  table.time(time, noise);
  table.number("rank", 0.0);
  table.number(column_names::workers, workers);
  table.number(column_names::bytes, size);
  table.text(column_names::collective, name_of(op));
  table.number(column_names::devices_per_node, on_node);
  table.number(column_names::max_devices_per_node, network.devices_per_node);
}

}  // namespace

Table generated_token_table(const GeneratedLayer& layer, const GeneratedNoise& noise) {
  DFSWEEP_EXPECT(layer.rates.known());
  const std::span<const Operator> operators = token_operators;
  TableBuilder table(operators);
  for (const unsigned degree : layer.degrees)
    for (const double tokens : token_counts(layer.most_tokens)) {
      const LayerSplit split{layer.model, static_cast<double>(degree)};
      table.begin_row();
      for (const Operator op : operators) table.time(token_time(op, split, layer.rates, tokens), noise);
      table.number("n_head", layer.model.heads);
      table.number("n_kv_head", layer.model.key_value_heads);
      table.number("n_embd", layer.model.hidden);
      table.number("n_expanded_embd", layer.model.ffn_hidden);
      table.number("vocab_size", std::max(layer.model.vocabulary, 1.0));
      table.text(column_names::gated, layer.model.up_products > 1.0 ? "True" : "False");
      table.number(column_names::tokens, tokens);
      table.number(column_names::tensor_parallel, degree);
    }
  return table.take();
}

Table generated_attention_table(const GeneratedLayer& layer, const GeneratedNoise& noise) {
  DFSWEEP_EXPECT(layer.rates.known());
  TableBuilder table(operators_of(ProfileFile::attention));
  for (const unsigned degree : layer.degrees) {
    const LayerSplit split{layer.model, static_cast<double>(degree)};
    add_prefill_rows(table, layer, split, noise);
    add_decode_rows(table, layer, split, noise);
  }
  return table.take();
}

Table generated_all_reduce_table(const GeneratedNetwork& network, const GeneratedNoise& noise) {
  TableBuilder table(operators_of(ProfileFile::all_reduce));
  for (unsigned workers = 2; workers <= network.devices_per_node; workers *= 2)
    for (const double size : message_sizes(network.most_bytes)) {
      const double steps = 2.0 * (workers - 1.0);
      const Seconds time = launch + steps * (network.latency + Bytes{size} / workers / network.bandwidth);
      add_message(table, network, Operator::all_reduce, time, size, workers, workers, noise);
    }
  return table.take();
}

Table generated_send_recv_table(const GeneratedNetwork& network, const GeneratedNoise& noise) {
  TableBuilder table(operators_of(ProfileFile::send_recv));
  for (const unsigned on_node : {1U, 2U})
    for (const double size : message_sizes(network.most_bytes)) {
      const Bandwidth bandwidth = network.bandwidth * (on_node == 1 ? between_nodes : 1.0);
      const Seconds time = launch + network.latency + Bytes{size} / bandwidth;
      add_message(table, network, Operator::send_recv, time, size, 2, on_node, noise);
    }
  return table.take();
}

}  // namespace dfsweep
