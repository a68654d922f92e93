#include "engine/foreign/measured_rows.hpp"

#include <fmt/format.h>

#include "io/csv.hpp"
#include "models/kernels/software_table.hpp"
#include "models/machine/accelerator_names.hpp"
#include "models/machine/system.hpp"
#include "models/training/measured/measured_point.hpp"

namespace dfsweep::foreign {

namespace {

using namespace training;

/// Names of choices, in the order of the enumerations.
constexpr std::string_view recompute_words[] = {"none", "attention", "elementwise", "selective", "full", "latent"};
constexpr std::string_view schedule_words[] = {"one_forward_one_backward", "zero_bubble", "dual_pipe"};

template <class Enum, std::size_t size>
std::string_view word_of(const std::string_view (&words)[size], Enum value) {
  return words[static_cast<std::size_t>(value)];
}

/// Rows give the width of a format; which one of that width follows from the chip.
std::string_view precision_word(MatrixFormat format, NumberFormats of_chip) {
  if (format == MatrixFormat::bits16) return of_chip.has(NumberFormat::bf16) ? "bf16" : "fp16";
  if (format == MatrixFormat::bits8) return of_chip.has(NumberFormat::fp8) ? "fp8" : "int8";
  return "fp4";
}

/// The parameters of a point and their values, in the order of the columns.
std::vector<PointCell> cells_of(const TrainingPoint& point) {
  const Execution& e = point.execution;
  const Parallelism& p = e.parallel;
  const Network& n = point.network;
  const auto number = [](double value) { return fmt::format("{}", value); };
  const auto flag = [](bool value) { return std::string(value ? "1" : "0"); };
  const auto rate = [](Bandwidth b) { return fmt::format("{} B/s", b.value()); };
  return {{"device_count", number(device_count(p))},
          {"tensor_parallel", number(p.tensor)},
          {"pipeline_parallel", number(p.pipeline)},
          {"data_parallel", number(p.data)},
          {"context_parallel", number(p.context)},
          {"expert_parallel", number(p.expert)},
          {"interleaving", number(p.chunks_per_stage)},
          {"sequence_parallel", flag(p.sequence_parallel)},
          {"global_batch", number(e.batch.global)},
          {"micro_batch", number(e.batch.micro)},
          {"sequence_length", number(e.batch.sequence)},
          {"precision", std::string(precision_word(e.format, point.accelerator.formats))},
          {"state_bytes", fmt::format("{}/{}/{}", e.bytes.weight, e.bytes.gradient, e.bytes.optimizer)},
          {"activations_8bit", flag(e.activations_8bit)},
          {"attention_8bit", flag(e.attention_8bit)},
          {"step_graph", flag(e.step_graph)},
          {"task", e.task == Task::full ? "full" : "low_rank"},
          {"attention_kernel", e.attention == AttentionKernel::flash ? "flash" : "materialized"},
          {"context_exchange", e.context_exchange == ContextExchange::ring ? "ring" : "all_to_all"},
          {"tensor_overlap", e.tensor_overlap == TensorOverlap::none ? "none" : "ring"},
          {"recompute", std::string(word_of(recompute_words, e.recompute))},
          {"recomputed_layers", number(e.recomputed_layers)},
          {"schedule", std::string(word_of(schedule_words, e.schedule))},
          {"stage_split", e.stage_split == StageSplit::even ? "even" : "balanced"},
          {"optimizer_sharding", number(static_cast<double>(e.sharding))},
          {"sharding_group", number(e.sharding_group)},
          {"activation_offload", number(e.offloaded_activations)},
          {"node_devices", number(n.enclosures.node)},
          {"node_links", n.node_links == NodeLinks::switched ? "switched" : "direct"},
          {"device_link_bandwidth", rate(n.inside.bandwidth)},
          {"outer_link_bandwidth", rate(n.across.bandwidth)}};
}

std::string model_text(const std::string& name, const Architecture& a, const std::string& shown) {
  std::string text = fmt::format("name = \"{}\"\ndescription = \"As a table of measurements describes it\"\n", name);
  text += fmt::format("kind = \"transformer\"\nsource = \"{}\"\n\n", shown);
  const auto field = [&](std::string_view key, double value) { text += fmt::format("{} = {}\n", key, value); };
  field("hidden", a.hidden);
  field("heads", a.heads);
  field("head_dim", a.head_dim);
  field("key_value_heads", a.key_value_heads);
  field("ffn_hidden", a.ffn_hidden);
  field("gated_ffn", a.ffn_matrices - 2);
  field("layers", a.layers);
  field("vocabulary", a.vocabulary);
  field("tied_embeddings", a.tied_embeddings ? 1 : 0);
  if (a.prediction_layers > 0) field("prediction_layers", a.prediction_layers);
  if (a.window > 0) field("window", a.window), field("windowed_layers", a.windowed_layers);
  if (a.experts.count > 0) {
    field("experts", a.experts.count);
    field("experts_per_token", a.experts.per_token);
    field("expert_ffn_hidden", a.experts.ffn_hidden);
    field("shared_ffn_hidden", a.experts.shared_ffn_hidden);
    field("dense_layers", a.experts.dense_layers);
  }
  if (a.latent.is_used()) {
    if (a.latent.query_rank > 0) field("query_rank", a.latent.query_rank);
    field("key_value_rank", a.latent.key_value_rank);
    field("plain_head_dim", a.latent.plain_dim);
    field("rotary_head_dim", a.latent.rotary_dim);
    field("value_head_dim", a.latent.value_dim);
  }
  return text;
}

std::string software_of(const Catalogue& catalogue, const RowReading& reading) {
  for (const std::string& name : software_entries(reading.accelerator, reading.software))
    if (catalogue.contains("software", name)) return name;
  return "default";
}

/// The name of the catalogue entry, or the file of a model that differs from the entry.
std::string name_of(RowTable& table, const MeasuredRow& row, const std::optional<Architecture>& known,
                    const Architecture& read) {
  const std::string name{row.text("model")};
  if (known && *known == read) return name;
  const char* of_table = row.says("source", "mlperf-") ? "-mlperf" : "-as-measured";
  const std::string own = name + (known ? (read.prediction_layers > 0 ? "-mtp" : of_table) : "");
  table.add_model({own, model_text(own, read, table.shown())});
  return "models/" + own + ".toml";
}

void add_training_row(RowTable& table, const MeasuredRow& row, std::uint64_t line) {
  const Catalogue& catalogue = table.catalogue();
  const std::string name{row.text("model")};
  const std::optional<Architecture> known = table.model(name);
  RowReading reading = read_row(row, known ? &*known : nullptr);
  const std::string system{system_of_accelerator(reading.accelerator)};
  if (reading.problem.empty() && (system.empty() || !catalogue.contains("systems", system)))
    reading.problem = "the catalogue has no system with this accelerator";
  if (!reading.problem.empty()) return table.reject(row, line, reading.problem);
  const std::string software = software_of(catalogue, reading);
  const System machine = decode_system(catalogue.load("systems", system).entry).value;
  const TrainingPoint point = measured_point(reading, machine.accelerator, machine.network,
                                             decode_software(catalogue.load("software", software).entry).value);
  std::vector<PointCell> cells{
      {"model", name_of(table, row, known, reading.architecture)}, {"system", system}, {"software", software}};
  for (PointCell& cell : cells_of(point)) cells.push_back(std::move(cell));
  const double seconds = measured_step_time(row, point).value();
  const double memory = measured_memory(row).value();
  const auto cell_of = [](double value) { return value > 0 ? fmt::format("{}", value) : std::string{}; };
  table.add(row, line, cells, {{"step_time", cell_of(seconds)}, {"memory_used", cell_of(memory)}}, reading.assumptions);
}

}  // namespace

MeasuredPoints points_of_measured_rows(std::string table, const std::string& shown, const Catalogue& catalogue) {
  const CsvReader reader(table, shown);
  std::vector<std::string> columns;
  for (const CsvCell& cell : reader.header()) columns.emplace_back(cell.text);
  if (is_serving_load_table(columns)) return points_of_serving_load_rows(std::move(table), shown, catalogue);
  if (is_serving_table(columns)) return points_of_serving_rows(std::move(table), shown, catalogue);
  return read_row_table(std::move(table), shown, catalogue, add_training_row);
}

}  // namespace dfsweep::foreign
