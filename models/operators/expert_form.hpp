/// The closed form of routed experts on the fullest device of an expert group.
///
/// Fitted to measured tables: docs/measured-operators.md.
#pragma once

#include "models/measured_tables/operator_work.hpp"
#include "models/units.hpp"

namespace dfsweep::operators {

/// The routed experts of a layer, divided among devices.
struct ExpertShape {
  double tokens = 1.0;  ///< of the whole expert group
  double hidden = 4096.0;
  double inner = 1536.0;  ///< width of a whole expert
  double experts_per_token = 8.0;
  double experts = 128.0;        ///< of the whole layer
  double tensor_parallel = 1.0;  ///< devices that divide an expert
  double expert_parallel = 1.0;  ///< devices that divide the experts
  double unevenness = 0.0;       ///< exponent of the power law of the routing; 0: balanced
  double products = 3.0;         ///< of an expert: 3 gated, 2 else
  double activation_bytes = 2.0;
  double weight_bytes = 2.0;
};

struct ExpertNumbers {
  double share = 0.39;         ///< of the peak rate
  double half_rows = 39.0;     ///< rows of an expert at which half of it is reached
  double memory_share = 0.84;  ///< of the memory bandwidth
  double launch = 42e-6;       ///< s: permutation, grouped products, activation
  double moved = 18.0;         ///< bytes for each number of a routed row
  double gathered = 2.0;       ///< bytes for each number of a token, wherever it is routed
  double uneven = 0.57;        ///< how much fuller the fullest device is for an exponent of 1
};

/// Rows of the device when routing is balanced: tokens experts_per_token / expert_parallel.
[[nodiscard]] double balanced_rows(const ExpertShape& shape);
/// Rows of the fullest device when routing is balanced, which has one at least: sqrt(rows^2 + 1).
[[nodiscard]] double fullest_rows(const ExpertShape& shape);
/// Experts of the fullest device that get a row, of h = experts / expert_parallel: min(h, rows) when routing is
/// balanced, h (1 - (1 - 1/h)^rows) when it is drawn at random.
[[nodiscard]] double visited_experts(const ExpertShape& shape);
/// FLOP of the balanced rows; bytes of visited weights and of the rows.
[[nodiscard]] OperatorWork expert_work(const ExpertShape& shape);

/// launch + sqrt(compute^2 + traffic^2) + (moved rows fill + gathered tokens) hidden / bandwidth with
///
///     compute = 2 P (rows fill + half_rows visited) / (peak share)    P: numbers of an expert on the device
///     traffic = P visited w / (bandwidth memory_share)
///     fill    = (1 + uneven a) (1 + uneven a ln(expert_parallel))     a: exponent of the power law
///
/// Continuous; never faster with more tokens, width, experts per token or unevenness above 0; never slower with higher
/// rates.
/// Source: docs/measured-operators.md, closed forms.
[[nodiscard]] Seconds expert_time(const ExpertShape& shape, const DeviceRates& rates, const ExpertNumbers& numbers);

}  // namespace dfsweep::operators
