/// Points under the physical convention: the operating point of a deployment under its requests, and its figures.
#pragma once

#include "models/inference/serving/batching/batching.hpp"
#include "models/inference/serving/points/deployment.hpp"
#include "models/inference/serving/points/figures.hpp"

namespace dfsweep::serving {

/// How many sequences a replica serves at once, and why not more.
struct OperatingPoint {
  Request request;
  RequestTokens tokens;
  double replicas = 1.0;
  double batch = 1.0;     ///< requests of a replica at once
  double fits = 0.0;      ///< requests whose cache fits, not whole
  double requests = 0.0;  ///< of a replica that are queued; 0: without end
  Status status = Status::ok;
};
[[nodiscard]] OperatingPoint operating_point(const Deployment& deployment, const PointValues& v);

[[nodiscard]] Figures physical_figures(const Deployment& deployment, const PointValues& v);

}  // namespace dfsweep::serving
