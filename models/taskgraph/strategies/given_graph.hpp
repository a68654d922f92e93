/// GivenGraph: a task graph that a user wrote, decoded from an entry of kind "taskgraphs".
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
  Throughput peak_flops{absent};  ///< absent, as all of these: that of the sweep
  Bandwidth memory_bandwidth{absent};
  Bandwidth link_bandwidth{absent};
  Seconds link_latency{absent};
};

struct GivenTask {
  std::string name;
  std::size_t group = 0;
  Part part = Part::other;
  std::vector<Product> products;
  Bytes sent;              ///< of all transfers: bytes over one link
  double latencies = 0.0;  ///< of all transfers
};

struct GivenGraph {
  double tokens = absent;
  std::vector<GivenGroup> groups;
  std::vector<GivenTask> tasks;  ///< numbered as in `dependences`: of those that may be next, the first in the file
  Dependences dependences{0};
};

/// Problems: names missing, given twice or unknown, tasks that wait for one another, sizes out of range. All are found.
[[nodiscard]] Decoded<GivenGraph> decode_given_graph(const Entry& entry);

}  // namespace dfsweep::taskgraph
