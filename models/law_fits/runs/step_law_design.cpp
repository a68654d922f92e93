#include "models/law_fits/runs/step_law_design.hpp"

#include <cmath>
#include <span>

namespace dfsweep::law_fits {

namespace {

constexpr double sequence_length = 2048.0;

constexpr double usual[] = {32, 64, 128, 192, 256, 352, 512, 736, 1024, 2048};  // sequences per step
constexpr double from_16[] = {16, 24, 32, 64, 96, 128, 192, 256, 512, 1024};
constexpr double from_16_to_352[] = {16, 32, 64, 96, 128, 192, 256, 352, 512, 1024};
constexpr double with_96[] = {32, 64, 96, 128, 192, 256, 352, 512, 1024, 2048};
constexpr double of_moe[] = {32, 64, 128, 256, 512};

struct DesignGroup {
  std::uint32_t recipe = 0;
  double parameters = 0.0;
  double activated = 0.0;
  double train_tokens = 0.0;
  double least_rate = 0.0;  ///< smallest learning rate of a grid with factor sqrt(2)
  int rates = 0;
  std::span<const double> batches;
};

constexpr DesignGroup design[] = {
    {0, 214663680, 214663680, 4e9, 4.883e-4, 12, usual},
    {0, 214663680, 214663680, 1.14e10, 4.883e-4, 12, usual},
    {0, 214663680, 214663680, 2e10, 4.883e-4, 12, from_16},
    {0, 214663680, 214663680, 1e11, 2.441e-4, 12, usual},
    {0, 268304384, 268304384, 5e9, 4.883e-4, 12, usual},
    {0, 268304384, 268304384, 1.42e10, 4.883e-4, 12, usual},
    {0, 268304384, 268304384, 2.5e10, 4.883e-4, 12, from_16_to_352},
    {0, 268304384, 268304384, 8e10, 2.441e-4, 12, usual},
    {0, 429260800, 429260800, 8e9, 3.453e-4, 12, usual},
    {0, 429260800, 429260800, 2.27e10, 3.453e-4, 12, with_96},
    {0, 429260800, 429260800, 4e10, 4.883e-4, 11, with_96},
    {0, 429260800, 429260800, 5e10, 2.441e-4, 12, usual},
    {0, 536872960, 536872960, 1e10, 3.453e-4, 12, usual},
    {0, 536872960, 536872960, 2.84e10, 3.453e-4, 12, usual},
    {0, 536872960, 536872960, 5e10, 3.453e-4, 12, usual},
    {0, 1073741824, 1073741824, 2e10, 2.441e-4, 12, usual},
    {0, 1073741824, 1073741824, 5.69e10, 4.883e-4, 5, usual},
    {1, 2150612992, 187973632, 2e9, 1.726e-4, 9, of_moe},
    {1, 2150612992, 187973632, 4e9, 1.726e-4, 9, of_moe},
    {1, 2150612992, 187973632, 8e9, 1.726e-4, 9, of_moe},
    {1, 2150612992, 187973632, 2e10, 1.726e-4, 9, of_moe},
    {2, 2150612992, 232579072, 2e9, 1.726e-4, 9, of_moe},
    {2, 2150612992, 232579072, 4e9, 1.726e-4, 9, of_moe},
    {2, 2150612992, 232579072, 8e9, 1.726e-4, 9, of_moe},
    {2, 2150612992, 232579072, 2e10, 1.726e-4, 9, of_moe},
    {3, 2155174912, 590436352, 2e9, 1.726e-4, 9, of_moe},
    {3, 2155174912, 590436352, 4e9, 1.726e-4, 9, of_moe},
    {3, 2155174912, 590436352, 8e9, 1.726e-4, 9, of_moe},
    {3, 2155174912, 590436352, 2e10, 1.726e-4, 9, of_moe},
    {4, 2156188672, 1241270272, 2e9, 1.726e-4, 9, of_moe},
    {4, 2156188672, 1241270272, 4e9, 1.726e-4, 9, of_moe},
    {4, 2156188672, 1241270272, 8e9, 1.726e-4, 9, of_moe},
    {4, 2156188672, 1241270272, 2e10, 1.726e-4, 9, of_moe},
};

}  // namespace

GroupedRuns step_law_design() {
  TrainingRuns runs;
  runs.recipes = {{"dense", RunFamily::dense},
                  {"1in89", RunFamily::moe},
                  {"2in88", RunFamily::moe},
                  {"1in8", RunFamily::moe},
                  {"3in8", RunFamily::moe}};
  for (const DesignGroup& group : design) {
    for (int i = 0; i < group.rates; ++i) {
      for (const double sequences : group.batches) {
        runs.recipe.push_back(group.recipe);
        runs.parameters.push_back(group.parameters);
        runs.activated_parameters.push_back(group.activated);
        runs.train_tokens.push_back(group.train_tokens);
        runs.flops_per_token.push_back(6.0 * group.activated);
        runs.learning_rate.push_back(group.least_rate * std::pow(2.0, 0.5 * i));
        runs.batch_tokens.push_back(sequences * sequence_length);
        runs.loss.push_back(1.0);
      }
    }
  }
  return group_runs(runs);
}

}  // namespace dfsweep::law_fits
