#include "tests/support/vidur_runs.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <stdexcept>

#include "models/queueing/vidur/mersenne_twister.hpp"

namespace dfsweep::testing {

namespace {

std::uint32_t whole_or(double number, std::uint32_t otherwise) {
  return std::isnan(number) ? otherwise : static_cast<std::uint32_t>(number);
}

vidur::Scheduler scheduler_named(const std::string& name) {
  if (name == "faster_transformer") return vidur::Scheduler::fastertransformer;
  const auto found = std::find(std::begin(vidur::scheduler_names), std::end(vidur::scheduler_names), name);
  if (found == std::end(vidur::scheduler_names)) throw std::runtime_error("unknown scheduler " + name);
  return static_cast<vidur::Scheduler>(found - std::begin(vidur::scheduler_names));
}

vidur::Routing routing_named(const std::string& name) {
  if (name == "lor") return vidur::Routing::least_outstanding;
  return name == "random" ? vidur::Routing::random : vidur::Routing::round_robin;
}

}  // namespace

GoldenTable vidur_golden(const std::string& golden, const std::string& file) {
  return GoldenTable(golden + "/reference/vidur/simulator/" + file);
}

VidurTraces vidur_traces(const GoldenTable& table, const std::string& arrival_column) {
  VidurTraces traces;
  for (std::size_t row = 0; row < table.size(); ++row)
    traces[table.text(row, "trace_id")].push_back({Seconds{table.number(row, arrival_column)},
                                                   whole_or(table.number(row, "prefill_tokens"), 0),
                                                   whole_or(table.number(row, "decode_tokens"), 0)});
  return traces;
}

vidur::Rules vidur_rules(const GoldenTable& table, std::size_t row, double blocks, double slots) {
  const auto whole = [&](const char* column, std::uint32_t otherwise) {
    const std::vector<std::string>& all = table.columns();
    if (std::find(all.begin(), all.end(), column) == all.end()) return otherwise;
    return whole_or(table.number(row, column), otherwise);
  };
  vidur::Rules rules;
  rules.scheduler = scheduler_named(table.text(row, "scheduler"));
  rules.routing = routing_named(table.text(row, "global_scheduler"));
  rules.replicas = whole("replicas", 1);
  rules.stages = whole("pp", 1);
  rules.block_tokens = whole("block_size", 16);
  rules.batch_limit = whole("batch_size_cap", 128);
  rules.request_tokens = whole("max_request_tokens", 4096);
  rules.chunk_tokens = whole("chunk_size", 512);
  rules.prompt_tokens = whole("max_tokens_in_batch", 4096);
  rules.waiting_steps = whole("max_waiting_iters", 10);
  rules.watermark = table.number(row, "watermark_fraction");
  rules.blocks = whole("num_blocks", static_cast<std::uint32_t>(blocks));
  rules.reserved_limit = static_cast<std::uint32_t>(slots);
  if (const double limit = table.number(row, "time_limit_s"); !std::isnan(limit)) rules.time_limit = Seconds{limit};
  return rules;
}

std::vector<vidur::OfferedRequest> conversations(const std::string& golden, std::size_t count, double rate) {
  const VidurTraces traces = vidur_traces(vidur_golden(golden, "sim_traces.csv"), "arrived_at_s");
  const GoldenTable runs = vidur_golden(golden, "sim_runs.csv");
  std::set<std::string> used;
  for (std::size_t row = 0; row < runs.size(); ++row)
    if (runs.text(row, "lengths") == "conv") used.insert(runs.text(row, "trace_id"));
  std::vector<vidur::OfferedRequest> lengths;
  for (const std::string& trace : used) lengths.insert(lengths.end(), traces.at(trace).begin(), traces.at(trace).end());
  vidur::MersenneTwister random(1);
  std::vector<vidur::OfferedRequest> requests;
  double now = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    now -= std::log(1.0 - random.uniform()) / rate;
    const vidur::OfferedRequest& like = lengths[i % lengths.size()];
    requests.push_back({Seconds{now}, like.prompt, like.output});
  }
  return requests;
}

}  // namespace dfsweep::testing
