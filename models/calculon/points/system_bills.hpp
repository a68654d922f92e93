/// SystemBills: price and power of a device of each point, by the system and what the sweep states of prices.
#pragma once

#include <vector>

#include "models/calculon/points/decoded_values.hpp"
#include "models/cost/bill.hpp"
#include "models/prepared/code_columns.hpp"
#include "models/prepared/point_numbers.hpp"

namespace dfsweep::calculon {

/// Nothing that Calculon sweeps changes the parts of a device, so that an entry keeps its price and its power. Other
/// devices have those of peak, memory and networks of their entry.
class SystemBills {
 public:
  /// Pre: `decoded` is of `values`.
  SystemBills(const SweepValues& values, const DecodedValues& decoded);
  [[nodiscard]] cost::Bill at(const CodeColumns<Parameter>& codes, std::size_t i) const;

 private:
  std::vector<dfsweep::System> systems_;  ///< [code of system], as all members
  std::vector<cost::Bill> bills_;         ///< without what a sweep states
  DecodedNumbers<Parameter> numbers_;
  bool states_some_ = false;
};

}  // namespace dfsweep::calculon
