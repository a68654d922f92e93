/// Generated tables in the layout of measured ones, from rooflines with launch times, tiles and noise. They are for
/// tests and tutorials and do not describe real devices.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/measured_tables/operator_work.hpp"
#include "models/table.hpp"
#include "models/transformer/served_model.hpp"

namespace dfsweep {

/// Noise of generated times.
struct GeneratedNoise {
  double relative = 0.01;  ///< relative standard deviation of one measurement; 0: no noise
  std::uint64_t seed = 1;
};

struct GeneratedLayer {
  ServedModel model;
  DeviceRates rates;
  std::vector<unsigned> degrees;  ///< tensor-parallel degrees
  double most_tokens = 4096.0;    ///< maximum tokens of batch, chunk and context; at least 64
  double most_requests = 128.0;
  double block_size = 16.0;
};

struct GeneratedNetwork {
  Bandwidth bandwidth;  ///< of a device to all others, in one direction
  Seconds latency;      ///< latency per message
  unsigned devices_per_node = 1;
  double most_bytes = 67108864.0;
};

/// mlp.csv. A product of T tokens takes
///
///     launch + max( F ceil(T / tile) tile / T / (e_c peak), B / (e_m bandwidth) )
///
/// F: FLOP, B: bytes of operator_work.hpp, e_c and e_m: efficiencies; other operators take launch + B / (e_m
/// bandwidth).
[[nodiscard]] Table generated_token_table(const GeneratedLayer& layer, const GeneratedNoise& noise);

/// attention.csv: the same formula with the work of attention; contexts are rounded up to whole pages.
[[nodiscard]] Table generated_attention_table(const GeneratedLayer& layer, const GeneratedNoise& noise);

/// all_reduce.csv: a ring of n devices, launch + 2 (n - 1) (latency + S / n / bandwidth). Source: [thakur]
[[nodiscard]] Table generated_all_reduce_table(const GeneratedNetwork& network, const GeneratedNoise& noise);

/// send_recv.csv: launch + latency + S / bandwidth; between nodes at a tenth of the bandwidth.
[[nodiscard]] Table generated_send_recv_table(const GeneratedNetwork& network, const GeneratedNoise& noise);

}  // namespace dfsweep
