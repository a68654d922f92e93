/// ProfiledSweep: points of the profiled estimator written by parameter names, on small tables, for tests.
#pragma once

#include <list>
#include <map>
#include <string>
#include <vector>

#include "models/estimator.hpp"

namespace dfsweep::testing {

class ProfiledSweep {
 public:
  /// A model of four layers on device "chip", joined by network "net" of four chips in a node, with tables of both.
  ProfiledSweep();
  /// Several values; axes are in the order of calls.
  ProfiledSweep& axis(const std::string& parameter, const std::vector<double>& numbers);
  ProfiledSweep& set(const std::string& parameter, double number);
  ProfiledSweep& set(const std::string& parameter, const std::string& text);
  ProfiledSweep& set(const std::string& parameter, Entry entry);
  ProfiledSweep& set_absent(const std::string& parameter);
  ProfiledSweep& table(const std::string& path, const std::string& text);

  /// Good as long as this object; fallbacks are filled in.
  [[nodiscard]] SweepValues values() const;
  /// Points of the grid, last axis fastest.
  [[nodiscard]] std::size_t count() const;
  struct Results {
    std::vector<std::string> status;
    std::map<std::string, std::vector<double>, std::less<>> metrics;
    [[nodiscard]] double operator[](std::string_view name) const { return metrics.find(name)->second.front(); }
  };
  /// All points in blocks of `block` points.
  [[nodiscard]] Results evaluate(const PreparedSweep& prepared, std::size_t block) const;
  [[nodiscard]] Results evaluate() const;
  /// Of the first point.
  [[nodiscard]] Explanation explain() const;

 private:
  std::map<std::string, std::vector<ParameterValue>> given_;
  std::vector<std::string> axes_;  ///< names, in order
  std::list<Entry> entries_;
  std::map<std::string, std::string> tables_;  ///< path -> text
};

/// Fields of a device: its peak and the bandwidth and capacity of its memory.
[[nodiscard]] Entry profiled_device(const std::string& name, double capacity);

}  // namespace dfsweep::testing
