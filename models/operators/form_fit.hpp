/// Fits the numbers of a closed form to measured rows.
#pragma once

#include <span>

#include "models/operators/family.hpp"

namespace dfsweep::operators {

/// A measured row, with what its table shares.
struct FormRow {
  Keys keys{};
  double seconds = 0.0;
  const TableSetting* setting = nullptr;
  double weight = 1.0;  ///< of its error
};

/// How far the numbers may leave those that the fit begins with.
enum class Pull : std::uint8_t {
  weak,    ///< standard deviation of the logarithm 1.5: many rows
  strong,  ///< 0.35: a few rows
};

/// Minimises sum_i w_i 2 c^2 (sqrt(1 + (r_i / c)^2) - 1) + sum_k ((x_k - start_k) / spread)^2 over the logarithms x of
/// the numbers, with r_i = ln(form / measured), w_i the weights and c 0.1, by Levenberg-Marquardt steps. Numbers that
/// begin with 0 keep it. Source: [more1978] Deterministic. Pre: seconds > 0.
[[nodiscard]] Numbers fit_form(Family family, std::span<const FormRow> rows, const Numbers& start, Pull pull);

}  // namespace dfsweep::operators
