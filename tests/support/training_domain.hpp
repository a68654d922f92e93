/// Random points of the estimator `training` over the whole domain of its parameters, and what it gives for them.
#pragma once

#include <array>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "models/training/points/published.hpp"
#include "tests/support/estimator_sweep.hpp"

namespace dfsweep::testing {

/// A value of each parameter; absent where a point leaves it open.
struct TrainingValues {
  std::array<ParameterValue, static_cast<std::size_t>(training::Parameter::count)> all;

  [[nodiscard]] ParameterValue& operator[](training::Parameter p) { return all[index_of(p)]; }
  [[nodiscard]] const ParameterValue& operator[](training::Parameter p) const { return all[index_of(p)]; }
  [[nodiscard]] double number(training::Parameter p) const { return (*this)[p].number; }
  /// In a few words, for messages.
  [[nodiscard]] std::string text() const;
};

/// Models, machines and stacks like those of the catalogue.
class TrainingCatalogue {
 public:
  TrainingCatalogue();
  [[nodiscard]] const std::vector<Entry>& models() const { return models_; }
  [[nodiscard]] const std::vector<Entry>& systems() const { return systems_; }
  /// A system whose links to its host are `factor` times as fast as those of another one.
  [[nodiscard]] const Entry& with_faster_host(const Entry& system, double factor);
  /// Every parameter has a value of its domain, so that most points can run. Bandwidths, rates and capacities are
  /// given.
  [[nodiscard]] TrainingValues random_values(std::mt19937_64& random) const;

 private:
  void choose_execution(TrainingValues& v, std::mt19937_64& random) const;
  std::vector<Entry> models_;
  std::vector<Entry> systems_;
  std::vector<Entry> software_;
  std::vector<Entry> topologies_;
  std::map<std::string, Entry> faster_;
};

/// Points that are estimated in one sweep.
class TrainingTable {
 public:
  /// The number of the point.
  std::size_t add(const TrainingValues& values);
  [[nodiscard]] std::size_t size() const { return codes_.empty() ? 0 : codes_.front().size(); }
  [[nodiscard]] Estimates estimate() const;

 private:
  std::map<std::string, std::uint32_t> known_[static_cast<std::size_t>(training::Parameter::count)];
  std::vector<std::vector<ParameterValue>> values_{static_cast<std::size_t>(training::Parameter::count)};
  std::vector<std::vector<std::uint32_t>> codes_{static_cast<std::size_t>(training::Parameter::count)};
};

}  // namespace dfsweep::testing
