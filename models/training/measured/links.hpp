/// Links as tables of measurements describe them in words: "8 x 400 Gb/s InfiniBand per node".
#pragma once

#include <optional>
#include <string_view>

#include "models/machine/network.hpp"
#include "models/units.hpp"

namespace dfsweep::training {

/// Bandwidth of one device in one direction inside its node. "bidirectional" figures are halved; "4 links stated" are
/// as many NVLinks; "21 x 100 Gb/s" counts one direction already. Nothing where the text names no bandwidth, and for
/// "inter-chip" links of a torus, where the system says it.
[[nodiscard]] std::optional<Bandwidth> inside_bandwidth(std::string_view link);

/// The same between nodes; "per node" figures are divided by the devices of a node.
[[nodiscard]] std::optional<Bandwidth> across_bandwidth(std::string_view link, double devices_per_node);

/// NVLink of the second generation, "all-to-all" links and "7 links of 128 GB/s" join pairs of devices, others a switch
/// or a torus.
[[nodiscard]] NodeLinks node_links(std::string_view link);

/// Devices that the links inside a node join: "72-device domain"; `otherwise` where the text names none.
[[nodiscard]] double joined_devices(std::string_view link, double otherwise);

}  // namespace dfsweep::training
