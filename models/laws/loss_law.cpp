#include "models/laws/loss_law.hpp"

namespace dfsweep {

LossPoint compute_optimum(const LossLaw& law, double flops) {
  const double exponents = law.alpha + law.beta;
  const double ln_flops = std::log(flops / 6.0);
  const double ln_n = (std::log(law.alpha / law.beta) + law.ln_a - law.ln_b + law.beta * ln_flops) / exponents;
  const double parameters = std::exp(ln_n);
  const double train_tokens = std::exp(ln_flops - ln_n);
  return {parameters, train_tokens, law.at(parameters, train_tokens)};
}

}  // namespace dfsweep
