/// Tables of serving under load as point lists of the estimator `serving`.
#include <algorithm>

#include "engine/foreign/measured_rows.hpp"
#include "models/machine/system.hpp"
#include "models/serving/measured/load_reading.hpp"
#include "models/short_number.hpp"

namespace dfsweep::foreign {

namespace {

using serving::MeasuredLoad;
using serving::PoolCells;

void add_pool(std::vector<PointCell>& cells, const PoolCells& prefill, const PoolCells& decode) {
  cells.insert(cells.end(), {{"prefill_replicas", prefill.replicas},
                             {"prefill_tensor_parallel", prefill.tensor_parallel},
                             {"prefill_attention_data_parallel", prefill.attention_data_parallel},
                             {"prefill_expert_parallel", prefill.expert_parallel},
                             {"decode_replicas", decode.replicas},
                             {"decode_tensor_parallel", decode.tensor_parallel},
                             {"decode_attention_data_parallel", decode.attention_data_parallel},
                             {"decode_expert_parallel", decode.expert_parallel}});
}

/// The parameters of a point and their values, in the order of the columns.
std::vector<PointCell> cells_of_load(const std::string& model, const std::string& system, const MeasuredLoad& row) {
  std::vector<PointCell> cells{{"model", model},
                               {"system", system},
                               {"software", row.engine},
                               {"engine", row.engine},
                               {"queueing", "simulated"},
                               {"device_count", row.device_count},
                               {"tensor_parallel", row.shared.tensor_parallel},
                               {"pipeline_parallel", row.pipeline_parallel},
                               {"attention_data_parallel", row.shared.attention_data_parallel},
                               {"expert_parallel", row.shared.expert_parallel},
                               {"pools", row.pools}};
  add_pool(cells, row.prefill, row.decode);
  cells.insert(cells.end(), {{"precision", row.precision},
                             {"weight_precision", row.weight_precision},
                             {"attention_precision", row.attention_precision},
                             {"cache_precision", row.cache_precision},
                             {"prompt_tokens", short_number(row.prompt_tokens)},
                             {"output_tokens", short_number(row.output_tokens)},
                             {"prompt_spread", short_number(row.spread)},
                             {"output_spread", short_number(row.spread)},
                             {"concurrency", row.concurrency},
                             {"requests_per_user", short_number(row.requests_per_user)},
                             {"chunk_tokens", row.chunk_tokens},
                             {"batch_limit", row.batch_limit},
                             {"receive_interval_steps", row.receive_interval_steps},
                             {"batch_wait_steps", row.batch_wait_steps},
                             {"cache_share", row.cache_share}});
  return cells;
}

/// Other rows become points, and are left out of the measured table.
bool is_trusted(const MeasuredRow& row) {
  return row.text("consistent") != "doubtful" && row.text("speculation") != "suspected";
}

void add_load_row(RowTable& table, const MeasuredRow& row, std::uint64_t line) {
  const Catalogue& catalogue = table.catalogue();
  const std::string model{row.text("model")};
  const std::string system{row.text("system")};
  const std::optional<Architecture> known = table.model(model);
  if (!known) return table.reject(row, line, "the catalogue has no transformer of this name");
  if (system.empty() || !catalogue.contains("systems", system))
    return table.reject(row, line, "the catalogue has no system of this name");
  const System machine = decode_system(catalogue.load("systems", system).entry).value;
  const MeasuredLoad reading = serving::read_load_row(row, {.has_experts = known->experts.count > 0,
                                                            .formats = machine.accelerator.formats,
                                                            .model = served(*known),
                                                            .memory = machine.accelerator.memory_capacity});
  if (!reading.problem.empty()) return table.reject(row, line, reading.problem);
  const auto measured = [&](std::string_view column) {
    return is_trusted(row) ? std::string(row.text(column)) : std::string();
  };
  table.add(row, line, cells_of_load(model, system, reading),
            {{"time_to_first_token", measured("time_to_first_token_s")},
             {"time_per_output_token", measured("time_per_output_token_s")}},
            reading.assumptions);
}

}  // namespace

bool is_serving_load_table(std::span<const std::string> columns) {
  return std::find(columns.begin(), columns.end(), "time_per_output_token_s") != columns.end();
}

MeasuredPoints points_of_serving_load_rows(std::string table, const std::string& shown, const Catalogue& catalogue) {
  return read_row_table(std::move(table), shown, catalogue, add_load_row);
}

}  // namespace dfsweep::foreign
