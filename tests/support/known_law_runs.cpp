/// The grids are those of the released runs; shapes, recipes and the law are made up.
#include "tests/support/known_law_runs.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <span>
#include <vector>

#include "models/statistics/random.hpp"

namespace dfsweep::testing {

using namespace law_fits;

namespace {

constexpr double tokens_of_sequence = 2048.0;

struct DenseShape {
  double hidden, ffn_hidden, layers;
  std::vector<double> tokens;
  [[nodiscard]] double parameters() const { return layers * (4.0 * hidden * hidden + 3.0 * hidden * ffn_hidden); }
};

const std::vector<DenseShape>& dense_shapes() {
  static const std::vector<DenseShape> shapes = {{1024, 2816, 12, {4e9, 1.14e10, 2e10, 1e11}},
                                                 {1280, 3456, 12, {5e9, 1.42e10, 2.5e10, 8e10}},
                                                 {1536, 4096, 14, {8e9, 2.27e10, 4e10, 5e10}},
                                                 {1792, 4864, 16, {1e10, 2.84e10, 5e10}},
                                                 {2048, 5632, 20, {2e10, 5.69e10}}};
  return shapes;
}

/// A model of 12 layers of width 1024, of which all but the first have experts and one that is always on.
struct ExpertRecipe {
  const char* name;
  double active, experts, width;
  static constexpr double hidden = 1024, ffn_hidden = 2816, layers = 12;
  [[nodiscard]] double with(double counted) const {
    return 4.0 * hidden * hidden * layers + 3.0 * hidden * ffn_hidden +
           (layers - 1.0) * 3.0 * hidden * width * (counted + active);
  }
  [[nodiscard]] double parameters() const { return with(experts); }
  [[nodiscard]] double activated() const { return with(active); }
  [[nodiscard]] double flops_per_token() const {
    return 6.0 * activated() + 12.0 * layers * hidden * tokens_of_sequence;
  }
};

constexpr ExpertRecipe recipes[] = {
    {"1in65", 1, 65, 352}, {"2in64", 2, 64, 352}, {"1in8", 1, 8, 2816}, {"3in8", 3, 8, 2816}};
constexpr double expert_tokens[] = {2e9, 4e9, 8e9, 2e10};
constexpr double dense_sequences[] = {32, 64, 128, 192, 256, 352, 512, 736, 1024, 2048};
constexpr double expert_sequences[] = {32, 64, 128, 256, 512};

struct Grid {
  int learning_rates;
  std::span<const double> sequences;
};
constexpr Grid dense_grid = {12, dense_sequences};
constexpr Grid expert_grid = {9, expert_sequences};

double noise_of(std::uint64_t run) {
  constexpr CounterRandom random(1);
  double sum = -6.0;
  for (std::uint64_t m = 0; m < 12; ++m) sum += random.uniform(12 * run + m);
  return sum;
}

void add_group(TrainingRuns& runs, std::uint32_t recipe, const TrainingScale& scale, const Grid& grid, double noise) {
  const LogPoint best = known_law().at(scale);
  const Hessian& h = known_hessian;
  for (int i = 0; i < grid.learning_rates; ++i)
    for (const double sequences : grid.sequences) {
      const double rate = std::exp2(-12.0 + 0.5 * i);
      const double u = std::log(rate) - best.x;
      const double v = std::log(sequences * tokens_of_sequence) - best.y;
      const double excess =
          0.5 * (h.xx * u * u + 2.0 * h.xy * u * v + h.yy * v * v) + (u > known_edge ? known_jump : 0.0);
      runs.loss.push_back(std::exp(known_floor(scale) + excess + noise * noise_of(runs.size())));
      runs.recipe.push_back(recipe);
      runs.parameters.push_back(scale.parameters);
      runs.activated_parameters.push_back(scale.activated_parameters);
      runs.train_tokens.push_back(scale.train_tokens);
      runs.flops_per_token.push_back(scale.flops_per_token);
      runs.learning_rate.push_back(rate);
      runs.batch_tokens.push_back(sequences * tokens_of_sequence);
    }
}

/// Cells that both tables have, of run `run`: lr, bs, ti, loss, smooth loss.
std::string common_cells(const TrainingRuns& runs, std::size_t run) {
  const double sequences = runs.batch_tokens[run] / tokens_of_sequence;
  const double unsmoothed = runs.loss[run] * (1.0 + 0.013 * noise_of(run + 1'000'000));
  return fmt::format("{:.17g},{},{},{:.6f},{:.17g}", runs.learning_rate[run], sequences,
                     std::round(runs.train_tokens[run] / runs.batch_tokens[run]), unsmoothed, runs.loss[run]);
}

void write_dense(std::ofstream out, const TrainingRuns& runs) {
  out << "h,ffnh,numh,numl,lr,bs,ti,loss,smooth loss,exp_name,D,N,D/N\n";
  for (std::size_t run = 0; run < runs.size(); ++run)
    for (const DenseShape& shape : dense_shapes())
      if (runs.recipe[run] == 0 && shape.parameters() == runs.parameters[run])
        out << fmt::format("{},{},{},{},{},run{},{},{},{:.17g}\n", shape.hidden, shape.ffn_hidden, shape.hidden / 64,
                           shape.layers, common_cells(runs, run), run, runs.train_tokens[run], runs.parameters[run],
                           runs.train_tokens[run] / runs.parameters[run]);
}

void write_experts(std::ofstream out, const TrainingRuns& runs) {
  out << "seq_len,topk,nume,moeh,sed,h,ffnh,numh,numl,lr,bs,ti,loss,smooth loss,average_iter_time,target_iter,"
         "final_iter,exp_name,moe_layer_enum_type,mfa_version,numld,Nattn,N,Na,M,kvcache,D,D/N,total_time,Na/N,"
         "moe_name\n";
  using R = ExpertRecipe;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    if (runs.recipe[run] == 0) continue;
    const R& recipe = recipes[runs.recipe[run] - 1];
    const double steps = std::round(runs.train_tokens[run] / runs.batch_tokens[run]);
    const double n = recipe.parameters(), na = recipe.activated(), d = runs.train_tokens[run];
    out << fmt::format("{},{},{},{},{},{},{},{},{},{},", tokens_of_sequence, recipe.active, recipe.experts,
                       recipe.width, recipe.active * recipe.width, R::hidden, R::ffn_hidden, R::hidden / 64, R::layers,
                       common_cells(runs, run))
        << fmt::format("0.5,-1,{},run{},1dense,mha,1,{},{},{},{},{},{},{:.17g},{},{:.17g},{}\n", steps - 1, run,
                       4.0 * R::hidden * R::hidden * R::layers, n, na, recipe.flops_per_token(),
                       2.0 * R::hidden * R::layers, d, d / n, 0.5 * steps, na / n, recipe.name);
  }
}

}  // namespace

