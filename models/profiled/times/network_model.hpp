/// NetworkModel: time of the collectives of a replica, from the tables of its network or from what stands in for them.
#pragma once

#include <optional>
#include <string_view>

#include "models/measured_tables/layer_predictors.hpp"
#include "models/profiled/times/pipeline.hpp"

namespace dfsweep::inference {

/// What is asked of the tables of a network.
struct NetworkRequest {
  std::string_view network;
  double hidden = 1.0;  ///< width of what is sent for a token
  double tensor_parallel = 1.0;
  Statistic statistic = Statistic::median;
  PredictionMethod method = PredictionMethod::fitted;
  bool falls_back = false;            ///< the nearest table of the network stands in for a missing one
  bool is_of_another_device = false;  ///< the network was measured with another device: its tables only stand in
};

/// The curve of a collective, and what it is multiplied with where it is that of another number of devices.
struct CollectiveSource {
  const NetworkProfile* profile = nullptr;  ///< null: from nowhere
  double scale = 1.0;
  bool stands_in = false;
};

class NetworkModel {
 public:
  /// All-reduces among t devices of one node; transfers between two devices of a node and of two nodes. A table of all-
  /// reduces among q devices that stands in is scaled by ((t-1)/t) / ((q-1)/q), the bytes that a ring moves. Tables of
  /// another device are used where the request falls back, and then stand in as they are.
  /// Pre: the profiles outlive the model.
  NetworkModel(const ProfileSet& profiles, const NetworkRequest& request);

  /// Makes the curves that are not there yet; the predictions below need it. Thread-safe.
  void prepare() const;
  /// Nothing without a table.
  [[nodiscard]] std::optional<Prediction> all_reduce(double tokens) const;
  /// Pre: `kind` is not none.
  [[nodiscard]] std::optional<Prediction> transfer(Transfer kind, double tokens) const;

  /// Rows of the tables that a prediction rests on; `kind` none: an all-reduce. Slow; for explanations.
  [[nodiscard]] std::vector<RowOrigin> rows(Transfer kind, double tokens) const;

 private:
  [[nodiscard]] std::optional<Prediction> predict(std::size_t i, double tokens) const;

  NetworkRequest request_;
  std::array<CollectiveSource, 3> sources_;  ///< all-reduce, then by Transfer
  SharedWork work_{3};
  mutable std::array<std::optional<Curve>, 3> curves_;
};

}  // namespace dfsweep::inference
