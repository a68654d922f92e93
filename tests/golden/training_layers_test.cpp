/// Golden: the layers of a transformer block as the Calculon reference tables list them, figure by figure.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdio>
#include <map>

#include "models/calculon/formulas/block_sums.hpp"
#include "models/calculon/formulas/outputs.hpp"
#include "tests/support/calculon_reference.hpp"

BOOST_AUTO_TEST_SUITE(training_layers_test)

namespace {

using namespace dfsweep;
using namespace dfsweep::testing;
using namespace dfsweep::calculon;

GoldenTable golden(const std::string& file) {
  return GoldenTable(DFSWEEP_GOLDEN_DIR + std::string("/reference/calculon/") + file);
}

/// An execution whose layers are listed, and what it runs on.
struct Listed {
  BlockSetting setting;
  LayerContext context;
  LayerMachine machine;
  std::int64_t shards = 1;
};

using Figures = std::map<std::string, double>;

void add_stage(Figures& figures, const std::string& prefix, const StageTime& stage) {
  figures[prefix + "_flops"] = stage.flops.value();
  figures[prefix + "_mem_accessed"] = stage.bytes;
  figures[prefix + "_arithmetic_intensity"] = stage.bytes == 0.0 ? 0.0 : stage.flops.value() / stage.bytes;
  figures[prefix + "_processing_time"] = stage.time;
}

void add_place(Figures& figures, const std::string& place, const Layer& layer, const LayerTimes& times,
               const LayerComm& comm, const LayerContext& context) {
  const bool is_overlapped = layer.kind == LayerKind::overlapped;
  const auto add = [&](const std::string& stage, double bytes, double seconds, double exposed) {
    figures[place + stage + "_size"] = bytes;
    figures[place + stage + "_tile"] = is_overlapped ? bytes / real(context.tensor_parallel) : bytes;
    figures[place + stage + "_time"] = seconds;
    figures[place + stage + "_time_exposed"] = exposed;
  };
  add("_fw_tp_comm", comm.forward_bytes, comm.forward, is_overlapped ? times.forward.exposed : comm.forward);
  add("_bw_tp_comm", comm.gradient_bytes, comm.gradient,
      is_overlapped ? times.activation_gradient.exposed : comm.gradient);
  add("_recomm", comm.redo_bytes, comm.redo, is_overlapped ? times.weight_gradient.exposed : comm.redo);
}

Figures figures_of(const Layer& layer, const Listed& at) {
  const LayerTimes times = layer_times(layer, at.context, at.machine);
  const double e = real(at.context.element_bytes);
  Figures figures{{"inputs_size", layer.inputs},
                  {"outputs_size", layer.outputs},
                  {"weight", layer.weights * e},
                  {"activation", layer.activation_stored_bytes},
                  {"activation_grad", layer.gradient_stored_bytes},
                  {"weight_grad", layer.weights * e / real(at.shards)},
                  {"optimizer", optimizer_bytes(layer, at.context, at.shards)}};
  add_stage(figures, "fw", times.forward);
  add_stage(figures, "agrad", times.activation_gradient);
  add_stage(figures, "wgrad", times.weight_gradient);
  add_stage(figures, "optim", optimizer_step(layer, at.context, at.machine, at.shards));
  add_place(figures, "baseblock", layer, times, times.base, at.context);
  add_place(figures, "edgeblock", layer, times, times.edge, at.context);
  return figures;
}

/// Executions by row; the reference outlives them.
std::map<std::string, Listed> listed(const CalculonReference& reference) {
  std::map<std::string, Listed> all;
  for (const char* file : {"golden_repo.csv", "golden_train.csv", "golden_edge.csv", "golden_infer.csv"}) {
    const GoldenTable table = golden(file);
    for (std::size_t i = 0; i < table.size(); ++i) {
      const ModelShape& model = reference.models.at(table.text(i, "model"));
      const System& system = reference.systems.at(table.text(i, "system"));
      const Execution execution = execution_of(table, i);
      if (rejection_of(model, system, execution) != Rejection::none) continue;
      const BlockSetting setting = block_setting(model, execution);
      all.emplace(table.text(i, "row_id"), Listed{setting,
                                                  {setting.element_bytes, setting.tensor_parallel, setting.tensor_comm},
                                                  layer_machine(system, execution),
                                                  shards_of(execution)});
    }
  }
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_layer_has_its_figures) {
  const CalculonReference reference = calculon_reference(DFSWEEP_GOLDEN_DIR);
  const std::map<std::string, Listed> executions = listed(reference);
  const GoldenTable table = golden("golden_layers.csv");
  std::size_t identical = 0, compared = 0;
  std::map<std::string, std::int64_t> layers_seen;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::string& row = table.text(i, "row_id");
    const Listed& at = executions.at(row);
    const std::vector<Layer> layers = block_layers(at.setting);
    const auto index = static_cast<std::size_t>(table.number(i, "layer_index"));
    BOOST_TEST_CONTEXT(row << ", layer " << index) {
      BOOST_TEST_REQUIRE(index < layers.size());
      BOOST_TEST(layers_seen[row]++ == static_cast<std::int64_t>(index));
      for (const auto& [name, found] : figures_of(layers[index], at)) {
        const double expected = table.number(i, name);
        ++compared;
        identical += expected == found ? 1U : 0U;
        BOOST_TEST(std::abs(found - expected) <= 1e-12 * std::abs(expected),
                   name << ": " << found << " for " << expected);
      }
    }
  }
  for (const auto& [row, layers] : layers_seen)
    BOOST_TEST(block_layers(executions.at(row).setting).size() == static_cast<std::size_t>(layers), row);
  std::printf("%zu of %zu figures of %zu layers bit-identical\n", identical, compared, table.size());
}

BOOST_AUTO_TEST_SUITE_END()
