/// Random points of the estimator `serving` over its accepted domain.
#pragma once

#include <vector>

#include "models/serving/points/published.hpp"
#include "tests/support/drawn_points.hpp"
#include "tests/support/random_values.hpp"

namespace dfsweep::testing {

using ServingPoint = DrawnPoint<serving::Parameter>;
using ServingPoints = DrawnPoints<serving::Parameter, serving::Metric>;

/// Models, machines and stacks like those of the catalogue, and some that are not.
class ServingCatalogue {
 public:
  ServingCatalogue();
  /// Most points can run. Bandwidths, rates and capacities are given.
  [[nodiscard]] ServingPoint random_point(RandomValues& random) const;
  /// Eight short prompts with answers of two tokens, FP8 and 100 TFLOP/s; capacity is given.
  [[nodiscard]] ServingPoint latent_experts_on_two_stages() const;
  /// A few users or a part of the load, prompts and answers of moderate and varied lengths, memory that suffices.
  [[nodiscard]] ServingPoint moderate_point(RandomValues& random) const;
  /// A model whose layers look back 1024 tokens, some of them.
  [[nodiscard]] const Entry& windowed() const { return models_[3]; }
  /// Alike, but of 512 and of 513 experts.
  [[nodiscard]] const std::vector<Entry>& expert_counts() const { return expert_counts_; }

 private:
  using P = serving::Parameter;
  void choose_machine(ServingPoint& point, RandomValues& random) const;
  void choose_layout(ServingPoint& point, RandomValues& random) const;
  void choose_pools(ServingPoint& point, RandomValues& random) const;
  void choose_requests(ServingPoint& point, RandomValues& random) const;
  void choose_spreads(ServingPoint& point, RandomValues& random) const;
  void choose_traffic(ServingPoint& point, RandomValues& random) const;
  void choose_limits(ServingPoint& point, RandomValues& random) const;
  std::vector<Entry> models_;
  std::vector<Entry> expert_counts_;
  std::vector<Entry> systems_;
  std::vector<Entry> software_;
  std::vector<Entry> engines_;
};

}  // namespace dfsweep::testing
