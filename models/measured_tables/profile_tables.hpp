/// ProfileTables: the measured tables of a folder, sorted, checked and fitted once for all sweeps that use them.
///
/// Nothing here depends on the parameters of a sweep: checks against rates of devices and predictors are made when a
/// sweep first needs them, and kept for later ones. Thread-safe.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/measured_tables/layer_predictors.hpp"
#include "models/measured_tables/profiles.hpp"
#include "models/measured_tables/sorting.hpp"
#include "models/prepared/lazy_map.hpp"
#include "models/prepared/lazy_table.hpp"

namespace dfsweep {

/// Problems of tables.
struct TableFindings {
  std::vector<DataProblem> errors;    ///< profiles may lack these tables
  std::vector<DataProblem> warnings;  ///< suspicious data that is used nevertheless
};

class ProfileTables {
 public:
  /// Sorts the tables and checks their cells. `data`: name of the data for messages ("profiles").
  ProfileTables(std::vector<Table> tables, std::string data);
  ProfileTables(const ProfileTables&) = delete;
  ProfileTables& operator=(const ProfileTables&) = delete;

  [[nodiscard]] std::span<const Table> tables() const { return tables_; }
  [[nodiscard]] const ProfileSet& profiles() const { return sorted_.profiles; }
  /// Problems of the tables whose paths are wanted, as of read_profiles. Times of devices not in `devices` are checked
  /// against bounds for any device.
  [[nodiscard]] TableFindings findings(std::span<const NamedRates> devices,
                                       const std::function<bool(const std::string& path)>& is_wanted) const;

  /// Pre: `profile` is one of profiles().layers.
  [[nodiscard]] const LayerPredictors& predictors_of(const LayerProfile& profile, const TableReading& reading) const;
  /// The curve over tokens of an operator of the head; null where it was not measured. Pre: as above.
  [[nodiscard]] std::shared_ptr<const Curve> head_curve(const LayerProfile& profile, Operator op, Statistic statistic,
                                                        PredictionMethod method) const;
  /// The curve over tokens of a collective measured over bytes: tokens = bytes / (2 hidden); null without samples. Pre:
  /// `profile` is one of profiles().networks. [vidur] Section 2
  [[nodiscard]] std::shared_ptr<const Curve> collective_curve(const NetworkProfile& profile, Statistic statistic,
                                                              PredictionMethod method, double hidden) const;
  /// The curve over requests; null without samples. Pre: `profile` is one of profiles().processors.
  [[nodiscard]] std::shared_ptr<const Curve> processor_curve(const ProcessorProfile& profile, Operator op,
                                                             Statistic statistic, PredictionMethod method) const;
  /// Layers with predictors, and curves besides, that were made so far.
  [[nodiscard]] std::size_t fits() const;

 private:
  /// What decides a curve. Profiles do not move, so their addresses name them.
  struct CurveKey {
    const void* profile;
    Operator op;
    Statistic statistic;
    PredictionMethod method;
    double units_per_token;
    bool operator==(const CurveKey&) const = default;
  };
  /// Rates that a table is checked against; zero: those of any device.
  struct CheckedRates {
    double peak = 0.0;
    double bandwidth = 0.0;
    bool operator==(const CheckedRates&) const = default;
  };
  template <class Samples>
  [[nodiscard]] std::shared_ptr<const Curve> curve(const CurveKey& key, Samples samples) const;
  [[nodiscard]] std::size_t reading_index(const TableReading& reading) const;

  std::vector<Table> tables_;
  std::string data_;
  SortedTables sorted_;
  std::vector<double> page_sizes_;                                               ///< of all layers, ascending
  std::vector<std::unique_ptr<LazyMap<CheckedRates, TableFindings>>> findings_;  ///< [table]
  LazyTable<std::unique_ptr<const LayerPredictors>> predictors_;                 ///< [layer][reading]
  LazyMap<CurveKey, std::optional<Curve>> curves_;
  mutable std::atomic<std::size_t> layers_made_{0};
};

}  // namespace dfsweep
