#include "models/kernels/table_kernels.hpp"

#include <cmath>
#include <map>
#include <utility>

#include "models/absent.hpp"

namespace dfsweep {

namespace {

std::vector<CurveSample> times_of(const LayerProfile& layer, Operator op) {
  return layer.curve(op, Statistic::median, EmptyCell::unmeasured);
}

/// The architecture of the measured layer.
Architecture architecture_of(const TableShape& shape) {
  Architecture a;
  a.hidden = shape.hidden;
  a.heads = shape.heads;
  a.key_value_heads = shape.key_value_heads;
  a.head_dim = shape.hidden / shape.heads;
  a.ffn_hidden = shape.ffn_hidden;
  a.ffn_matrices = shape.gated_ffn > 0.0 ? 3.0 : 2.0;
  return a;
}

bool says_sizes(const TableShape& shape) {
  return is_given(shape.hidden) && is_given(shape.heads) && is_given(shape.key_value_heads) &&
         is_given(shape.ffn_hidden) && is_given(shape.gated_ffn);
}

struct NamedProduct {
  Operator op;
  double columns;
  double depth;
};

struct VectorOperator {
  Operator op;
  double times;  ///< runs per layer
};

constexpr VectorOperator vector_operators[] = {{Operator::input_layernorm, 1.0},
                                               {Operator::post_attention_layernorm, 1.0},
                                               {Operator::mlp_act, 1.0},
                                               {Operator::attn_rope, 1.0},
                                               {Operator::add, 2.0}};

Execution execution_of(double tokens, double tensor_parallel) {
  Execution e;
  e.parallel.tensor = tensor_parallel;
  e.parallel.sequence_parallel = false;
  e.batch.sequence = tokens;
  return e;
}

void keep_if_any(std::vector<KernelTable>& tables, KernelTable table) {
  if (!table.kernels.empty()) tables.push_back(std::move(table));
}

}  // namespace

std::vector<KernelTable> product_tables(const LayerProfile& layer) {
  std::vector<KernelTable> tables;
  if (!says_sizes(layer.shape)) return tables;
  const Architecture a = architecture_of(layer.shape);
  const double split = layer.tensor_parallel;
  const double key_values =
      std::ceil(a.key_value_heads / split);  // heads are replicated where there are fewer than devices
  const NamedProduct products[] = {{Operator::attn_pre_proj, (a.heads / split + 2 * key_values) * a.head_dim, a.hidden},
                                   {Operator::attn_post_proj, a.hidden, a.heads * a.head_dim / split},
                                   {Operator::mlp_up_proj, (a.ffn_matrices - 1) * a.ffn_hidden / split, a.hidden},
                                   {Operator::mlp_down_proj, a.hidden, a.ffn_hidden / split}};
  for (const NamedProduct& product : products) {
    KernelTable table{KernelClass::products, layer.model, {}};
    for (const CurveSample& sample : times_of(layer, product.op))
      if (sample.seconds > 0.0)
        table.kernels.push_back(
            {MatrixProduct{sample.x, product.columns, product.depth, 1.0, false, ""}, Seconds{sample.seconds}});
    keep_if_any(tables, std::move(table));
  }
  return tables;
}

std::vector<KernelTable> attention_tables(const LayerProfile& layer, ScoreCount count) {
  KernelTable table{KernelClass::attention, layer.model, {}};
  std::vector<KernelTable> tables;
  if (!is_given(layer.shape.hidden) || !is_given(layer.shape.heads)) return tables;
  const double head_dim = layer.shape.hidden / layer.shape.heads;
  const double width = layer.shape.hidden / layer.tensor_parallel;
  for (const double pages : layer.block_sizes)
    for (const auto& sample : layer.surface(Operator::attn_prefill, Statistic::median, pages)) {
      const double cached = sample.u, chunk = sample.v;
      if (chunk < fewest_tokens || !(sample.seconds > 0.0)) continue;
      const double keys = cached + (count == ScoreCount::causal ? 0.5 : 1.0) * chunk;
      table.kernels.push_back({ScoreWork{Flop{4 * width * chunk * keys}, head_dim, keys}, Seconds{sample.seconds}});
    }
  keep_if_any(tables, std::move(table));
  return tables;
}

std::vector<KernelTable> vector_tables(const LayerProfile& layer) {
  std::vector<KernelTable> tables;
  if (!says_sizes(layer.shape)) return tables;
  struct Sum {
    double tokens = 0.0, seconds = 0.0;
    std::size_t operators = 0;
  };
  std::map<std::uint32_t, Sum> rows;  // by line
  for (const VectorOperator& of : vector_operators)
    for (const CurveSample& sample : times_of(layer, of.op)) {
      Sum& sum = rows[sample.row.line];
      sum.tokens = sample.x;
      sum.seconds += of.times * sample.seconds;
      ++sum.operators;
    }
  KernelTable table{KernelClass::vector_work, layer.model, {}};
  const Architecture a = architecture_of(layer.shape);
  for (const auto& [line, sum] : rows)
    if (sum.operators == std::size(vector_operators) && sum.tokens >= fewest_tokens && sum.seconds > 0.0)
      table.kernels.push_back({VectorWork{a, execution_of(sum.tokens, layer.tensor_parallel)}, Seconds{sum.seconds}});
  keep_if_any(tables, std::move(table));
  return tables;
}

std::vector<KernelTable> exchange_tables(const NetworkProfile& network) {
  std::vector<KernelTable> tables;
  if (network.collective != Operator::all_reduce || network.workers < 2) return tables;
  const bool is_inside = network.workers == network.devices_per_node;
  const auto ranks = static_cast<double>(network.workers), in_node = static_cast<double>(network.devices_per_node);
  KernelTable table{
      is_inside ? KernelClass::inside_exchanges : KernelClass::across_exchanges,
      std::to_string(network.workers) + " ranks, " + std::to_string(network.devices_per_node) + " in a node",
      {}};
  for (const CurveSample& sample : network.curve(Statistic::median))
    if (Bytes{sample.x} >= least_exchange && sample.seconds > 0.0)
      table.kernels.push_back(
          {AllReduceWork{Bytes{sample.x}, GroupPlace{ranks, in_node, ranks}}, Seconds{sample.seconds}});
  keep_if_any(tables, std::move(table));
  return tables;
}

}  // namespace dfsweep
