/// Models, systems and software stacks of the catalogue as the physical convention needs them.
#pragma once

#include "models/decoded.hpp"
#include "models/entry.hpp"
#include "models/kernels/software.hpp"
#include "models/machine/accelerator.hpp"
#include "models/machine/network.hpp"
#include "models/transformer/architecture.hpp"

namespace dfsweep::training {

/// A transformer of "models", with experts, latent attention and windows where the entry has them.
[[nodiscard]] Decoded<Architecture> decode_architecture(const Entry& entry);

/// An entry of "systems": one device, and the links of its node and beyond.
struct PhysicalSystem {
  Accelerator accelerator;
  Network network;
  Dollars price;  ///< of a device with its share of node and network; NaN: unknown
  Watts power;    ///< likewise
};
[[nodiscard]] Decoded<PhysicalSystem> decode_physical_system(const Entry& entry);

/// An entry of "software". Fields that it does not have are those of every stack.
[[nodiscard]] Decoded<Software> decode_software(const Entry& entry);

}  // namespace dfsweep::training
