/// StationGraph: the tasks of a built-in strategy one by one, as a graph with names.
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
  PartTimes times;       ///< of one micro-batch at one visit
  double devices = 0.0;  ///< 0: a link
};

/// What every micro-batch of a strategy passes, and how often.
struct StationList {
  std::vector<NamedStation> stations;  ///< in the order in which they are passed
  double jobs = 1.0;                   ///< micro-batches, or tiles
  double rounds = 1.0;                 ///< passes of all stations by each: layers
};

/// Pre: the settings have no obstacle; `placement` is of the setting.
[[nodiscard]] StationList pipeline_list(const Setting& setting);
[[nodiscard]] StationList pool_list(const Setting& setting);
[[nodiscard]] StationList layerwise_list(const Setting& setting, const LayerPlacement& placement);

struct StationGraph {
  Dependences dependences{0};
  std::vector<Seconds> durations;  ///< [task]
  std::vector<std::size_t> job;    ///< [task]
  std::vector<std::size_t> round;  ///< [task]
};

/// A task for every visit: rounds x stations x jobs, numbered in this order. A micro-batch visits a station after the
/// one before it, and the first station again after the last.
[[nodiscard]] StationGraph station_graph(const StationList& list);

}  // namespace dfsweep::taskgraph
