/// Costs: what a step of one replica takes for each token, sequence and position, and once; the parts that no batch
/// changes.
/// Source: docs/models/serving.md, a step.
#pragma once

#include <cstdint>

#include "models/kernels/serving_software.hpp"
#include "models/lanes.hpp"
#include "models/machine/accelerator.hpp"
#include "models/machine/network.hpp"
#include "models/serving/step/step_prices.hpp"
#include "models/transformer/served.hpp"
#include "models/units.hpp"

namespace dfsweep::serving {

/// Bytes of a number.
struct NumberBytes {
  double weight = 2.0;      ///< of feed-forward networks and experts, with its share of block scales
  double attention = 2.0;   ///< of a weight of attention
  double activation = 2.0;  ///< on the wire
  double cache = 2.0;
};

/// What the weights of experts are, of which some take longer in every layer of experts.
enum class ExpertWeights : std::uint8_t {
  plain,
  bits8,     ///< with scales of blocks
  integers4  ///< 4-bit integers, which are expanded before a product
};

/// A replica: a model on tensor x attention_data x pipeline devices.
///
/// Matrices of attention and of dense networks are cut over the `tensor` devices of a rank and copied to the
/// `attention_data` ranks, of which each has sequences of its own. Experts are on all tensor x attention_data devices:
/// dealt out over `expert` groups of them, and cut over the devices of a group.
struct Replica {
  Served model;
  Accelerator accelerator;
  Network network;
  ServingSoftware efficiency;
  MatrixFormat products = MatrixFormat::bits16;            ///< of networks and experts, a format of the accelerator
  MatrixFormat attention_products = MatrixFormat::bits16;  ///< of the matrices of attention, likewise
  ExpertWeights expert_weights = ExpertWeights::plain;
  NumberBytes bytes;
  double tensor = 1.0;
  double attention_data = 1.0;
  double expert = 1.0;  ///< divides tensor attention_data; 1: each expert is cut over all devices
  double pipeline = 1.0;
};

/// Weight matrices that a step reads once and multiplies with all of its tokens.
struct Products {
  Seconds token;    ///< arithmetic of one token, at the full rate
  Seconds weights;  ///< reading all of them
};

/// How many experts the tokens of a step touch, and what they cost beside their tokens.
struct ExpertTouch {
  double count = 0.0;             ///< E, experts of a layer; 0: no experts
  double per_token = 0.0;         ///< k
  double skew = 0.0;              ///< s, the shape of the gamma distribution of the popularity of experts
  double groups = 1.0;            ///< e, over which experts are dealt out
  double visited = 0.0;           ///< k/E
  double visited_by_skew = 0.0;   ///< k/(E s); 0 without skew
  double visited_of_group = 0.0;  ///< k e/E: share of a group that a token touches at most
  double variance = 0.0;          ///< 2 ln e e/E: of the share that the fullest group touches, beside u (1 - u)
  double empty_rows = 0.0;        ///< rows that experts leave empty where all are touched, as tokens: half_expert E/k
};
/// `half_rows`: that an expert leaves empty. Pre: count >= 1.
[[nodiscard]] ExpertTouch touch_of(double count, double per_token, double skew, double half_rows, double groups);

/// All layers of the model, one stage; a device's share of each.
struct Costs {
  double tensor = 1.0;
  double pipeline = 1.0;
  double ranks = 1.0;            ///< of attention; each has sequences of its own
  double window = 0.0;           ///< as Served
  double windowed_layers = 0.0;  ///< as Served
  double half_rows = 0.0;
  Products attention;
  Products dense;
  Products experts;  ///< of all experts; `token` counts those that a token visits
  ExpertTouch touch;
  Seconds pair;              ///< attention of a prompt's token over one position, arithmetic
  Seconds position;          ///< reading keys and values of one position for one sequence
  Seconds decode_pair;       ///< attention of a decoded token over one position, arithmetic
  Seconds index_pair;        ///< as pair, of an indexer, which looks at positions that attention does not read, too
  Seconds index_position;    ///< as position, of an indexer
  Seconds state;             ///< reading and writing the states of linear attention of one sequence
  Seconds activations;       ///< element-wise traffic of a token
  Products output;           ///< the output layer, in 16 bits
  Seconds logits;            ///< logits of a sequence
  Seconds exchange;          ///< bytes of a rank's token on the wire: in its tensor group, to experts, to next stages
  Seconds exchange_step;     ///< latencies of a step
  Seconds host;              ///< of a step
  Seconds host_sequence;     ///< of a step for each sequence
  Seconds prompt_launch;     ///< launches of a step that handles prompts, which hide behind the device
  double flop_token = 0.0;   ///< FLOP of a token without attention and output layer, all devices
  double flop_output = 0.0;  ///< of a token in the output layer, all devices
  double flop_pair = 0.0;    ///< FLOP of a token over one position, all devices
  Throughput peak;           ///< of the products' format, all devices of the replica
  const StepPrices* prices = nullptr;  ///< from measured tables, instead of the closed forms; null where none are given
};

/// Whether a part of the step has its time from measured tables.
[[nodiscard]] inline bool is_priced(const Costs& costs, StepPart part) {
  return costs.prices != nullptr && costs.prices->has(part);
}

/// Shares of peak rates and bandwidths are bounded (`bounded`). t: tensor, n: tensor attention_data, P: weights, w:
/// bytes of one, H: heads, L: layers.
///
///     products     token 2 P / (t peak share), weights P w / (t bandwidth share); experts over n instead of t, and k/E
///                  of the arithmetic
///     pair         2 H (dk + dv) layers / (t peak share), windows cut it elsewhere
///     decode_pair  the same; latent attention 2 H (2 rank + rotary) layers / (t peak share): absorbed projections
///     position     cache bytes of a token and device (1 + grouped (q - 1)) / (bandwidth share)
///     index_*      2 Hi di layers / (peak share) and di bytes a layer / (bandwidth share): every device has all of it
///     state        2 (read and written) numbers 2 bytes / (t bandwidth share)
///     activations  L h hidden bytes, and in layers of experts k/4 h hidden_expert bytes, / (bandwidth share)
///     exchange     of each all-reduce 2 h (t-1)/t activation bytes / ring bandwidth: two a layer; one where experts
///                  follow and there are several ranks, whose tokens take two exchanges over all n devices instead:
///                  2 h (n-1)/n min(k, n)/t bytes of a rank's token; p - 1 transfers of h/t
///     host         layers, experts' layers, indexers, and p times a step's own time: every stage is scheduled
///
/// With `prices`, which must outlive the costs, exchange is without all-reduces that these have, and the time of layers
/// and experts' layers in host is without the launches of kernels that are inside of measured times, at least 0.
[[nodiscard]] Costs costs_of(const Replica& replica, const StepPrices* prices = nullptr);

/// `positions` that `tokens` tokens have before them in all, of which windowed layers read no more than w of each.
template <class Number>
[[nodiscard]] inline Number within_window(const Costs& costs, const Number& positions, const Number& tokens) {
  if (costs.windowed_layers == 0.0) return positions;
  return positions + costs.windowed_layers * (lesser(positions, costs.window * tokens) - positions);
}

/// Bytes that the caches of all layers hold of one token, on the fullest device of a rank: ceil(K/t) of the K heads of
/// keys; latent vectors and the keys of an indexer are copied to all.
[[nodiscard]] Bytes cache_of_token(const Replica& replica);

/// Bytes that the states of linear attention of one sequence take on a device.
[[nodiscard]] Bytes state_of_sequence(const Replica& replica);

}  // namespace dfsweep::serving
