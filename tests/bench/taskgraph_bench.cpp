/// Task-graph points a second on one core, beside what a simulation event by event needs for the same graphs.
///
///     taskgraph_bench
///
/// Strategies are evaluated with all metrics but the crossover over grids in which every axis changes the times. Times
/// are those of the processor, so that other programs count little.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "models/taskgraph/estimator.hpp"
#include "models/taskgraph/graph/scheduler.hpp"
#include "models/taskgraph/points/published.hpp"
#include "tests/bench/clocks.hpp"
#include "tests/support/task_simulation.hpp"
#include "tests/support/taskgraph_point.hpp"

namespace {

using namespace dfsweep;
using namespace dfsweep::taskgraph;
using namespace dfsweep::testing;

/// Numbers from `from` on, each a little more than the one before.
std::vector<double> rising(double from, std::size_t count) {
  std::vector<double> values{from};
  while (values.size() < count) values.push_back(values.back() * 1.1);
  return values;
}

/// A chain of `layers` layers on four groups, with a task beside each on a fifth.
Entry ladder(std::size_t layers) {
  Entry graph;
  graph.name = "ladder";
  const auto part = [](std::map<std::string, std::string, std::less<>> texts) {
    Entry entry;
    entry.texts = std::move(texts);
    return entry;
  };
  for (int g = 0; g < 5; ++g) graph.parts["group"].push_back(part({{"name", "g" + std::to_string(g)}}));
  for (std::size_t layer = 0; layer < layers; ++layer) {
    const std::string number = std::to_string(layer);
    Entry main = part({{"name", "main" + number}, {"group", "g" + std::to_string(layer % 4)}, {"part", "ffn"}});
    Entry beside = part({{"name", "beside" + number}, {"group", "g4"}, {"part", "attention"}});
    if (layer > 0)
      main.text_lists["after"] = {"main" + std::to_string(layer - 1), "beside" + std::to_string(layer - 1)};
    if (layer > 1) beside.text_lists["after"] = {"main" + std::to_string(layer - 2)};
    Entry product;
    product.numbers = {{"m", 512.0 + static_cast<double>(layer)}, {"k", 4096}, {"n", 1024}};
    main.parts["product"] = {product};
    beside.parts["product"] = {product};
    graph.parts["task"].push_back(main);
    graph.parts["task"].push_back(beside);
  }
  return graph;
}

/// Nanoseconds of a point, best of three.
double nanoseconds(const EstimatorSweep& sweep) {
  const SweepValues values = sweep.values();
  const auto prepared = make_taskgraph_estimator()->prepare(values);
  constexpr std::size_t piece = 4096;
  const std::size_t points = sweep.count() / piece * piece;
  const std::size_t columns = values.column_sizes.size();
  std::vector<std::vector<std::uint32_t>> codes(columns, std::vector<std::uint32_t>(points));
  for (std::size_t i = 0; i < points; ++i) {
    std::size_t rest = i;
    for (std::size_t c = columns; c-- > 0; rest /= values.column_sizes[c])
      codes[c][i] = static_cast<std::uint32_t>(rest % values.column_sizes[c]);
  }
  std::vector<std::vector<double>> metrics(count_of<Metric>, std::vector<double>(piece));
  std::vector<std::span<double>> cells(metrics.begin(), metrics.end());
  cells[index_of(Metric::crossover_length)] = {};
  cells[index_of(Metric::crossover_end)] = {};
  std::vector<std::uint8_t> status(piece);
  EstimateColumns out{status, cells};
  double best = 1e30;
  for (int round = 0; round < 3; ++round) {
    const double start = processor_seconds();
    for (std::size_t first = 0; first < points; first += piece) {
      std::vector<std::span<const std::uint32_t>> views;
      for (const auto& column : codes) views.emplace_back(std::span(column).subspan(first, piece));
      prepared->evaluate(PointColumns(views, piece), out);
    }
    best = std::min(best, processor_seconds() - start);
  }
  return 1e9 * best / static_cast<double>(points);
}

void print(const std::string& what, double ns) {
  std::printf("%-58s %7.1f ns a point, %6.2f million points/s\n", what.c_str(), ns, 1e3 / ns);
}

EstimatorSweep& with_axes(EstimatorSweep& sweep) {
  return sweep.axis("sequence_length", {512, 1024, 2048, 4096, 8192, 16384, 32768, 65536})
      .axis("dram_bandwidth", rising(1e12, 16))
      .axis("link_bandwidth", rising(1e11, 16))
      .axis("peak_flops", rising(1e14, 64));
}

/// The same graphs through the scheduler and the simulation.
void compare_with_simulation() {
  std::mt19937_64 random(7);
  std::vector<RandomGraph> graphs;
  for (int g = 0; g < 2000; ++g) graphs.push_back(random_graph(random));
  double tasks = 0.0;
  double scheduled = 0.0;
  double simulated = 0.0;
  std::size_t different = 0;
  for (const RandomGraph& graph : graphs) {
    Scheduler scheduler(graph.dependences);
    constexpr int repeats = 20;
    Seconds makespan{};
    const double start = processor_seconds();
    for (int r = 0; r < repeats; ++r) makespan = scheduler.run(graph.durations);
    const double middle = processor_seconds();
    different += simulate(graph.dependences, graph.durations).makespan == makespan ? 0U : 1U;
    simulated += processor_seconds() - middle;
    scheduled += (middle - start) / repeats;
    tasks += static_cast<double>(graph.durations.size());
  }
  std::printf("%-58s %7.1f ns a task, %.0f times as fast as event by event; %zu of 2000 differ\n",
              "random graphs, schedule alone", 1e9 * scheduled / tasks, simulated / scheduled, different);
}

}  // namespace

int main() {
  for (const char* strategy : {"tensor_pipeline", "attention_pool"})
    for (const double micro_batches : {1.0, 16.0}) {
      TaskGraphPoint point = reference_point();
      point.set("strategy", strategy).set("micro_batches", micro_batches);
      print(std::string(strategy) + ", micro-batches: " + std::to_string(static_cast<int>(micro_batches)),
            nanoseconds(with_axes(point)));
    }
  for (const char* convention : {"sharded", "source"}) {
    TaskGraphPoint point = layerwise_point();
    point.set("convention", convention).set("cache_capacity", 8e9);
    print("layerwise, 16 layers, " + std::string(convention), nanoseconds(with_axes(point)));
  }
  for (const std::size_t layers : {4U, 8U, 16U, 64U}) {
    TaskGraphPoint point;
    point.set("strategy", ladder(layers));
    print("given graph of " + std::to_string(2 * layers) + " tasks",
          nanoseconds(point.axis("dram_bandwidth", rising(1e12, 64))
                          .axis("link_bandwidth", rising(1e11, 16))
                          .axis("peak_flops", rising(1e14, 64))));
  }
  compare_with_simulation();
}
