/// Exchanges of one layer and micro-batch on one device: tensor, expert and context groups.
#pragma once

#include "models/kernels/execution.hpp"
#include "models/kernels/software.hpp"
#include "models/machine/tier_collectives.hpp"
#include "models/training/communication/placement.hpp"
#include "models/transformer/architecture.hpp"

namespace dfsweep::training {

/// Time of the exchanges of a forward pass, whether or not something hides them.
struct LayerExchange {
  Seconds tensor;
  Seconds expert;
  Seconds context;
};

/// Two all-reduces of the activations, 2 t h bytes, or as many reduce-scatters and all-gathers with sequence
/// parallelism: the same bytes [korthikanti] section 4.2.2. The backward pass has as many.
[[nodiscard]] Seconds tensor_exchange(const Architecture& architecture, const Execution& execution,
                                      const GroupPlace& group, const Network& network, const LinkEfficiency& links);

/// Dispatch and combine of c t/TP tokens of 2 h bytes, c: capacity factor. Ranks that share an expert gather their rows
/// before it and scatter the sums after it, one pass of a ring each over 2 c t/TP k h ETP bytes. The backward pass has
/// as many.
[[nodiscard]] Seconds expert_exchange(const Architecture& architecture, const Execution& execution,
                                      const Placement& placement, const Network& network, const LinkEfficiency& links);

/// Ring: CP - 1 steps with the keys and values of a rank, 2 bytes each. All-to-all: queries, keys, values and results
/// change from tokens to heads, (CP - 1)/CP of each. The backward pass of a ring sends keys and values and their
/// gradients, twice as much; that of an all-to-all the gradients only.
[[nodiscard]] Seconds context_exchange(const Architecture& architecture, const Execution& execution,
                                       const GroupPlace& group, const Network& network, const LinkEfficiency& links);

}  // namespace dfsweep::training
