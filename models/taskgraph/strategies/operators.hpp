/// Operators: the steps of a layer between its products: norms, aggregation, activations and residuals.
#pragma once

#include <cstdint>

#include "models/taskgraph/strategies/convention.hpp"

namespace dfsweep::taskgraph {

/// How finely a layer is divided.
enum class Nodes : std::uint8_t {
  tasks,      ///< products, attention and exchanges
  operators,  ///< these, and the operators between them
};

/// Numbers that each operator of one block of a layer reads and writes on one device. For n rows of width h:
///
///     norm 2 n h;  residual 3 n h;  activation (g + 1) n f of a device;  aggregation 3 S (p-1)/p
///
/// with S the numbers that p devices add up after an exchange. They compute little, so memory bounds them.
/// Source: docs/models/taskgraph.md, operators.
struct OperatorWork {
  double norm = 0.0;
  double activation = 0.0;  ///< 0 in attention, whose softmax belongs to its kernel
  double aggregation = 0.0;
  double residual = 0.0;
  [[nodiscard]] constexpr double words() const { return norm + activation + aggregation + residual; }
};

[[nodiscard]] OperatorWork attention_operators(const Transformer& model, const AttentionWork& work);
[[nodiscard]] OperatorWork ffn_operators(const Transformer& model, const FfnWork& work);

/// Time of `words` numbers read and written; tables do not cover it.
[[nodiscard]] Seconds operator_time(double words, const DeviceRates& device);

}  // namespace dfsweep::taskgraph
