#include "tests/support/steplaw_runs.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <numbers>
#include <stdexcept>

#include "io/csv.hpp"
#include "models/law_fits/intervals/bootstrap.hpp"

namespace dfsweep::testing {

using namespace law_fits;

namespace {

constexpr double sequence_length = 2048.0;

CsvReader open_csv(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + file);
  return {std::string(std::istreambuf_iterator<char>(in), {}), file};
}

std::size_t column(const CsvReader& reader, std::string_view name) {
  const auto header = reader.header();
  const auto found = std::find_if(header.begin(), header.end(), [&](const CsvCell& cell) { return cell.text == name; });
  if (found == header.end()) throw std::runtime_error(reader.file() + " has no column " + std::string(name));
  return static_cast<std::size_t>(found - header.begin());
}

double number(const CsvCell& cell) {
  double value = std::nan("");
  std::from_chars(cell.text.data(), cell.text.data() + cell.text.size(), value);
  return value;
}

std::uint32_t recipe_number(TrainingRuns& runs, std::string_view name, RunFamily family) {
  for (std::uint32_t i = 0; i < runs.recipes.size(); ++i)
    if (runs.recipes[i].name == name) return i;
  runs.recipes.push_back({std::string(name), family});
  return static_cast<std::uint32_t>(runs.recipes.size() - 1);
}

void add_dense(TrainingRuns& runs, const std::string& file) {
  CsvReader reader = open_csv(file);
  const std::size_t h = column(reader, "h"), ffnh = column(reader, "ffnh"), numl = column(reader, "numl");
  const std::size_t lr = column(reader, "lr"), bs = column(reader, "bs"), loss = column(reader, "smooth loss");
  const std::size_t parameters = column(reader, "N"), tokens = column(reader, "D");
  for (auto cells = reader.next(); !cells.empty(); cells = reader.next()) {
    const double width = number(cells[h]);
    runs.recipe.push_back(recipe_number(runs, "dense", RunFamily::dense));
    runs.parameters.push_back(number(cells[parameters]));
    runs.activated_parameters.push_back(number(cells[parameters]));
    runs.train_tokens.push_back(number(cells[tokens]));
    runs.flops_per_token.push_back(6.0 * number(cells[numl]) * width *
                                   (4.0 * width + 3.0 * number(cells[ffnh]) + 2.0 * sequence_length));
    runs.learning_rate.push_back(number(cells[lr]));
    runs.batch_tokens.push_back(number(cells[bs]) * sequence_length);
    runs.loss.push_back(number(cells[loss]));
  }
}

void add_moe(TrainingRuns& runs, const std::string& file) {
  CsvReader reader = open_csv(file);
  const std::size_t name = column(reader, "moe_name"), flops = column(reader, "M"), tokens = column(reader, "D");
  const std::size_t lr = column(reader, "lr"), bs = column(reader, "bs"), loss = column(reader, "smooth loss");
  const std::size_t parameters = column(reader, "N"), activated = column(reader, "Na");
  for (auto cells = reader.next(); !cells.empty(); cells = reader.next()) {
    runs.recipe.push_back(recipe_number(runs, cells[name].text, RunFamily::moe));
    runs.parameters.push_back(number(cells[parameters]));
    runs.activated_parameters.push_back(number(cells[activated]));
    runs.train_tokens.push_back(number(cells[tokens]));
    runs.flops_per_token.push_back(number(cells[flops]));
    runs.learning_rate.push_back(number(cells[lr]));
    runs.batch_tokens.push_back(number(cells[bs]) * sequence_length);
    runs.loss.push_back(number(cells[loss]));
  }
}

}  // namespace

TrainingRuns released_dense_runs(const std::string& folder) {
  TrainingRuns runs;
  add_dense(runs, folder + "/dense_lr_bs_loss.csv");
  return runs;
}

TrainingRuns released_runs(const std::string& folder) {
  TrainingRuns runs = released_dense_runs(folder);
  add_moe(runs, folder + "/moe_lr_bs_loss.csv");
  return runs;
}

