/// OperatorPrices: prices of steps from measured operators for the points of a sweep, kept by what decides them.
#pragma once

#include <memory>
#include <optional>

#include "models/explanation.hpp"
#include "models/serving/batching/batching.hpp"
#include "models/serving/points/kept.hpp"
#include "models/serving/points/replica.hpp"
#include "models/serving/prices/replica_prices.hpp"

namespace dfsweep::serving {

/// Whose tables price a point.
[[nodiscard]] operators::TableStack table_stack_of(const DecodedValues& values, const PointValues& v);

class OperatorPrices {
 public:
  /// Predictions of the replicas of a point, which rates do not change.
  struct Predictions {
    ReplicaPrices answers;
    std::optional<ReplicaPrices> prompts;
  };
  using Prices = std::shared_ptr<const PoolPrices>;
  /// The last predictions and prices of a walk over points.
  struct Scratch {
    Kept<Predictions>::Last predictions;
    Kept<Prices>::Last prices;
  };

  /// Pre: `values`, `decoded` and `tables` outlive the prices.
  OperatorPrices(const SweepValues& values, const DecodedValues& decoded, const operators::OperatorTables& tables);

  /// What prices the operations of a step with the batch of the point.
  [[nodiscard]] Explanation explain(const PointValues& v, const Costs& costs, const Request& request,
                                    double batch) const;

  /// Thread-safe.
  [[nodiscard]] Prices at(const PointColumns& points, std::size_t i, const PointValues& v, Scratch& scratch) const;

 private:
  [[nodiscard]] Predictions predictions_of(const PointValues& v) const;
  [[nodiscard]] Prices prices_of(const Predictions& predictions, const PointValues& v) const;

  const DecodedValues& decoded_;
  const operators::OperatorTables& tables_;
  Kept<Predictions> predictions_;
  Kept<Prices> prices_;
};

}  // namespace dfsweep::serving
