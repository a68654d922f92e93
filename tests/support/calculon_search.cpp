/// Enumeration by nested loops, as the tool does it.
#include "tests/support/calculon_search.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "models/calculon/points/published.hpp"
#include "tests/support/fallback.hpp"

namespace dfsweep::testing {

using namespace calculon;

namespace {

/// Parameters that vary, each with a code column of its own.
constexpr std::array axes{Parameter::tensor_parallel,
                          Parameter::pipeline_parallel,
                          Parameter::interleaving,
                          Parameter::recompute,
                          Parameter::optimizer_sharding,
                          Parameter::tensor_comm,
                          Parameter::sequence_parallel_redo,
                          Parameter::data_overlap,
                          Parameter::tensor_overlap,
                          Parameter::weight_offload,
                          Parameter::activation_offload,
                          Parameter::optimizer_offload,
                          Parameter::micro_batch,
                          Parameter::tensor_network,
                          Parameter::pipeline_network,
                          Parameter::data_network};
enum Axis : std::size_t {
  t,
  p,
  v,
  recompute,
  sharding,
  comm,
  redo,
  data,
  overlap,
  weights,
  activations,
  optimizer,
  b,
  t_net,
  p_net,
  d_net,
  axis_count
};
static_assert(axes.size() == axis_count);

std::vector<std::int64_t> divisors_of(std::int64_t n) {
  std::vector<std::int64_t> divisors;
  for (std::int64_t d = 1; d <= n; ++d)
    if (n % d == 0) divisors.push_back(d);
  return divisors;
}

ParameterValue number(double value) {
  ParameterValue result;
  result.number = value;
  return result;
}

ParameterValue text(std::string_view value) {
  ParameterValue result;
  result.text = value;
  return result;
}

/// Blocks of codes that are handed on when full.
class BlockBuffer {
 public:
  explicit BlockBuffer(const std::function<void(const PointColumns&)>& take) : take_(take) {
    for (auto& column : columns_) column.reserve(size);
  }
  void add(const std::array<std::uint32_t, axis_count>& codes) {
    for (std::size_t a = 0; a < axis_count; ++a) columns_[a].push_back(codes[a]);
    if (columns_[0].size() == size) flush();
  }
  void flush() {
    std::array<std::span<const std::uint32_t>, axis_count> spans;
    for (std::size_t a = 0; a < axis_count; ++a) spans[a] = columns_[a];
    if (!columns_[0].empty()) take_(PointColumns(spans, columns_[0].size()));
    for (auto& column : columns_) column.clear();
  }

