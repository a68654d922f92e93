/// A small model, its device, network and tables.
#include "tests/support/profiled_sweep.hpp"

#include "models/profiled/estimator.hpp"
#include "tests/support/profile_text.hpp"

namespace dfsweep::testing {

using namespace profiled;

namespace {

/// Transfers of 16 KiB (8 tokens of 1024 numbers) and 16 MiB, in ms.
std::string network_text(const std::string& collective, const std::string& per_node, const char* small,
                         const char* large) {
  const auto row = [&](const char* time, const char* size) {
    return std::string(time) + ",0,2," + size + "," + collective + "," + per_node + ",4\n";
  };
  return "time_stats." + collective +
         ".median,rank,num_workers,size,collective,devices_per_node,max_devices_per_node\n" + row(small, "16384") +
         row(large, "16777216");
}

}  // namespace

Entry profiled_device(const std::string& name, double capacity) {
  Entry entry;
  entry.name = name;
  entry.numbers = {{"peak_flops", 300e12}, {"memory_bandwidth", 2e12}, {"memory_capacity", capacity}};
  return entry;
}

Entry profiled_model() {
  Entry model;
  model.name = "gpt";
  model.texts["kind"] = "transformer";
  model.numbers = {{"layers", 4},          {"hidden", 1024},   {"heads", 16},        {"head_dim", 64},
                   {"key_value_heads", 8}, {"gated_ffn", 1.0}, {"ffn_hidden", 4096}, {"vocabulary", 0}};
  return model;
}

ProfiledSweep::ProfiledSweep() : EstimatorSweep(make_profiled_estimator) {
  Entry network;
  network.name = "net";
  network.numbers = {{"devices_per_node", 4}};
  set("model", profiled_model()).set("device", profiled_device("chip", 1e9)).set("network", network);
  table("compute/chip/gpt/mlp.csv", small_layer_text());
  table("compute/chip/gpt/attention.csv", small_attention_text());
  table("network/net/all_reduce.csv", network_text("all_reduce", "2", "0.03", "0.3"));
  table("network/net/send_recv.csv", network_text("send_recv", "2", "0.04", "0.4"));
}

}  // namespace dfsweep::testing