ScalingLaw known_law() {
  return {{3.0, {-0.70, 0.0, 0.20, 0.0}}, {4.2, {0.0, -0.25, 0.58, 0.0}}};
}

double known_floor(const TrainingScale& scale) {
  return std::log(1.7 + std::exp(6.0 - 0.34 * std::log(scale.parameters)) +
                  std::exp(6.4 - 0.30 * std::log(scale.train_tokens)));
}

TrainingRuns known_law_runs(double noise) {
  TrainingRuns runs;
  runs.recipes = {{"dense", RunFamily::dense}};
  for (const DenseShape& shape : dense_shapes())
    for (const double tokens : shape.tokens) {
      const double flops = 6.0 * shape.parameters() + 12.0 * shape.layers * shape.hidden * tokens_of_sequence;
      add_group(runs, 0, {shape.parameters(), shape.parameters(), tokens, flops, 0.0}, dense_grid, noise);
    }
  for (const ExpertRecipe& recipe : recipes) {
    runs.recipes.push_back({recipe.name, RunFamily::moe});
    for (const double tokens : expert_tokens)
      add_group(runs, static_cast<std::uint32_t>(runs.recipes.size() - 1),
                {recipe.parameters(), recipe.activated(), tokens, recipe.flops_per_token(), 0.0}, expert_grid, noise);
  }
  return runs;
}

void write_known_law_runs(const std::filesystem::path& folder, double noise) {
  const TrainingRuns runs = known_law_runs(noise);
  write_dense(std::ofstream(folder / "dense.csv"), runs);
  write_experts(std::ofstream(folder / "moe.csv"), runs);
}

}  // namespace dfsweep::testing
