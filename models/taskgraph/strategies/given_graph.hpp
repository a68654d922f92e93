/// GivenGraph: a task graph of the user, decoded from an entry of "taskgraphs".
#pragma once

#include <string>
#include <vector>

#include "models/absent.hpp"
#include "models/decoded.hpp"
#include "models/entry.hpp"
#include "models/taskgraph/graph/dependences.hpp"
#include "models/taskgraph/work/part_times.hpp"
#include "models/taskgraph/work/products.hpp"

namespace dfsweep::taskgraph {

struct GivenGroup {
  std::string name;
  bool is_link = false;
  double devices = 1.0;
  Throughput peak_flops{absent};  ///< absent: value of the sweep, as for all rates
  Bandwidth memory_bandwidth{absent};
  Bandwidth link_bandwidth{absent};
  Seconds link_latency{absent};
};

struct GivenTask {
  std::string name;
  std::size_t group = 0;
  Part part = Part::other;
  std::vector<Product> products;
  Bytes sent;              ///< bytes over one link, sum over all transfers
  double latencies = 0.0;  ///< sum over all transfers
};

struct GivenGraph {
  double tokens = absent;
  std::vector<GivenGroup> groups;
  std::vector<GivenTask> tasks;  ///< in the order of `dependences`: topological, ties by position in the file
  Dependences dependences{0};
};

/// Problems: missing, duplicate or unknown names, cycles of tasks, sizes out of range. All are reported.
[[nodiscard]] Decoded<GivenGraph> decode_given_graph(const Entry& entry);

}  // namespace dfsweep::taskgraph
