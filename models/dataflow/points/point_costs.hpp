/// Prices and powers of a point: what its entries and parameters state, and what is derived where they state nothing or
/// where the sweep replaces parts.
#pragma once

#include "models/cost/bill.hpp"
#include "models/dataflow/cost/rates.hpp"
#include "models/dataflow/workload/convention.hpp"
#include "models/machine/hardware.hpp"

namespace dfsweep::dataflow {

/// The entries of a point.
struct PricedEntries {
  const Device& device;
  const Memory& memory;
  const Interconnect& link;
  const Interconnect& outer_link;
};

/// Sets the prices and powers of `in`, last of all. `swept_capacity`: of the DRAM; NaN: that of the entry, which is
/// free.
///
///     chip    stated, times the ratio of the derived prices with and without replaced parts; or derived
///     DRAM    stated per bandwidth, or derived; a swept capacity adds its derived price
///     links   stated per bandwidth, or the usual ones
///
/// A limit of power below that of chip and DRAM lowers the clock: peak and frequency of `in` become smaller.
///
/// Pre: peak, SRAM and DRAM of `in` are those of the point.
void set_costs(StepInputs& in, const PricedEntries& entries, const cost::StatedCosts& stated, double swept_capacity,
               PriceRule rule);

}  // namespace dfsweep::dataflow
