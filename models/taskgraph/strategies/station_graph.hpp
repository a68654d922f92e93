/// StationGraph: the tasks of a built-in strategy as an explicit graph with names.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "models/taskgraph/graph/dependences.hpp"
#include "models/taskgraph/strategies/layerwise.hpp"
#include "models/taskgraph/strategies/setting.hpp"

namespace dfsweep::taskgraph {

struct NamedStation {
  std::string name;
  PartTimes times;       ///< times of one micro-batch per visit
  double devices = 0.0;  ///< devices of the station; 0: a link
};

/// The stations that every micro-batch of a strategy visits, and how often.
struct StationList {
  std::vector<NamedStation> stations;  ///< in the order of visits
  double jobs = 1.0;                   ///< micro-batches, or tiles
  double rounds = 1.0;                 ///< visits of all stations per job: layers
};

/// Pre: the settings have no obstacle; `placement` belongs to the setting.
[[nodiscard]] StationList pipeline_list(const Setting& setting);
[[nodiscard]] StationList pool_list(const Setting& setting);
[[nodiscard]] StationList layerwise_list(const Setting& setting, const LayerPlacement& placement);

struct StationGraph {
  Dependences dependences{0};
  std::vector<Seconds> durations;  ///< [task]
  std::vector<std::size_t> job;    ///< [task]
  std::vector<std::size_t> round;  ///< [task]
};

/// One task per visit: rounds x stations x jobs, numbered in this order. A micro-batch visits the stations in order,
/// and the first station again after the last.
[[nodiscard]] StationGraph station_graph(const StationList& list);

}  // namespace dfsweep::taskgraph
