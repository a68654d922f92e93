/// Price and power of a device of a point, from its entry and what the sweep replaces or states of it.
#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "models/absent.hpp"
#include "models/cost/columns.hpp"
#include "models/profiled/points/decoded_values.hpp"

namespace dfsweep::profiled {

/// A device has its chip, the memory on its board and, where the sweep states their price, links: entries of networks
/// do not say what they are made of. Price and power are NaN where the entry has neither them nor a peak rate.
/// `code(p)` gives the codes of the point.
template <class CodeOf>
[[nodiscard]] cost::Bill bill_at(const ProfiledValues& values, const CodeOf& code) {
  const auto number = [&](Parameter p) { return values.numbers[p][code(p)]; };
  const auto given_or = [&](Parameter p, double otherwise) { return is_given(number(p)) ? number(p) : otherwise; };
  const ProfiledDevice& device = values.devices[code(Parameter::device)];
  Device chip = device.chip;
  if (!(chip.peak_flops > Throughput{})) chip.peak_flops = Throughput{number(Parameter::peak_flops)};
  cost::NamedParts named;
  named.device = &chip;
  cost::VariedParts varied;
  Accelerator& board = varied.system.accelerator;
  board.memory_bandwidth = Bandwidth{given_or(Parameter::dram_bandwidth, chip.memory_bandwidth.value())};
  varied.memory_bytes = given_or(Parameter::dram_capacity, device.memory_capacity.value());
  varied.peak_flops = number(Parameter::peak_flops);
  return cost::bill_of(named, varied, cost::stated_costs<Parameter>(number));
}

/// The bill of the last point, which neighbours often share.
class KeptBill {
 public:
  /// Pre: `values` outlives the object.
  explicit KeptBill(const ProfiledValues& values) : values_(values) {}

  template <class CodeOf>
  const cost::Bill& at(const CodeOf& code) {
    std::array<std::uint32_t, parameters_of_bill.size()> codes{};
    std::transform(parameters_of_bill.begin(), parameters_of_bill.end(), codes.begin(), code);
    if (std::exchange(has_bill_, true) && codes == codes_) return bill_;
    codes_ = codes;
    bill_ = bill_at(values_, code);
    return bill_;
  }

 private:
  static constexpr auto parameters_of_bill = published::joined(
      cost::places_of<Parameter, cost::PriceParameter>,
      std::array{Parameter::device, Parameter::dram_bandwidth, Parameter::dram_capacity, Parameter::peak_flops});

  const ProfiledValues& values_;
  std::array<std::uint32_t, parameters_of_bill.size()> codes_{};
  bool has_bill_ = false;
  cost::Bill bill_;
};

}  // namespace dfsweep::profiled
