/// System: an entry of "systems" with its device, network, price and power.
#pragma once

#include <string>

#include "models/absent.hpp"
#include "models/decoded.hpp"
#include "models/entry.hpp"
#include "models/entry_table.hpp"
#include "models/machine/accelerator.hpp"
#include "models/machine/hardware.hpp"
#include "models/machine/memory_technology.hpp"
#include "models/machine/network.hpp"

namespace dfsweep {

struct System {
  Accelerator accelerator;
  Network network;
  Dollars price{absent};      ///< per device, including its share of node and network; NaN: unknown
  Watts power{absent};        ///< per device, as for price
  Watts idle_power{absent};   ///< of a device alone while nothing runs; NaN: its watts were not measured
  Watts power_limit{absent};  ///< of a device alone: what its clock keeps it below; NaN: unknown
  MemoryTechnology memory = MemoryTechnology::hbm3;
};

inline constexpr auto system_fields = [] {
  using enum Presence;
  using S = System;
  using A = Accelerator;
  using N = Network;
  constexpr double most = 1e9;
  return std::to_array<FieldRow<S>>({
      number_row<S, &S::accelerator, &A::peak_16bit>("peak_flops", "FLOP/s", positive_number, required,
                                                     "peak rate of a device for dense products of 16-bit numbers"),
      number_row<S, &S::accelerator, &A::peak_8bit>("peak_flops_8bit", "FLOP/s", not_negative_number, optional,
                                                    "peak rate for 8-bit numbers; default: the 16-bit rate"),
      number_row<S, &S::accelerator, &A::peak_4bit>("peak_flops_4bit", "FLOP/s", not_negative_number, optional,
                                                    "peak rate for 4-bit numbers; default: the 8-bit rate"),
      other_row<S>("number_formats", FieldType::texts, "1",
                   "formats of the matrix units: fp16, bf16, fp8, int8, fp4, int4; default: those with a rate"),
      number_row<S, &S::accelerator, &A::memory_bandwidth>("memory_bandwidth", "B/s", positive_number, required,
                                                           "memory bandwidth of a device"),
      number_row<S, &S::accelerator, &A::memory_capacity>("memory_capacity", "B", positive_number, required,
                                                          "memory of a device that a program can allocate"),
      number_row<S, &S::accelerator, &A::host_bandwidth>(
          "host_bandwidth", "B/s", not_negative_number, optional,
          "bandwidth of a device to host memory, in one direction; default: no offloading"),
      number_row<S, &S::accelerator, &A::host_capacity>("host_capacity", "B", not_negative_number, optional,
                                                        "host memory per device; default 0"),
      number_row<S, &S::network, &N::enclosures, &Enclosures::node>(
          "node_devices", "1", whole_number(1, most), required,
          "devices in a node; a rack with one switch for all devices counts as a node"),
      other_row<S>("node_links", FieldType::text, "1", "switched (default); direct: each link joins a pair of devices"),
      number_row<S, &S::network, &N::inside, &LinkTier::bandwidth>(
          "node_bandwidth", "B/s", not_negative_number, optional,
          "bandwidth of a device within its node, in one direction"),
      number_row<S, &S::network, &N::inside, &LinkTier::latency>("node_latency", "s", not_negative_number, optional,
                                                                 "latency of a step to the next device of the node"),
      number_row<S, &S::network, &N::across, &LinkTier::bandwidth>(
          "network_bandwidth", "B/s", not_negative_number, optional,
          "bandwidth of a device to other nodes, in one direction"),
      number_row<S, &S::network, &N::across, &LinkTier::latency>("network_latency", "s", not_negative_number, optional,
                                                                 "latency of a step to the next node"),
      number_row<S, &S::network, &N::enclosures, &Enclosures::pod>(
          "pod_devices", "1", whole_number(0, most), optional,
          "devices in a pod, within which network_bandwidth is valid; default: all devices"),
      number_row<S, &S::network, &N::between_pods, &LinkTier::bandwidth>(
          "pod_bandwidth", "B/s", not_negative_number, optional,
          "bandwidth of a device to other pods, in one direction"),
      number_row<S, &S::network, &N::between_pods, &LinkTier::latency>("pod_latency", "s", not_negative_number,
                                                                       optional, "latency of a step to the next pod"),
      other_row<S>(
          "platform", FieldType::text, "1",
          "what programs it: cuda, rocm, xpu, gaudi, tpu, neuron, other; default: unknown, all engines of serving run"),
      other_row<S>("software", FieldType::text, "1", "usual entry of software on this system"),
      other_row<S>("operators", FieldType::text, "1", "name of the system in tables of measured operators"),
      other_row<S>("measured_for", FieldType::texts, "1",
                   "estimators for which runs of some stack on this accelerator were measured; default: none"),
      number_row<S, &S::price>("price", "USD", not_negative_number, optional, "price per device"),
      number_row<S, &S::power>("power", "W", not_negative_number, optional, "power per device"),
      number_row<S, &S::idle_power>("idle_power", "W", not_negative_number, optional,
                                    "power of a device alone while nothing runs; given where its watts were measured"),
      number_row<S, &S::power_limit>("power_limit", "W", positive_number, optional,
                                     "power of a device alone that its clock keeps it below"),
      other_row<S>("memory_technology", FieldType::text, "1",
                   "hbm2, hbm2e, hbm3 (default), hbm3e, hbm4, gddr, lpddr, ddr: for a derived price and power"),
  });
}();

[[nodiscard]] Decoded<System> decode_system(const Entry& entry);
/// Name of the system in tables of measured operators; without the field `operators` that of the entry.
[[nodiscard]] std::string name_in_operators(const Entry& entry);

/// Default number of devices per built node: the usual size of a board of accelerators.
inline constexpr double devices_of_built_node = 8.0;

/// Builds a system from a device, a memory and links without an entry of "systems". `inside`: links of a node, joined
/// by a switch; `across`: links of a device to other nodes. Bandwidths are for one direction. Price and power cover
/// device and memory, not links, whose number is unknown.
[[nodiscard]] System built_system(const Device& device, const Memory& memory, const Interconnect& inside,
                                  const Interconnect& across);

}  // namespace dfsweep
