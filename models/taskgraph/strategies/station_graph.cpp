#include "models/taskgraph/strategies/station_graph.hpp"

#include "models/short_number.hpp"
#include "models/taskgraph/strategies/attention_pool.hpp"
#include "models/taskgraph/strategies/tensor_pipeline.hpp"

namespace dfsweep::taskgraph {

namespace {

std::string link_name(std::size_t from) {
  return "link " + std::to_string(from) + " to " + std::to_string(from + 1);
}

}  // namespace

StationList pipeline_list(const Setting& s) {
  const PipelineStages p = pipeline_stages(s);
  StationList list{{}, s.micro_batches, 1.0};
  for (std::size_t stage = 0; static_cast<double>(stage) < p.stages; ++stage) {
    if (stage > 0) list.stations.push_back({link_name(stage - 1), p.link, 0.0});
    list.stations.push_back({"stage " + std::to_string(stage), p.stage(static_cast<double>(stage)), s.tensor_parallel});
  }
  return list;
}

StationList pool_list(const Setting& s) {
  const PoolStations p = pool_stations(s);
  return {{{"base to pool", p.send, 0.0},
           {"pool", p.pool, s.pool_devices},
           {"pool to base", p.receive, 0.0},
           {"base", p.base, s.tensor_parallel}},
          s.micro_batches,
          s.model.layers};
}

StationList layerwise_list(const Setting& s, const LayerPlacement& p) {
  StationList list{{}, p.tiling.tiles, 1.0};
  double first = 0.0;
  for (std::size_t g = 0; static_cast<double>(g) < p.tiling.groups; ++g) {
    if (g > 0) list.stations.push_back({link_name(g - 1), p.link, 0.0});
    const double layers = p.layers_of(static_cast<double>(g), s.model.layers);
    const double last = first + layers - 1.0;
    list.stations.push_back({(layers == 1.0 ? "layer " : "layers " + short_number(first) + " to ") + short_number(last),
                             layers * p.layer, 1.0});
    first += layers;
  }
  return list;
}

StationGraph station_graph(const StationList& list) {
  StationGraph graph{Dependences(list.stations.size()), {}, {}, {}};
  const auto jobs = static_cast<std::size_t>(list.jobs);
  const auto rounds = static_cast<std::size_t>(list.rounds);
  std::vector<TaskIndex> before(jobs);
  for (std::size_t round = 0; round < rounds; ++round)
    for (std::size_t station = 0; station < list.stations.size(); ++station)
      for (std::size_t job = 0; job < jobs; ++job) {
        const bool is_first = round == 0 && station == 0;
        before[job] = graph.dependences.add(
            station, is_first ? std::span<const TaskIndex>() : std::span<const TaskIndex>(&before[job], 1));
        graph.durations.push_back(list.stations[station].times.total());
        graph.job.push_back(job);
        graph.round.push_back(round);
      }
  return graph;
}

}  // namespace dfsweep::taskgraph
