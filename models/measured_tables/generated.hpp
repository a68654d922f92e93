/// Tables in the layout of measured ones, made from rooflines with launches, tiles and noise: for tests and for first
/// steps where nothing has been measured. They say nothing about real devices.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/measured_tables/operator_work.hpp"
#include "models/table.hpp"
#include "models/transformer/served_model.hpp"

namespace dfsweep::inference {

/// How generated times scatter around their model.
struct GeneratedNoise {
  double relative = 0.01;  ///< standard deviation of one measurement; 0: none
  std::uint64_t seed = 1;
};

struct GeneratedLayer {
  ServedModel model;
  DeviceRates rates;
  std::vector<unsigned> degrees;  ///< tensor-parallel
  double most_tokens = 4096.0;    ///< largest batch of tokens, chunk and context; at least 64
  double most_requests = 128.0;
  double block_size = 16.0;
};

struct GeneratedNetwork {
  Bandwidth bandwidth;  ///< of a device to the others, in one direction
  Seconds latency;      ///< of one message
  unsigned devices_per_node = 1;
  double most_bytes = 67108864.0;
};

/// mlp.csv. A product of T tokens takes
///
///     launch + max( F ceil(T / tile) tile / T / (e_c peak), B / (e_m bandwidth) )
///
/// F: FLOP, B: bytes of operator_work.hpp, e_c and e_m: efficiencies; the others launch + B / (e_m bandwidth).
[[nodiscard]] Table generated_token_table(const GeneratedLayer& layer, const GeneratedNoise& noise);

/// attention.csv: the same with the work of attention, contexts rounded up to pages.
[[nodiscard]] Table generated_attention_table(const GeneratedLayer& layer, const GeneratedNoise& noise);

/// all_reduce.csv: a ring of n devices, launch + 2 (n - 1) (latency + S / n / bandwidth). Source: [thakur]
[[nodiscard]] Table generated_all_reduce_table(const GeneratedNetwork& network, const GeneratedNoise& noise);

/// send_recv.csv: launch + latency + S / bandwidth; between nodes at a tenth of the bandwidth.
[[nodiscard]] Table generated_send_recv_table(const GeneratedNetwork& network, const GeneratedNoise& noise);

}  // namespace dfsweep::inference
