/// Serving software: efficiencies of a serving stack on an accelerator and its links, and host overheads.
///
/// Defaults are for an unknown stack and not fitted; docs/models/serving.md gives the source of each. Entries of
/// "software" override them.
#pragma once

#include "models/cost/step_power.hpp"
#include "models/units.hpp"

namespace dfsweep {

struct ServingMatrix {
  double peak_share = 0.70;          ///< share of the peak rate, for large products
  double share_8bit = 0.857;         ///< multiplies peak_share at 8 bits
  double share_4bit = 0.714;         ///< multiplies peak_share at 4 bits
  double half_rows = 32.0;           ///< tokens at which a product runs at half of its rate
  double memory_share = 0.80;        ///< share of the memory bandwidth, for weights and activations
  double expert_peak_share = 0.7;    ///< multiplies peak_share for routed experts
  double expert_memory_share = 0.8;  ///< multiplies memory_share for weights of routed experts
  double half_expert = 16.0;         ///< rows that a routed expert with tokens leaves empty
  double skew = 2.0;                 ///< shape of the popularity of experts; the larger, the more uniform
};

struct ServingCache {
  double peak_share = 0.45;    ///< share of the 16-bit peak rate, for attention over a prompt
  double share_8bit = 0.778;   ///< multiplies peak_share at 8 bits, for a cache of 8 bits
  double memory_share = 0.80;  ///< share of the memory bandwidth, for keys and values
  double grouped = 0.08;       ///< additional cost for each query head beyond the first of a group
};

struct ServingLinks {
  double inside = 0.6;       ///< share of the link bandwidth within a node
  double across = 0.6;       ///< share of the bandwidth between nodes
  Seconds exchange{6.4e-6};  ///< launch and skew per step of an exchange, in addition to the link latency
};

struct ServingHost {
  Seconds layer{8e-6};               ///< per layer and step
  Seconds expert_layer{10e-6};       ///< additional time per layer with experts
  Seconds expert_layer_8bit{20e-6};  ///< further time per layer with experts of 8 bits: scales of blocks
  Seconds expert_layer_int4{5e-6};   ///< further time per layer with experts of 4-bit integers
  Seconds indexer_layer{15e-6};      ///< additional time per layer with an indexer
  Seconds step{1e-3};                ///< per step: scheduling, sampling, copies
  Seconds sequence{5e-6};            ///< per step and sequence
  Seconds prompt_launch{80e-6};  ///< to launch a layer on a prompt without a captured graph; overlaps with the device
};

struct ServingTraffic {
  double hidden = 40.0;         ///< element-wise bytes per token, hidden number and layer
  double hidden_expert = 40.0;  ///< the same of layers with experts, beside, for a quarter of the experts of a token
  double logit = 12.0;          ///< bytes per logit
};

struct ServingMemory {
  double cache_share = 0.93;  ///< share of the memory left by weights and buffers
  Bytes reserved{2.5e9};      ///< device context, libraries, captured graphs
};

/// Between a client and the engine.
struct ServingClient {
  Seconds fixed{25e-3};         ///< of a request: connections, parsing, one half on the way to the engine and back each
  Seconds token{1e-6};          ///< per token of a prompt on its way to the engine
  Seconds serial{0.3e-3};       ///< per request in a serial part of the front end
  Seconds handover{0.1};        ///< of a request between pools: a second server, registration of its cache, polls
  double first_token_lag{1.0};  ///< decode steps between the step of a prompt and its first token
};

struct ServingSoftware {
  ServingMatrix matrix;
  ServingCache cache;
  ServingLinks links;
  ServingHost host;
  ServingTraffic traffic;
  ServingMemory memory;
  ServingClient client;
  cost::ServingPower power;
};

/// Upper bounds of shares for all stacks.
inline constexpr double most_matrix_share = 0.9;
inline constexpr double most_memory_share = 0.95;
inline constexpr double most_attention_share = 0.8;
inline constexpr double most_link_share = 1.0;

/// Smooth minimum v / (1 + (v/b)^8)^(1/8) of a share v and its bound b.
[[nodiscard]] double bounded(double share, double bound);

}  // namespace dfsweep
