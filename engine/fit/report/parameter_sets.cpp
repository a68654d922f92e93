/// Reading and summarising sets of coefficients.
#include "engine/fit/report/parameter_sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "io/csv.hpp"
#include "io/csv_blocks.hpp"
#include "io/file_system.hpp"
#include "io/toml.hpp"

namespace dfsweep::fit {

using namespace law_fits;

namespace {

struct KnownColumn {
  std::string_view name;
  std::string_view target;
  std::string_view parameter;
};
constexpr std::array<KnownColumn, 8> known = {{{"lr_intercept", "learning_rate", "intercept"},
                                               {"lr_coefN", "learning_rate", "lnN"},
                                               {"lr_coefNa", "learning_rate", "lnNa"},
                                               {"lr_coefD", "learning_rate", "lnD"},
                                               {"bs_intercept", "batch_tokens", "intercept"},
                                               {"bs_coefN", "batch_tokens", "lnN"},
                                               {"bs_coefNa", "batch_tokens", "lnNa"},
                                               {"bs_coefD", "batch_tokens", "lnD"}}};

double& coefficient(ScalingLaw& law, const KnownColumn& column) {
  PowerLaw& target = column.target == "learning_rate" ? law.learning_rate : law.batch_tokens;
  if (column.parameter == "intercept") return target.intercept;
  const auto found = std::find(law_feature_names.begin(), law_feature_names.end(), column.parameter);
  return target.exponent[static_cast<std::size_t>(found - law_feature_names.begin())];
}

/// Number of each known column in the header, or -1.
std::array<int, known.size()> columns_of(const CsvReader& reader) {
  std::array<int, known.size()> index{};
  index.fill(-1);
  for (std::size_t c = 0; c < reader.header().size(); ++c)
    for (std::size_t k = 0; k < known.size(); ++k)
      if (reader.header()[c].text == known[k].name) index[k] = static_cast<int>(c);
  std::vector<Problem> problems;
  for (std::size_t k = 0; k < known.size(); ++k)
    if (index[k] < 0 && known[k].parameter == "intercept")
      problems.push_back({{reader.file(), reader.header_line(), 1},
                          fmt::format("no column '{}'", known[k].name),
                          "parameter sets have lr_intercept, lr_coefN, lr_coefD, bs_intercept, bs_coefD",
                          ""});
  if (!problems.empty()) throw UserError(std::move(problems));
  return index;
}

/// Percentiles of logarithms, back as quantities.
void take_percentiles(const ReplicateSummary& of_logs, ReplicateSummary& summary) {
  for (double ReplicateSummary::*quantile : {&ReplicateSummary::q2_5, &ReplicateSummary::q16, &ReplicateSummary::median,
                                             &ReplicateSummary::q84, &ReplicateSummary::q97_5})
    summary.*quantile = std::exp(of_logs.*quantile);
}

EnsemblePrediction predicted(const std::vector<ScalingLaw>& laws, const TrainingScale& scale) {
  EnsemblePrediction prediction = predict_ensemble(laws, scale);
  take_percentiles(prediction.ln_learning_rate, prediction.learning_rate);
  take_percentiles(prediction.ln_batch_tokens, prediction.batch_tokens);
  return prediction;
}

}  // namespace

ParameterSets read_parameter_sets(const std::filesystem::path& path, std::span<const TrainingScale> predict) {
  expect_readable(path);
  CsvReader reader(read_text_file(path, path.string(), max_table_bytes), path.string());
  const auto index = columns_of(reader);
  ParameterSets sets;
  sets.file = path.string();
  std::vector<Problem> problems;
  for (auto line = reader.next(); !line.empty(); line = reader.next()) {
    ScalingLaw law;
    for (std::size_t k = 0; k < known.size(); ++k) {
      if (index[k] < 0) continue;
      const CsvCell& cell = line[static_cast<std::size_t>(index[k])];
      const CsvNumber number = csv_number(cell.text);
      if (!number.is_number || !std::isfinite(number.value))
        problems.push_back({{reader.file(), reader.line(), cell.column},
                            fmt::format("'{}' is not a number", cell.text),
                            fmt::format("column '{}'", known[k].name),
                            ""});
      coefficient(law, known[k]) = number.value;
    }
    sets.laws.push_back(law);
  }
  problems.insert(problems.end(), reader.problems().begin(), reader.problems().end());
  if (sets.laws.empty()) problems.push_back({{reader.file(), 0, 0}, "no parameter set", "", ""});
  if (!problems.empty()) throw UserError(std::move(problems));
  for (std::size_t k = 0; k < known.size(); ++k) {
    if (index[k] < 0) continue;
    std::vector<double> values;
    for (ScalingLaw& law : sets.laws) values.push_back(coefficient(law, known[k]));
    sets.columns.push_back(
        {std::string(known[k].target), std::string(known[k].parameter), summarize(values), density_mode(values)});
  }
  for (const TrainingScale& scale : predict) sets.predictions.emplace_back(scale, predicted(sets.laws, scale));
  return sets;
}

}  // namespace dfsweep::fit
