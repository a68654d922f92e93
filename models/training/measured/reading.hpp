/// Reading of a measured row: the point that it describes, what had to be assumed, or why it cannot be expressed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/kernels/execution.hpp"
#include "models/machine/network.hpp"
#include "models/measured_row.hpp"
#include "models/transformer/architecture.hpp"
#include "models/units.hpp"

namespace dfsweep::training {

/// What an empty cell leaves to be decided once the memory that a choice needs is known.
struct Undecided {
  bool micro_batch = false;        ///< the largest that fits
  bool recompute = false;          ///< the least that fits
  bool recomputed_layers = false;  ///< where a whole pass is recomputed, the fewest eighths of the layers that fit
  bool sharding = false;           ///< parameters too, where nothing else fits
  bool degrees = false;            ///< the smallest tensor and pipeline degrees that fit
  double group = 0.0;              ///< devices of a copy of the model where only their number is stated, else 0
  bool activations_8bit = false;   ///< results of first products in 8 bits where nothing else fits
};

struct LinksOfRow {
  double node_devices = 8.0;
  NodeLinks node_links = NodeLinks::switched;
  Bandwidth inside;  ///< 0: not stated
  Bandwidth across;  ///< 0: not stated
};

/// How the weights of a row are kept in memory.
enum class KeptWeights : std::uint8_t {
  given,   ///< as Execution::bytes
  narrow,  ///< in 8 bits, with the copies that the stack needs
  frozen,  ///< as the stack keeps frozen weights under narrow products
};

struct RowReading {
  std::string software;  ///< stack: "megatron", "fsdp", "xla", ...
  std::string accelerator;
  Architecture architecture;
  Execution execution;
  LinksOfRow links;
  double devices = 1.0;
  KeptWeights weights = KeptWeights::given;
  Undecided undecided;
  std::vector<Assumption> assumptions;
  std::string problem;  ///< why the row cannot be expressed; "" where it can
};

/// Reads the columns named in docs/measured.md. Sizes that the columns do not have (width of a head, latent attention,
/// windows, dense layers among experts) are taken from `known`, the entry of the row's model, where there is one.
[[nodiscard]] RowReading read_row(const MeasuredRow& row, const Architecture* known);

}  // namespace dfsweep::training
