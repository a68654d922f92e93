#include "models/transformer/speculation.hpp"

#include <algorithm>
#include <cmath>

namespace dfsweep {

double exact_acceptance(double acceptance, double window) {
  double sum = 1.0;
  double power = 1.0;
  // A sum, because the quotient has no value at a = 1; windows are short.
  for (double i = 0; i < window; ++i) sum += power *= acceptance;
  return sum;
}

double linear_acceptance(double acceptance, double window) {
  return 1.0 + acceptance * window;
}

double tree_tokens(double window) {
  return std::exp2(window);
}

double drafted_from(double pass) {
  return std::max(1.0, std::exp2(pass - 2));
}

double branch_acceptance(double acceptance) {
  return 1.0 - (1.0 - acceptance) * (1.0 - acceptance);
}

double exact_tree_acceptance(double acceptance, double window) {
  if (window < 1) return 1.0;
  return 1.0 + acceptance * exact_acceptance(branch_acceptance(acceptance), window - 1);
}

double linear_tree_acceptance(double acceptance, double window) {
  if (window < 1) return 1.0;
  return 1.0 + acceptance + (window - 1) * branch_acceptance(acceptance);
}

double accepted_tokens(Speculation form, AcceptanceRule rule, double acceptance, double window) {
  const bool is_exact = rule == AcceptanceRule::exact;
  if (form == Speculation::tree)
    return is_exact ? exact_tree_acceptance(acceptance, window) : linear_tree_acceptance(acceptance, window);
  return is_exact ? exact_acceptance(acceptance, window) : linear_acceptance(acceptance, window);
}

double speculative_rate(const SpeculationWindow& window, double sequences) {
  return sequences * window.tokens / (window.draft + window.verification).value();
}

}  // namespace dfsweep
