/// Costs: what a step of one replica takes for each token, sequence and position, and once; the parts that no batch
/// changes.
/// Source: docs/models/serving.md, a step.
#pragma once

#include <cstdint>

#include "models/kernels/serving_software.hpp"
#include "models/machine/accelerator.hpp"
#include "models/machine/network.hpp"
#include "models/transformer/served.hpp"
#include "models/units.hpp"

namespace dfsweep::serving {

/// How attention is spread over the devices of a tensor group.
enum class AttentionParallel : std::uint8_t {
  tensor,  ///< heads are shared out
  data,    ///< sequences are; its weights are on every device, and feed-forward layers exchange tokens
};

/// Bytes of a number.
struct NumberBytes {
  double weight = 2.0;      ///< with its share of block scales
  double activation = 2.0;  ///< on the wire
  double cache = 2.0;
};

/// A replica: a model on tensor x pipeline devices.
struct Replica {
  Served model;
  Accelerator accelerator;
  Network network;
  ServingSoftware efficiency;
  MatrixFormat products = MatrixFormat::bits16;  ///< of formats that the accelerator has
  NumberBytes bytes;
  double tensor = 1.0;
  double pipeline = 1.0;
  AttentionParallel attention = AttentionParallel::tensor;
};

/// Weight matrices that a step reads once and multiplies with all of its tokens.
struct Products {
  Seconds token;    ///< arithmetic of one token, at the full rate
  Seconds weights;  ///< reading all of them
};

/// All layers of the model, group of one stage; a device's share of each.
struct Costs {
  double tensor = 1.0;
  double pipeline = 1.0;
  double attention_devices = 1.0;  ///< over which sequences are spread
  double window = 0.0;             ///< as Served
  double windowed_layers = 0.0;    ///< as Served
  double half_rows = 0.0;
  Products attention;
  Products dense;
  Products experts;                 ///< of all experts; `token` counts those that a token visits
  double log_experts_missed = 0.0;  ///< log2(1 - k/E), of the probability to miss an expert; 0: no experts
  Seconds pair;                     ///< attention of a token over one position, arithmetic
  Seconds position;                 ///< reading keys and values of one position for one sequence
  Seconds activations;              ///< element-wise traffic of a token
  Products output;                  ///< the output layer, in 16 bits
  Seconds logits;                   ///< logits of a sequence
  Seconds exchange;                 ///< bytes of a token on the wire
  Seconds exchange_step;            ///< latencies of a step
  Seconds host;                     ///< of a step
  Seconds host_sequence;            ///< of a step for each sequence
  Seconds prompt_launch;            ///< launches of a step that handles prompts, which hide behind the device
  double flop_token = 0.0;          ///< FLOP of a token without attention and output layer, all devices
  double flop_output = 0.0;         ///< of a token in the output layer, all devices
  double flop_pair = 0.0;           ///< FLOP of a token over one position, all devices
  Throughput peak;                  ///< of the products' format, all devices of the replica
};

/// Shares of peak rates and bandwidths are bounded (`bounded`). t: tensor, P: weights, w: bytes of one.
///
///     products     token 2 P / (t peak share), weights P w / (t bandwidth share); experts: k/E of the arithmetic
///     pair         4 (dk + dv)/2 heads layers / (t peak share), windows cut it elsewhere
///     position     cache bytes of a token and device (1 + grouped (q - 1)) / (bandwidth share)
///     exchange     2 all-reduces a layer: 4 h (t-1)/t activation bytes / ring bandwidth; with attention spread by
///                  sequences 2 exchanges a layer: with experts 2 h (t-1)/t min(k, t)/t, without 2 h (t-1)/t (tokens
///                  are gathered, sums scattered); p - 1 transfers of h/t
///     host         layers, experts' layers, and p times a step's own time: every stage is scheduled
[[nodiscard]] Costs costs_of(const Replica& replica);

/// Bytes that the caches of all layers hold of one token, on the fullest device of the group: ceil(K/t) of the K heads
/// of keys; latent vectors are copied to all.
[[nodiscard]] Bytes cache_of_token(const Replica& replica);

}  // namespace dfsweep::serving
