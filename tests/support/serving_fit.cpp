#include "tests/support/serving_fit.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <tuple>

#include "engine/catalogue/catalogue.hpp"
#include "models/calibration/fit.hpp"
#include "models/kernels/software_table.hpp"
#include "models/serving/measured/load_reading.hpp"

namespace dfsweep::testing {

namespace {

using serving::Metric;
using serving::Queueing;

constexpr double token_scale = 0.12;  // c of token times
constexpr double first_scale = 0.3;   // c of first tokens
constexpr double first_weight = 0.45;
constexpr double unloaded_weight = 0.1;  // of batches and queues, whose stacks are older
constexpr double most_fitted_users = 300;
constexpr double crowding = 0.35;  // n rows of a kind have the weight n^-crowding each
constexpr std::size_t engine_count = std::size(serving_engines);
constexpr int steps_of_round = 4;

std::size_t engine_of(const MeasuredRow& row) {
  const std::string_view name = serving::engine_of_framework(row.text("framework"));
  return static_cast<std::size_t>(std::find(std::begin(serving_engines), std::end(serving_engines), name) -
                                  std::begin(serving_engines));
}

/// Batches and queues have no column for the engine: the source says it.
std::size_t engine_of_source(const MeasuredRow& row) {
  const std::string_view source = row.text("source");
  if (source.starts_with("amd-vllm") || source.starts_with("oracle")) return 0;
  if (source.starts_with("sglang")) return 1;
  return 2;
}

/// Known degrees, figures that do not contradict each other, no speculation that shows.
bool is_sound(const MeasuredRow& row) {
  return row.text("degrees_known") != "no" && row.text("consistent") == "yes" && row.text("speculation") != "suspected";
}

bool is_core(const MeasuredRow& row) {
  return is_sound(row) && row.text("disaggregated") != "yes" &&
         (row.text("model") != "deepseek-v3" || row.text("speculation").starts_with("none"));
}

bool is_sound_pool(const MeasuredRow& row) {
  return is_sound(row) && row.text("disaggregated") == "yes" && row.text("source") == "inferencex";
}

std::string joined(const MeasuredRow& row, std::initializer_list<std::string_view> columns) {
  std::string all;
  for (const std::string_view column : columns) all.append(row.text(column)).append("/");
  return all;
}

ServingFitRow loaded_row(const ServingRow& row) {
  const MeasuredRow& cells = row.measured;
  ServingFitRow made{.row = &row, .is_loaded = true, .engine = engine_of(cells)};
  made.measured = {cells.number_or("time_to_first_token_s", absent),
                   cells.number_or("time_per_output_token_s", absent)};
  const bool is_core_row = is_core(cells);
  const bool is_known_client = cells.text("source") == "inferencex";
  const bool is_used = is_core_row && cells.number_or("concurrency", 0) <= most_fitted_users;
  made.weights = {is_used && is_known_client ? first_weight : 0.0, is_used ? 1.0 : 0.0};
  made.is_scored = is_core_row && is_known_client;
  made.is_pool = is_sound_pool(cells);
  made.configuration = joined(cells, {"system", "model", "framework", "weight_precision", "devices", "tensor_parallel",
                                      "attention_data_parallel", "expert_parallel"});
  return made;
}

ServingFitRow unloaded_row(const ServingRow& row) {
  const MeasuredRow& cells = row.measured;
  ServingFitRow made{.row = &row, .engine = engine_of_source(cells)};
  const bool is_first = cells.text("output_tokens") == "1";
  if (is_first)
    made.measured.first_token = cells.number_or("ttft_s", absent);
  else
    made.measured.output_token = 1 / cells.number_or("throughput_per_device", absent);
  made.weights = {is_first ? unloaded_weight : 0.0, is_first ? 0.0 : unloaded_weight};
  made.configuration = joined(cells, {"accelerator", "model", "source"});
  return made;
}

/// The rows of a system, model and engine share a weight that grows slower than their number.
void share_weights(std::vector<ServingFitRow>& rows) {
  const auto kind = [](const ServingFitRow& row) {
    return std::tuple(row.row->system, row.row->measured.text("model"), row.engine, row.is_loaded);
  };
  std::map<decltype(kind(rows.front())), double> counts;
  for (const ServingFitRow& row : rows)
    if (row.weights.output_token > 0 || row.weights.first_token > 0) counts[kind(row)] += 1;
  for (ServingFitRow& row : rows) {
    const double share = std::pow(std::max(1.0, counts[kind(row)]), -crowding);
    row.weights.first_token *= share;
    row.weights.output_token *= share;
  }
}

/// What the fit moves: a constant of one engine, or of all.
struct Unknown {
  std::size_t constant = 0;
  std::size_t engine = engine_count;  ///< engine_count: all
  [[nodiscard]] bool is_of(std::size_t e) const { return engine == engine_count || engine == e; }
};

const std::vector<Unknown>& unknowns() {
  static const std::vector<Unknown> all = [] {
    std::vector<Unknown> made;
    for (std::size_t k = 0; k < serving_constants().size(); ++k) {
      if (!serving_constants()[k].is_per_engine) made.push_back({k});
      for (std::size_t e = 0; serving_constants()[k].is_per_engine && e < engine_count; ++e) made.push_back({k, e});
    }
    return made;
  }();
  return all;
}

/// [unknown] ln(value / usual).
std::vector<double> place_of(const FittedConstants& constants) {
  std::vector<double> place;
  for (const Unknown& unknown : unknowns()) {
    const double value = constants[unknown.constant][unknown.engine % engine_count];
    place.push_back(std::log(value / serving_constants()[unknown.constant].usual));
  }
  return place;
}

FittedConstants constants_at(std::span<const double> place) {
  FittedConstants made = usual_constants();
  for (std::size_t k = 0; k < unknowns().size(); ++k)
    for (std::size_t e = 0; e < engine_count; ++e)
      if (unknowns()[k].is_of(e)) made[unknowns()[k].constant][e] *= std::exp(place[k]);
  return made;
}

/// Numbers that are not fitted are the defaults.
ServingSoftware software_of(const FittedConstants& constants, std::size_t engine) {
  Entry entry;
  for (std::size_t k = 0; k < constants.size(); ++k) entry.numbers[serving_constants()[k].field] = constants[k][engine];
  return decode_serving_software(entry).value;
}

}  // namespace

/// A measured time of a row. Logarithms are multiplied by `scale`, so that one loss scale serves all.
struct ServingFit::Observation {
  std::size_t row = 0;
  double ServingTimes::*time = nullptr;
  double scale = 1.0;
  double weight = 0.0;
};

std::span<const ServingConstant> serving_constants() {
  constexpr std::string_view shared[] = {
      "matrix_share",      "matrix_memory_share", "expert_matrix_share", "expert_memory_share",
      "attention_share",   "cache_memory_share",  "inside_share",        "exchange_time",
      "expert_layer_time", "sequence_time",       "expert_layer_8bit",   "expert_layer_int4",
      "indexer_layer",     "hidden_bytes",        "hidden_bytes_expert", "skew",
      "half_expert",       "client_token_time",   "client_serial_time"};
  constexpr std::string_view per_engine[] = {"layer_time", "fixed_time", "client_time", "first_token_lag"};
  static const std::vector<ServingConstant> all = [&] {
    std::vector<ServingConstant> made;
    const auto add = [&](std::string_view field, bool is_per_engine) {
      for (const CalibrationInfo& info : serving_calibration())
        if (info.field == field) made.push_back({std::string(field), info.usual, info.spread, is_per_engine});
    };
    for (const std::string_view field : shared) add(field, false);
    for (const std::string_view field : per_engine) add(field, true);
    return made;
  }();
  return all;
}

FittedConstants usual_constants() {
  FittedConstants all(serving_constants().size());
  for (std::size_t k = 0; k < all.size(); ++k) all[k].fill(serving_constants()[k].usual);
  return all;
}

FittedConstants shipped_constants() {
  FittedConstants all = usual_constants();
  for (std::size_t e = 0; e < engine_count; ++e) {
    const EntryFile file = catalogue_with({}).load("software", serving_engines[e]);
    for (const NamedNumber& number : serving_numbers(file.entry))
      for (std::size_t k = 0; k < all.size(); ++k)
        if (serving_constants()[k].field == number.field) all[k][e] = number.value;
  }
  return all;
}

ServingFit::ServingFit(const std::filesystem::path& sweeps)
    : loaded_(sweeps, "measured-serving-load", "serving-load.csv"),
      unloaded_(sweeps, "measured-serving", "serving.csv") {
  for (const ServingRow& row : loaded_.rows()) rows_.push_back(loaded_row(row));
  for (const ServingRow& row : unloaded_.rows()) rows_.push_back(unloaded_row(row));
  share_weights(rows_);
}

ServingTimes ServingFit::times(const ServingFitRow& row, const Software& software, Queueing queueing) {
  if (row.is_loaded) {
    const serving::Figures figures = loaded_.figures(*row.row, software[row.engine], queueing);
    return {figures[Metric::time_to_first_token], figures[Metric::time_per_output_token]};
  }
  const serving::Figures figures = unloaded_.figures(*row.row, software[row.engine], Queueing::steady);
  return {figures[Metric::time_to_first_token], 1 / figures[Metric::token_rate_per_device]};
}

ServingTimes ServingFit::predicted(const ServingFitRow& row, const FittedConstants& constants) {
  Software software;
  software[row.engine] = software_of(constants, row.engine);
  return times(row, software, Queueing::simulated);
}

std::vector<ServingFit::Observation> ServingFit::observations(const SeesRow& sees) const {
  std::vector<Observation> all;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (!sees(rows_[i])) continue;
    const auto add = [&](double ServingTimes::*time, double scale) {
      const double weight = rows_[i].weights.*time;
      if (weight > 0 && rows_[i].measured.*time > 0) all.push_back({i, time, token_scale / scale, weight});
    };
    add(&ServingTimes::output_token, token_scale);
    add(&ServingTimes::first_token, rows_[i].is_loaded ? first_scale : token_scale);
  }
  return all;
}

