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
  std::vector<EntryProblem> problems;  ///< what is wrong with the entry; empty: nothing
};

/// Fields as decode_workload describes for this kind.
[[nodiscard]] DecodedGraph decode_graph(const Entry& entry);

}  // namespace dfsweep::dataflow
