/// NetworkModel: times of the collectives of a replica, from the tables of its network or from replacements.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string_view>

#include "models/measured_tables/profile_tables.hpp"
#include "models/profiled/times/pipeline.hpp"

namespace dfsweep::profiled {

/// Request for tables of a network.
struct NetworkRequest {
  std::string_view network;
  double hidden = 1.0;  ///< numbers sent per token
  double tensor_parallel = 1.0;
  Statistic statistic = Statistic::median;
  PredictionMethod method = PredictionMethod::fitted;
  bool falls_back = false;            ///< the nearest table of the network replaces a missing one
  bool is_of_another_device = false;  ///< the network was measured with another device, so its tables are replacements
};

/// The curve of a collective, and its scale factor where it was measured with another number of devices.
struct CollectiveSource {
  const NetworkProfile* profile = nullptr;  ///< null: no source
  double scale = 1.0;
  bool stands_in = false;
};

class NetworkModel {
 public:
  /// Provides all-reduces among t devices of one node, and transfers within a node and between nodes. A replacement
  /// all-reduce among q devices is scaled by ((t-1)/t) / ((q-1)/q), the ratio of bytes moved by a ring. Tables of
  /// another device are used, unscaled, only where the request falls back.
  /// Pre: the tables outlive the model.
  NetworkModel(const ProfileTables& tables, const NetworkRequest& request);

  /// Builds missing curves; required by the predictions below. Thread-safe.
  void prepare() const;
  /// Empty without a table.
  [[nodiscard]] std::optional<Prediction> all_reduce(double tokens) const;
  /// Pre: `kind` is not none.
  [[nodiscard]] std::optional<Prediction> transfer(Transfer kind, double tokens) const;

  /// Table rows used by a prediction; `kind` none: an all-reduce. Slow, for explanations.
  [[nodiscard]] std::vector<RowOrigin> rows(Transfer kind, double tokens) const;

 private:
  [[nodiscard]] std::optional<Prediction> predict(std::size_t i, double tokens) const;

  const ProfileTables& tables_;
  NetworkRequest request_;
  std::array<CollectiveSource, 3> sources_;  ///< all-reduce, then by Transfer
  SharedWork work_{3};
  mutable std::array<std::shared_ptr<const Curve>, 3> curves_;
};

}  // namespace dfsweep::profiled
