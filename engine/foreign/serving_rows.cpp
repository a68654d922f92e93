/// Tables of measured serving as point lists of the estimator `serving`.
#include "engine/foreign/measured_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/serving/measured/reading.hpp"

namespace dfsweep::foreign {

namespace {

using serving::MeasuredServing;

/// The parameters of a point and their values, in the order of the columns.
std::vector<PointCell> cells_of(const std::string& model, const std::string& system, const MeasuredServing& row) {
  const auto number = [](double value) { return fmt::format("{}", value); };
  return {{"model", model},
          {"system", system},
          {"device_count", number(row.device_count)},
          {"tensor_parallel", number(row.tensor_parallel)},
          {"pipeline_parallel", number(row.pipeline_parallel)},
          {"attention_parallel", row.attention_parallel},
          {"precision", row.precision},
          {"weight_precision", row.weight_precision},
          {"cache_precision", row.cache_precision},
          {"prompt_tokens", number(row.prompt_tokens)},
          {"output_tokens", number(row.output_tokens)},
          {"batching", row.batching},
          {"batch", row.batch},
          {"concurrency", row.concurrency},
          {"batch_limit", row.batch_limit},
          {"requests", row.requests},
          {"time_per_output_token_limit", row.time_per_output_token_limit},
          {"load", number(row.load)},
          {"beams", number(row.beams)}};
}

void add_serving_row(RowTable& table, const MeasuredRow& row, std::uint64_t line) {
  const Catalogue& catalogue = table.catalogue();
  const std::string model{row.text("model")};
  const std::string system{system_of_accelerator(row.text("accelerator"))};
  const std::optional<Architecture> known = table.model(model);
  MeasuredServing reading = serving::read_serving_row(row, known && known->experts.count > 0);
  if (!known) reading.problem = "the catalogue has no transformer of this name";
  if (system.empty() || !catalogue.contains("systems", system))
    reading.problem = "the catalogue has no system with this accelerator";
  if (!reading.problem.empty()) return table.reject(row, line, reading.problem);
  if (reading.tensor_parallel <= 0) {
    const Entry entry = catalogue.load("systems", system).entry;
    reading.tensor_parallel = smallest_tensor(reading, *known, decode_system(entry).value);
    reading.assumptions.push_back({"tensor_parallel", fmt::format("{}", reading.tensor_parallel),
                                   "the smallest that holds 64 requests; replicas for the rest"});
  }
  const bool is_first_token = row.text("output_tokens") == "1";
  table.add(row, line, cells_of(model, system, reading),
            {{"token_rate_per_device", is_first_token ? "" : std::string(row.text("throughput_per_device"))},
             {"time_to_first_token", is_first_token ? std::string(row.text("ttft_s")) : ""}},
            reading.assumptions);
}

}  // namespace

bool is_serving_table(std::span<const std::string> columns) {
  return std::find(columns.begin(), columns.end(), "input_tokens") != columns.end();
}

MeasuredPoints points_of_serving_rows(std::string table, const std::string& shown, const Catalogue& catalogue) {
  return read_row_table(std::move(table), shown, catalogue, add_serving_row);
}

}  // namespace dfsweep::foreign
