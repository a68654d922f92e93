#include "models/calculon/points/system_bills.hpp"

#include <algorithm>

#include "models/cost/columns.hpp"

namespace dfsweep::calculon {

namespace {

Throughput peak_of(const Engine& engine, Datatype datatype) {
  const auto& rate = engine[static_cast<std::size_t>(datatype)];
  return rate ? Throughput{rate->peak} : Throughput{};
}

/// The parts of a device that have a price. Networks are from the innermost tier.
dfsweep::System parts_of(const TrainingSystem& entry) {
  const System& s = entry.system;
  dfsweep::System parts;
  parts.accelerator.peak_16bit = std::max(peak_of(s.matrix, Datatype::float16), peak_of(s.matrix, Datatype::bfloat16));
  parts.accelerator.peak_8bit = peak_of(s.matrix, Datatype::float8);
  parts.accelerator.memory_bandwidth = Bandwidth{s.memory.bandwidth};
  parts.accelerator.memory_capacity = Bytes{s.memory.capacity};
  if (!s.networks.empty()) parts.network.inside.bandwidth = Bandwidth{s.networks.front().bandwidth};
  if (s.networks.size() > 1) parts.network.across.bandwidth = Bandwidth{s.networks.back().bandwidth};
  parts.price = Dollars{entry.price};
  parts.power = Watts{entry.power};
  return parts;
}

cost::Bill bill_of(const dfsweep::System& system, const cost::StatedCosts& stated) {
  cost::NamedParts named;
  named.system = &system;
  cost::VariedParts varied;
  varied.system = system;
  return cost::bill_of(named, varied, stated);
}

}  // namespace

SystemBills::SystemBills(const SweepValues& values, const DecodedValues& decoded)
    : numbers_(decoded_numbers<Parameter>(values, parameters())) {
  for (const TrainingSystem& system : decoded.systems) {
    systems_.push_back(parts_of(system));
    bills_.push_back(bill_of(systems_.back(), {}));
  }
  for (const Parameter p : cost::places_of<Parameter, cost::PriceParameter>)
    states_some_ = states_some_ ||
                   std::any_of(numbers_[p].begin(), numbers_[p].end(), [](double number) { return is_given(number); });
}

cost::Bill SystemBills::at(const CodeColumns<Parameter>& codes, std::size_t i) const {
  const std::uint32_t system = codes.code(Parameter::system, i);
  if (!states_some_) return bills_[system];
  const PointNumbers<Parameter> numbers(numbers_, codes, i);
  return bill_of(systems_[system], cost::stated_costs<Parameter>([&](Parameter p) { return numbers.number(p); }));
}

}  // namespace dfsweep::calculon