TrainingRuns synthetic_runs(std::uint64_t seed, std::size_t groups) {
  constexpr std::size_t runs_of_group = 120;
  const CounterRandom random(seed);
  const double ln2 = std::numbers::ln2;
  TrainingRuns runs;
  runs.recipes = {{"synthetic", RunFamily::dense}};
  for (std::size_t g = 0; g < groups; ++g) {
    const double ln_parameters = std::log(2e8) + random.uniform(4 * g) * std::log(5.0);
    const double ln_tokens = std::log(4e9) + random.uniform(4 * g + 1) * std::log(25.0);
    const double ln_activated = ln_parameters - 2.0 * ln2 * random.uniform(4 * g + 2);
    const double best_x = 2.3 - 0.68 * ln_parameters + 0.21 * ln_tokens;
    const double best_y = 4.3 - 0.25 * ln_activated + 0.575 * ln_tokens;
    const double floor = std::log(1.7 + std::exp(6.0 - 0.34 * ln_parameters) + std::exp(6.4 - 0.30 * ln_tokens));
    for (std::size_t i = 0; i < runs_of_group; ++i) {
      const double x = ln2 * (-12.0 + 0.5 * static_cast<double>(i / 10));
      const double y = std::log(2048.0) + ln2 * (4.5 + 0.75 * static_cast<double>(i % 10));
      double noise = -6.0;
      for (std::size_t m = 0; m < 12; ++m)
        noise += random.uniform((std::uint64_t{1} << 40) + 12 * (runs_of_group * g + i) + m);
      const double u = x - best_x;
      const double v = y - best_y;
      const double t = floor + 0.5 * 0.0115 * u * u - 0.0045 * u * v + 0.5 * 0.0115 * v * v + 6e-4 * noise;
      runs.recipe.push_back(0);
      runs.parameters.push_back(std::exp(ln_parameters));
      runs.activated_parameters.push_back(std::exp(ln_activated));
      runs.train_tokens.push_back(std::exp(ln_tokens));
      runs.flops_per_token.push_back(6.0 * std::exp(ln_activated));
      runs.learning_rate.push_back(std::exp(x));
      runs.batch_tokens.push_back(std::exp(y));
      runs.loss.push_back(std::exp(t));
    }
  }
  return runs;
}

TrainingRuns exact_runs(const ExactGroups& groups) {
  constexpr int across = 9;
  TrainingRuns runs;
  runs.recipes = {{"dense", RunFamily::dense}};
  for (const TrainingScale& scale : groups.scales) {
    const LogPoint best = groups.law.at(scale);
    for (int i = 0; i < across * across; ++i) {
      const double u = groups.step * (i / across - across / 2 + 0.5);
      const double v = groups.step * (i % across - across / 2 + 0.5);
      const Hessian& h = groups.hessian;
      runs.recipe.push_back(0);
      runs.parameters.push_back(scale.parameters);
      runs.activated_parameters.push_back(scale.activated_parameters);
      runs.train_tokens.push_back(scale.train_tokens);
      runs.flops_per_token.push_back(scale.flops_per_token);
      runs.learning_rate.push_back(std::exp(best.x + u));
      runs.batch_tokens.push_back(std::exp(best.y + v));
      runs.loss.push_back(std::exp(1.0 + 0.5 * (h.xx * u * u + 2.0 * h.xy * u * v + h.yy * v * v)));
    }
  }
  return runs;
}

std::vector<TrainingScale> nine_scales() {
  std::vector<TrainingScale> scales;
  for (const double parameters : {1e8, 4e8, 1.5e9})
    for (const double tokens : {2e9, 1.1e10, 7e10}) {
      const double activated = parameters / (1.0 + static_cast<double>(scales.size() * scales.size() % 5));
      scales.push_back({parameters, activated, tokens, 6.0 * activated, 0.0});
    }
  return scales;
}

}  // namespace dfsweep::testing
