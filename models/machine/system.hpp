/// System: one device of an entry of "systems", the links of its node and beyond, what it costs and draws.
#pragma once

#include <string>

#include "models/absent.hpp"
#include "models/decoded.hpp"
#include "models/entry.hpp"
#include "models/entry_table.hpp"
#include "models/machine/accelerator.hpp"
#include "models/machine/hardware.hpp"
#include "models/machine/network.hpp"

namespace dfsweep::training {

struct System {
  Accelerator accelerator;
  Network network;
  Dollars price{absent};  ///< of a device with its share of node and network; NaN: unknown
  Watts power{absent};    ///< likewise
};

inline constexpr auto system_fields = [] {
  using enum Presence;
  using S = System;
  using A = Accelerator;
  using N = Network;
  constexpr double most = 1e9;
  return std::to_array<FieldRow<S>>({
      number_row<S, &S::accelerator, &A::peak_16bit>("peak_flops", "FLOP/s", positive_number, required,
                                                     "of a device, dense products of 16-bit numbers"),
      number_row<S, &S::accelerator, &A::peak_8bit>("peak_flops_8bit", "FLOP/s", not_negative_number, optional,
                                                    "of 8-bit numbers; default as at 16 bits"),
      number_row<S, &S::accelerator, &A::peak_4bit>("peak_flops_4bit", "FLOP/s", not_negative_number, optional,
                                                    "of 4-bit numbers; default as at 8 bits"),
      number_row<S, &S::accelerator, &A::memory_bandwidth>("memory_bandwidth", "B/s", positive_number, required,
                                                           "of a device"),
      number_row<S, &S::accelerator, &A::memory_capacity>("memory_capacity", "B", positive_number, required,
                                                          "of a device, what a program can allocate"),
      number_row<S, &S::accelerator, &A::host_bandwidth>(
          "host_bandwidth", "B/s", not_negative_number, optional,
          "of a device to the memory of its host, in one direction; default none"),
      number_row<S, &S::accelerator, &A::host_capacity>("host_capacity", "B", not_negative_number, optional,
                                                        "memory of the host for each device; default none"),
      number_row<S, &S::network, &N::enclosures, &Enclosures::node>(
          "node_devices", "1", whole_number(1, most), required,
          "devices joined by the links of a node, a rack with one switch included"),
      other_row<S>("node_links", FieldType::text, "1", "switched (default); direct where links join pairs of devices"),
      number_row<S, &S::network, &N::inside, &LinkTier::bandwidth>(
          "node_bandwidth", "B/s", not_negative_number, optional, "of a device inside its node, in one direction"),
      number_row<S, &S::network, &N::inside, &LinkTier::latency>("node_latency", "s", not_negative_number, optional,
                                                                 "of a step to the next device of the node"),
      number_row<S, &S::network, &N::across, &LinkTier::bandwidth>(
          "network_bandwidth", "B/s", not_negative_number, optional, "of a device to other nodes, in one direction"),
      number_row<S, &S::network, &N::across, &LinkTier::latency>("network_latency", "s", not_negative_number, optional,
                                                                 "of a step to the next node"),
      number_row<S, &S::network, &N::enclosures, &Enclosures::pod>("pod_devices", "1", whole_number(0, most), optional,
                                                                   "devices within which that holds; default all"),
      number_row<S, &S::network, &N::between_pods, &LinkTier::bandwidth>(
          "pod_bandwidth", "B/s", not_negative_number, optional, "of a device beyond, in one direction"),
      number_row<S, &S::network, &N::between_pods, &LinkTier::latency>("pod_latency", "s", not_negative_number,
                                                                       optional, "of a step to the next pod"),
      other_row<S>("software", FieldType::text, "1", "the entry of software that is usual on it"),
      number_row<S, &S::price>("price", "USD", not_negative_number, optional, "of a device"),
      number_row<S, &S::power>("power", "W", not_negative_number, optional, "of a device"),
  });
}();

[[nodiscard]] Decoded<System> decode_system(const Entry& entry);

/// Devices of a built node, where the sweep does not say: as many as one board of accelerators usually joins.
inline constexpr double devices_of_built_node = 8.0;

/// A device, a memory and links as one system, where no entry of "systems" describes them together. `inside`: links of
/// a node, all joined by a switch; `across`: of a device to other nodes. Bandwidths are those of one direction. Price
/// and power are those of device and memory; links have none here, as their number is not known.
[[nodiscard]] System built_system(const hardware::Device& device, const hardware::Memory& memory,
                                  const hardware::Interconnect& inside, const hardware::Interconnect& across);

}  // namespace dfsweep::training
