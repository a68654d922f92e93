/// Golden: the constants of software stacks are those of a fit to the shipped rows, and how that fit predicts sources,
/// configurations and devices that it has not seen. docs/measured.md gives these figures.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <numeric>
#include <set>

#include "models/training/step/estimate.hpp"
#include "tests/support/measured_fit.hpp"

namespace dfsweep::testing {

BOOST_AUTO_TEST_SUITE(measured_fit_test)

namespace {

/// The rows of a table, without `pair_hidden`: one row pairs passes, and its constants were fitted without. New sources
/// are added to `sources`; those of MLPerf have no factor of their own.
std::vector<FitRow> fit_rows(const std::filesystem::path& table, std::vector<std::string>& sources) {
  std::vector<FitRow> rows;
  for (const MeasuredStep& step : measured_steps(table)) {
    FitRow row{step.point,
               step.reading.accelerator,
               step.reading.software,
               no_source,
               step.seconds,
               step.reading.architecture.experts.count > 0};
    row.point.software.links.pair_hidden = 0;
    for (const char* column : {"accelerator", "devices", "model", "task", "precision", "global_batch", "micro_batch",
                               "tensor_parallel", "pipeline_parallel", "context_parallel", "virtual_pipeline"})
      row.configuration += std::string(step.row.text(column)) + "|";
    const std::string source(step.row.text("source"));
    if (!source.starts_with("mlperf-")) {
      const auto at = std::find(sources.begin(), sources.end(), source);
      row.source = static_cast<std::size_t>(at - sources.begin());
      if (at == sources.end()) sources.push_back(source);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

struct Study {
  std::vector<FitRow> rows;
  std::vector<std::string> sources;
  std::vector<FitConstant> constants;
};

const Study& study() {
  static const Study all = [] {
    Study made;
    const std::filesystem::path tables = std::filesystem::path(DFSWEEP_SOURCE_DIR) / "sweeps" / "measured";
    for (const char* name : {"training.csv", "training-mlperf.csv"})
      for (FitRow& row : fit_rows(tables / name, made.sources)) made.rows.push_back(std::move(row));
    made.constants = fit_constants(made.rows);
    return made;
  }();
  return all;
}

std::vector<double> fit_of(const std::vector<FitRow>& rows, int steps) {
  return fit(rows, study().constants, study().sources.size(), steps);
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Sizes of relative errors: rows of MLPerf apart, and models with experts.
struct Errors {
  std::vector<double> dense;
  std::vector<double> experts;
  std::vector<double> mlperf;

  void add(const FitRow& row, double predicted) {
    const double error = std::abs(predicted / row.seconds - 1.0);
    (row.source == no_source ? mlperf : row.has_experts ? experts : dense).push_back(error);
  }
  void add(const FitRow& row, const std::vector<double>& values) {
    add(row, predicted_seconds(row, study().constants, values));
  }
  void print(const char* what) const {
    std::printf("%s:", what);
    const auto both = [](const char* rows, const std::vector<double>& errors) {
      if (!errors.empty())
        std::printf(" %s %.1f / %.1f %%", rows, 100 * quantile(errors, 0.5), 100 * quantile(errors, 0.9));
    };
    both("dense", dense);
    both("experts", experts);
    both("MLPerf", mlperf);
    if (!mlperf.empty()) std::printf(", mean %.1f %%", 100 * mean(mlperf));
    std::printf(" (median / 90th percentile)\n");
  }
};

/// The figures of docs/measured.md in percent, give or take two in the last digit.
void hold(double found, double stated) {
  constexpr double digits = 0.2;
  BOOST_TEST(std::abs(100 * found - stated) <= digits);
}

void hold(const std::vector<double>& errors, double median, double most) {
  hold(quantile(errors, 0.5), median);
  hold(quantile(errors, 0.9), most);
}

template <class Key>
int place_in(const std::set<Key>& all, const Key& key) {
  return static_cast<int>(std::distance(all.begin(), all.find(key)));
}

/// Each of `rows` that `part` puts into a part (parts are numbered from 0; a row below 0 is in none) is predicted by a
/// fit to all others of them.
Errors left_out(const std::vector<FitRow>& rows, int parts, const std::function<int(const FitRow&)>& part) {
  Errors errors;
  for (int p = 0; p < parts; ++p) {
    std::vector<FitRow> others;
    for (const FitRow& row : rows)
      if (part(row) != p) others.push_back(row);
    const std::vector<double> values = fit_of(others, 10);
    for (const FitRow& row : rows)
      if (part(row) == p) errors.add(row, values);
  }
  return errors;
}

std::vector<FitRow> rows_of_mlperf() {
  std::vector<FitRow> rows;
  for (const FitRow& row : study().rows)
    if (row.source == no_source) rows.push_back(row);
  return rows;
}

/// Fifths of the configurations of `rows`.
Errors left_out_configurations(const std::vector<FitRow>& rows) {
  constexpr int folds = 5;
  std::set<std::string> names;
  for (const FitRow& row : rows) names.insert(row.configuration);
  return left_out(rows, folds, [&](const FitRow& row) { return place_in(names, row.configuration) % folds; });
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_shipped_constants_are_those_of_the_fit) {
  const Study& all = study();
  const std::vector<double> values = fit_of(all.rows, 25);
  for (std::size_t k = 0; k < values.size(); ++k)
    std::printf("%s: %.4g, first %.4g\n", all.constants[k].name.c_str(), values[k], all.constants[k].first);
  Errors first, fitted, shipped;
  std::vector<double> differences;
  std::vector<double> starts;
  for (const FitConstant& constant : all.constants) starts.push_back(constant.first);
  for (const FitRow& row : all.rows) {
    const double seconds = training::estimate_step(row.point).time.total().value();
    first.add(row, starts);
    fitted.add(row, values);
    shipped.add(row, seconds);
    differences.push_back(std::abs(seconds / predicted_seconds(row, all.constants, values) - 1.0));
  }
  first.print("first values");
  hold(first.dense, 8.6, 23.1);
  hold(first.experts, 12.5, 32.8);
  hold(first.mlperf, 4.8, 14.5);
  fitted.print("fit to all rows");
  hold(fitted.dense, 4.7, 14.8);
  hold(fitted.experts, 5.8, 18.0);
  hold(fitted.mlperf, 2.2, 7.3);
  shipped.print("shipped");
  std::printf("shipped constants against the fit: median %.2f %%, 90th percentile %.2f %%\n",
              100 * quantile(differences, 0.5), 100 * quantile(differences, 0.9));
  BOOST_TEST(quantile(differences, 0.5) <= 0.001);
  BOOST_TEST(quantile(differences, 0.9) <= 0.009);
}

BOOST_AUTO_TEST_CASE(sources_that_the_fit_has_not_seen) {
  const Errors errors = left_out(study().rows, static_cast<int>(study().sources.size()), [](const FitRow& row) {
    return row.source == no_source ? -1 : static_cast<int>(row.source);
  });
  errors.print("left-out sources");
  hold(errors.dense, 7.8, 22.4);
  hold(errors.experts, 10.8, 26.3);
}

BOOST_AUTO_TEST_CASE(configurations_that_the_fit_has_not_seen) {
  const Errors errors = left_out_configurations(study().rows);
  errors.print("left-out configurations");
  hold(errors.dense, 5.0, 15.1);
  hold(errors.experts, 7.2, 20.3);
  hold(errors.mlperf, 3.5, 9.6);
  hold(mean(errors.mlperf), 4.8);
}

BOOST_AUTO_TEST_CASE(configurations_that_a_fit_to_mlperf_alone_has_not_seen) {
  const Errors errors = left_out_configurations(rows_of_mlperf());
  errors.print("left-out configurations, fit to MLPerf alone");
  hold(errors.mlperf, 3.5, 9.5);
  hold(mean(errors.mlperf), 4.7);
}

BOOST_AUTO_TEST_CASE(devices_that_the_fit_has_not_seen_in_mlperf) {
  std::set<std::string> names;
  for (const FitRow& row : study().rows)
    if (row.source == no_source) names.insert(row.accelerator);
  const Errors errors = left_out(study().rows, static_cast<int>(names.size()), [&](const FitRow& row) {
    return row.source == no_source ? place_in(names, row.accelerator) : -1;
  });
  errors.print("left-out devices of MLPerf");
  hold(errors.mlperf, 5.2, 11.8);
  hold(mean(errors.mlperf), 6.1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep::testing