 private:
  static constexpr std::size_t size = 4096;
  const std::function<void(const PointColumns&)>& take_;
  std::array<std::vector<std::uint32_t>, axis_count> columns_;
};

Entry curve_part(const EfficiencyCurve& curve, const std::string& sizes) {
  Entry part;
  for (const auto& step : curve.steps) {
    part.lists[sizes].push_back(step.from);
    part.lists["efficiency"].push_back(step.efficiency);
  }
  return part;
}

void add_engines(Entry& entry, const Engine& engine, const char* kind) {
  constexpr std::array<const char*, datatype_count> precisions{"fp8", "fp16", "bf16", "fp32"};
  for (std::size_t format = 0; format < engine.size(); ++format) {
    if (!engine[format]) continue;
    Entry part = curve_part(engine[format]->efficiency, "efficiency_flops");
    part.texts["kind"] = kind;
    part.texts["precision"] = precisions[format];
    part.numbers["peak_flops"] = engine[format]->peak;
    entry.parts["engine"].push_back(part);
  }
}

void add_memory(Entry& entry, const MemoryTier& tier) {
  Entry part = curve_part(tier.efficiency, "efficiency_bytes");
  part.numbers["capacity"] = tier.capacity;
  part.numbers["bandwidth"] = tier.bandwidth;
  entry.parts["memory"].push_back(part);
}

}  // namespace

Entry model_entry_of(const ModelShape& shape) {
  Entry entry;
  entry.name = "model";
  entry.texts["kind"] = "transformer";
  const auto set = [&](const char* field, std::int64_t value) { entry.numbers[field] = static_cast<double>(value); };
  set("hidden", shape.hidden);
  set("ffn_hidden", shape.feedforward);
  set("sequence_length", shape.sequence);
  set("heads", shape.heads);
  set("head_dim", shape.head_size);
  set("layers", shape.blocks);
  return entry;
}

Entry system_entry_of(const System& system) {
  Entry entry;
  entry.name = "system";
  entry.texts["processing"] = system.mode == ProcessingMode::roofline ? "roofline" : "no_overlap";
  add_engines(entry, system.matrix, "matrix");
  add_engines(entry, system.vector, "vector");
  add_memory(entry, system.memory);
  add_memory(entry, system.offload);
  constexpr std::array<const char*, network_operation_count> operations{"p2p", "reduce_scatter", "all_gather",
                                                                        "all_reduce"};
  for (const NetworkTier& tier : system.networks) {
    Entry part;
    part.numbers = {{"bandwidth", tier.bandwidth},
                    {"efficiency", tier.efficiency},
                    {"size", static_cast<double>(tier.size)},
                    {"latency", tier.latency},
                    {"must_be_filled", tier.must_be_filled ? 1.0 : 0.0},
                    {"processor_usage", tier.processor_usage}};
    for (std::size_t i = 0; i < operations.size(); ++i)
      part.lists[operations[i]] = {tier.volumes[i].scalar, tier.volumes[i].offset};
    entry.parts["network"].push_back(part);
  }
  return entry;
}

CalculonSearchSpace::CalculonSearchSpace(CalculonSearch search) : search_(std::move(search)) {
  const auto devices = static_cast<std::int64_t>(search_.devices);
  const auto blocks = static_cast<std::int64_t>(search_.model.numbers.at("layers"));
  const auto tiers = static_cast<std::int64_t>(search_.system.parts.at("network").size());
  // Batches of a replica are max_batch over the replicas, rounded down.
  std::set<std::int64_t> micro_batches;
  for (const std::int64_t replicas : divisors_of(devices))
    for (const std::int64_t n : divisors_of(static_cast<std::int64_t>(search_.max_batch) / replicas))
      micro_batches.insert(n);
  const auto stages = [&] {
    std::set<std::int64_t> all;
    for (const std::int64_t tensor : divisors_of(devices))
      for (const std::int64_t n : divisors_of(std::min(devices / tensor, blocks))) all.insert(n);
    return std::vector<std::int64_t>(all.begin(), all.end());
  };
  numbers_[t] = divisors_of(devices);
  numbers_[p] = stages();
  numbers_[v] = divisors_of(blocks);
  numbers_[b].assign(micro_batches.begin(), micro_batches.end());

  values_.parameters.resize(count_of<Parameter>);
  for (std::size_t i = 0; i < count_of<Parameter>; ++i) {
    const ParameterInfo& info = parameters()[i];
    ParameterValue value;
    if (info.absence == Absence::fallback)
      value = info.kind == ParameterKind::choice ? text(info.fallback) : number(std::stod(std::string(info.fallback)));
    values_.parameters[i].values = {value};
  }
  const auto set = [&](Parameter parameter, ParameterValue value) {
    values_.parameters[index_of(parameter)].values = {std::move(value)};
  };
  ParameterValue entry;
  entry.entry = &search_.model;
  set(Parameter::model, entry);
  entry.entry = &search_.system;
  set(Parameter::system, entry);
  set(Parameter::device_count, number(search_.devices));
  set(Parameter::max_batch, number(search_.max_batch));
  set(Parameter::precision, text(search_.precision));
  for (std::size_t a = 0; a < axis_count; ++a) {
    SweepValues::Parameter& axis = values_.parameters[index_of(axes[a])];
    const ParameterInfo& info = parameters()[index_of(axes[a])];
    axis.column = a;
    axis.values.clear();
    if (a == t || a == p || a == v || a == b)
      for (const std::int64_t n : numbers_.at(a)) axis.values.push_back(number(static_cast<double>(n)));
    else if (info.kind == ParameterKind::choice)
      for (const std::string_view choice : info.choices.first(3)) axis.values.push_back(text(choice));
    else
      for (std::int64_t n = 0; n < (a >= t_net ? tiers : 2); ++n) axis.values.push_back(number(static_cast<double>(n)));
    values_.column_sizes.push_back(axis.values.size());
  }
  complete(values_, parameters());
}

void CalculonSearchSpace::each_block(const std::function<void(const PointColumns&)>& take) const {
  const auto model = [&](const char* field) { return static_cast<std::int64_t>(search_.model.numbers.at(field)); };
  const auto devices = static_cast<std::int64_t>(search_.devices);
  const auto max_batch = static_cast<std::int64_t>(search_.max_batch);
  const bool has_offload = search_.system.parts.at("memory")[1].numbers.at("capacity") > 0.0;
  const auto tiers = static_cast<std::uint32_t>(search_.system.parts.at("network").size());
  const auto code_of = [&](std::size_t axis, std::int64_t value) {
    const std::vector<std::int64_t>& all = numbers_.at(axis);
    return static_cast<std::uint32_t>(std::lower_bound(all.begin(), all.end(), value) - all.begin());
  };
  BlockBuffer buffer(take);
  std::array<std::uint32_t, axis_count> codes{};
  using Codes = std::vector<std::uint32_t>;
  const Codes yes_no{1, 0};
  const Codes no{0};
  Codes all_tiers;
  for (std::uint32_t n = 0; n < tiers; ++n) all_tiers.push_back(n);
  Codes chunks;
  Codes micro_batches;
  std::int64_t tensor = 1;
  std::int64_t stages = 1;
  std::int64_t replicas = 1;

  // Choices of the axes after the degrees, each given those before it.
  const auto flag_if = [&](bool holds) { return holds ? yes_no : no; };
  const auto is_full = [&] { return codes[recompute] == 0; };
  const std::array<std::function<Codes()>, axis_count - v> choices{
      [&] { return chunks; },
      [&] {
        return Codes{0, 1, 2};
      },
      [&] { return flag_if(replicas > 1); },
      [&] {
        return Codes{0, 1, 2};
      },
      [&] { return flag_if(codes[comm] == 2 && !is_full()); },
      [&] { return flag_if(replicas > 1); },
      [&] {
        return tensor > 1 ? Codes{0, 1, 2} : no;
      },
      [&] { return flag_if(has_offload); },
      [&] { return flag_if(has_offload && !is_full()); },
      [&] { return flag_if(has_offload); },
      [&] { return micro_batches; },
      [&] { return tensor > 1 ? all_tiers : no; },
      [&] { return stages > 1 ? all_tiers : no; },
      [&] { return replicas > 1 ? all_tiers : no; }};
  const std::function<void(std::size_t)> descend = [&](std::size_t axis) {
    if (axis == axis_count) return buffer.add(codes);
    for (const std::uint32_t code : choices[axis - v]()) {
      codes[axis] = code;
      descend(axis + 1);
    }
  };

  for (const std::int64_t degree : divisors_of(devices)) {
    tensor = degree;
    if (model("hidden") % tensor != 0 || model("heads") % tensor != 0) continue;
    for (const std::int64_t depth : divisors_of(std::min(devices / tensor, model("layers")))) {
      stages = depth;
      if (devices % (tensor * stages) != 0 || model("layers") % stages != 0) continue;
      replicas = devices / (tensor * stages);
      if (replicas > max_batch) continue;
      micro_batches.clear();
      for (const std::int64_t n : divisors_of(max_batch / replicas))
        if (n * model("sequence_length") % tensor == 0) micro_batches.push_back(code_of(b, n));
      chunks.clear();
      for (const std::int64_t n : divisors_of(stages > 1 ? model("layers") / stages : 1))
        chunks.push_back(code_of(v, n));
      codes[t] = code_of(t, tensor);
      codes[p] = code_of(p, stages);
      descend(v);
    }
  }
  buffer.flush();
}

}  // namespace dfsweep::testing
