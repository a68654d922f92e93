#include "models/laws/law.hpp"

#include <algorithm>

#include "models/absent.hpp"

namespace dfsweep {

namespace {

using F = LawFeature;
constexpr LawForm forms[] = {
    {"step", {F::parameters, F::tokens}, {F::tokens}},
    {"step_full", {F::parameters, F::tokens}, {F::parameters, F::tokens}},
    {"compute", {F::compute}, {F::compute}},
    {"params_only", {F::parameters}, {F::parameters}},
    {"step_Na", {F::activated, F::tokens}, {F::tokens}},
    {"unified", {F::parameters, F::tokens}, {F::activated, F::tokens}},
};

/// ln of a quantity, NaN where it is unknown or has no logarithm.
double ln(double value) {
  return value > 0.0 ? std::log(value) : absent;
}

/// Mean of the 1000 released parameter sets to six decimals: lr = 1.797 N^-0.713 D^0.307, B = 0.581 D^0.571.
/// Source: [steplaw] Eq. (1), whose constants these means are.
LogPoint step_law_mean(double parameters, double train_tokens) {
  return {0.586308 - 0.712922 * ln(parameters) + 0.307491 * ln(train_tokens), -0.543542 + 0.570944 * ln(train_tokens)};
}

/// Source: [steplaw] Eq. (1).
LogPoint published_mean(const TrainingScale& scale) {
  return step_law_mean(scale.parameters, scale.train_tokens);
}

/// The same law with Na in place of N, which is not published. Source: [steplaw] Eq. (1).
LogPoint published_mean_of_activated(const TrainingScale& scale) {
  return step_law_mean(scale.activated_parameters, scale.train_tokens);
}

/// lr = 1.79 N^-0.713 D^0.307, B = 0.58 D^0.571. Source: [steplaw] Eq. (1).
LogPoint published_rounded(const TrainingScale& scale) {
  return {std::log(1.79) - 0.713 * ln(scale.parameters) + 0.307 * ln(scale.train_tokens),
          std::log(0.58) + 0.571 * ln(scale.train_tokens)};
}

/// lr = 0.3118 C^-0.1250, B = 0.2920 C^0.3271, C = M D. Source: [deepseek] Eq. (1).
LogPoint deepseek(const TrainingScale& scale) {
  const double ln_compute = ln(scale.flops_per_token * scale.train_tokens);
  return {std::log(0.3118) - 0.1250 * ln_compute, std::log(0.2920) + 0.3271 * ln_compute};
}

/// lr = 0.0047 (N / 1.08e8)^-0.36 = 3.7 N^-0.36, B = 160 sequences (N / 1.08e8)^0.703 = 0.7576 N^0.703 tokens.
/// Source: [porian], fitted optimal batch size and learning rate.
LogPoint porian(const TrainingScale& scale) {
  const double ln_parameters = ln(scale.parameters);
  return {std::log(3.7) - 0.36 * ln_parameters, std::log(0.7576) + 0.703 * ln_parameters};
}

/// lr = 0.003239 - 0.0001395 ln N, not positive above 1.2e10 parameters; B = 2e8 L^(-1/0.21).
/// Source: [kaplan] Appendix D.6 for the learning rate, Section 5.1 for the critical batch.
LogPoint openai(const TrainingScale& scale) {
  return {ln(0.003239 - 0.0001395 * ln(scale.parameters)), std::log(2e8) - ln(scale.loss) / 0.21};
}

/// B = 1.21e9 / L^6.24; its learning rate belongs to another parametrisation, so the learning rate of the step law is
/// used.
/// Source: [minicpm], optimal batch size.
LogPoint minicpm(const TrainingScale& scale) {
  return {published_mean(scale).x, std::log(1.21e9) - 6.24 * ln(scale.loss)};
}

constexpr PublishedLaw published[] = {
    {"published_mean", "lr = 1.797 N^-0.7129 D^0.3075; B = 0.5807 D^0.5709",
     "arXiv 2503.04715, released parameter sets", published_mean},
    {"published_rounded", "lr = 1.79 N^-0.713 D^0.307; B = 0.58 D^0.571", "arXiv 2503.04715", published_rounded},
    {"published_mean_N=Na", "published_mean with activated parameters", "arXiv 2503.04715, released parameter sets",
     published_mean_of_activated},
    {"openai", "lr = 0.003239 - 0.0001395 ln N; B = 2e8 L^(-1/0.21)", "arXiv 2001.08361", openai},
    {"deepseek", "lr = 0.3118 C^-0.1250; B = 0.2920 C^0.3271", "arXiv 2401.02954", deepseek},
    {"porian", "lr = 3.7 N^-0.36; B = 0.7576 N^0.703", "arXiv 2406.19146", porian},
    {"minicpm_B_with_steplaw_lr", "B = 1.21e9 / L^6.24, lr of published_mean", "arXiv 2404.06395", minicpm},
};

template <typename Range>
auto find_named(const Range& range, std::string_view name) -> decltype(std::data(range)) {
  const auto found =
      std::find_if(std::begin(range), std::end(range), [&](const auto& each) { return each.name == name; });
  return found == std::end(range) ? nullptr : &*found;
}

}  // namespace

std::array<double, law_feature_count> features_of(const TrainingScale& scale) {
  return {ln(scale.parameters), ln(scale.activated_parameters), ln(scale.train_tokens),
          ln(scale.flops_per_token * scale.train_tokens)};
}

std::span<const LawForm> law_forms() {
  return forms;
}

const LawForm* find_law_form(std::string_view name) {
  return find_named(forms, name);
}

std::span<const PublishedLaw> published_laws() {
  return published;
}

const PublishedLaw* find_published_law(std::string_view name) {
  return find_named(published, name);
}

}  // namespace dfsweep
