/// User graphs: decoding of entries of kind "graph".
#pragma once

#include <vector>

#include "models/dataflow/workload/graph.hpp"
#include "models/entry.hpp"

namespace dfsweep::dataflow {

struct DecodedGraph {
  Graph graph;
  double layers = 1.0;
  double boundary_words = 0.0;
  std::vector<EntryProblem> problems;  ///< problems of the entry; empty: valid
};

/// Fields as described at decode_workload for kind "graph".
[[nodiscard]] DecodedGraph decode_graph(const Entry& entry);

}  // namespace dfsweep::dataflow