void ServingFit::predict(std::span<const Observation> seen, const FittedConstants& constants, Queueing queueing,
                         std::span<double> out) {
  Software software;
  for (std::size_t e = 0; e < engine_count; ++e) software[e] = software_of(constants, e);
  ServingTimes last;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (i == 0 || seen[i].row != seen[i - 1].row) last = times(rows_[seen[i].row], software, queueing);
    out[i] = seen[i].scale * std::log(last.*seen[i].time);
  }
}

std::vector<double> ServingFit::slopes(std::span<const Observation> seen, std::span<const double> place) {
  constexpr double difference = 1e-3;
  std::vector<double> all(seen.size() * place.size());
  std::vector<double> here(seen.size()), there(seen.size());
  predict(seen, constants_at(place), Queueing::steady, here);
  for (std::size_t k = 0; k < place.size(); ++k) {
    std::vector<double> moved(place.begin(), place.end());
    moved[k] += difference;
    predict(seen, constants_at(moved), Queueing::steady, there);
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const double slope = (there[i] - here[i]) / difference;
      all[i * place.size() + k] = std::isfinite(slope) ? slope : 0.0;
    }
  }
  return all;
}

calibration::CalibrationProblem ServingFit::problem_of(std::span<const Observation> seen) const {
  calibration::CalibrationProblem problem;
  problem.quantities = unknowns().size();
  problem.loss_scale = token_scale;
  problem.groups.assign(seen.size(), 0);
  for (std::size_t k = 0; k < unknowns().size(); ++k)
    problem.unknowns.push_back(
        {k, serving_constants()[unknowns()[k].constant].spread, std::vector<bool>(seen.size(), true)});
  for (const Observation& o : seen) problem.observed.push_back(o.scale * std::log(rows_[o.row].measured.*o.time));
  return problem;
}

FittedConstants ServingFit::fit(const FittedConstants& start, int rounds, const SeesRow& sees) {
  const std::vector<Observation> seen = observations(sees);
  std::vector<double> weights, simulated(seen.size()), closed(seen.size());
  for (const Observation& o : seen) weights.push_back(o.weight);
  std::vector<double> place = place_of(start);
  calibration::CalibrationProblem problem = problem_of(seen);
  // All rows have the same displacements: those of the unknowns.
  problem.predict = [&](std::span<const double> displacements, std::span<double> out) {
    predict(seen, constants_at(displacements.first(place.size())), Queueing::steady, out);
    for (std::size_t i = 0; i < seen.size(); ++i) out[i] += simulated[i] - closed[i];
  };
  for (int round = 0; round < rounds; ++round) {
    predict(seen, constants_at(place), Queueing::simulated, simulated);
    predict(seen, constants_at(place), Queueing::steady, closed);
    const std::vector<double> kept = slopes(seen, place);
    place = calibration::fit(problem, weights, {.steps = steps_of_round, .start = place, .slopes = kept}).values;
  }
  return constants_at(place);
}

}  // namespace dfsweep::testing
