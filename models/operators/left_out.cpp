/// Folds are drawn by shape or by key; one search serves all of them, since it can leave rows out.
#include "models/operators/left_out.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "models/operators/distinct_rows.hpp"
#include "models/operators/error_cells.hpp"
#include "models/operators/nearest_ratio.hpp"
#include "models/operators/table_predictor.hpp"
#include "models/statistics/random.hpp"

namespace dfsweep::operators {

namespace {

constexpr std::size_t fewest_rows = 40;
constexpr std::size_t rows_of_shared_fit = 3000;
constexpr std::size_t rows_given = 20;
/// Doublings of rates below which devices count as alike.
constexpr double near_devices = 0.05;
/// Twenty rows are few, so that errors depend on which ones: draws that are joined.
constexpr std::size_t draws_given = 5;

/// The fold of each row.
std::vector<std::uint32_t> folds_of(Family family, const DistinctRows& rows, LeftOut what) {
  const CounterRandom random(7);
  std::vector<std::uint32_t> folds = what == LeftOut::shapes ? rows.shapes : sizes_of(family, rows);
  for (std::uint32_t& fold : folds) fold = static_cast<std::uint32_t>(random_below(random.at(fold), left_out_folds));
  return folds;
}

/// A row predicted from the rows of other folds, with what its expected error depends on.
struct FoldPrediction {
  LeftOutError errors;
  KnownError known;
  std::uint32_t fold = 0;
};

class FoldScorer {
 public:
  FoldScorer(const OperatorTable& table, const TableSetting& setting, LeftOut what)
      : family_(table.family),
        setting_(setting),
        rows_(distinct_rows(table)),
        folds_(folds_of(table.family, rows_, what)) {
    lines_ = KeyLines(rows_.places);
    start_ = fit_form(family_, drawn_rows(rows_, setting_, most_fitted_rows, [](std::uint32_t) { return true; }),
                      start_of(family_, setting_), Pull::weak);
  }

  [[nodiscard]] std::size_t rows() const { return rows_.size(); }

  /// Adds the predictions of the rows of one fold.
  void predict(std::uint32_t fold, std::vector<FoldPrediction>& predictions) const {
    const auto is_other = [&](std::uint32_t row) { return folds_[row] != fold; };
    const std::vector<FormRow> fitted = drawn_rows(rows_, setting_, most_fitted_rows, is_other);
    if (fitted.empty()) return;
    const Numbers numbers = fit_form(family_, fitted, start_, Pull::weak);
    const std::vector<float> ratios = log_ratios(numbers);
    for (std::uint32_t row = 0; row < rows_.size(); ++row) {
      if (is_other(row)) continue;
      const NearestRatio ratio = ratio_of(lines_.nearest(rows_.places[row], is_other), ratios);
      const float error = std::abs(std::expm1(ratio.log_ratio - ratios[row]));
      const auto seconds = static_cast<float>(rows_.seconds[row]);
      predictions.push_back(
          {{seconds, std::abs(std::expm1(-ratios[row])), error, 0.0F}, {ratio.distance, ratio.spread, error}, fold});
    }
  }

 private:
  [[nodiscard]] std::vector<float> log_ratios(const Numbers& numbers) const {
    std::vector<float> ratios(rows_.size());
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      const double closed = form_time(family_, rows_.keys[row], setting_, numbers).value();
      ratios[row] = static_cast<float>(std::log(rows_.seconds[row] / closed));
    }
    return ratios;
  }

  Family family_;
  const TableSetting& setting_;
  DistinctRows rows_;
  std::vector<std::uint32_t> folds_;
  KeyLines lines_;
  Numbers start_{};
};

/// The bound of each prediction from the errors of the other folds.
void add_bounds(std::vector<FoldPrediction>& predictions) {
  for (std::uint32_t fold = 0; fold < left_out_folds; ++fold) {
    std::vector<KnownError> others;
    for (const FoldPrediction& one : predictions)
      if (one.fold != fold) others.push_back(one.known);
    const ErrorCells cells(std::move(others));
    for (FoldPrediction& one : predictions)
      if (one.fold == fold) one.errors.bound = cells.at(one.known.distance, one.known.spread).ninth_decile;
  }
}

/// Whether times differ between devices more than between the kernels of engines.
bool is_decided_by_device(Family family, const TableSetting& setting) {
  if (family == Family::products) return !(setting.quantised > 0.0);
  return family == Family::prompts || family >= Family::library_exchanges;
}

/// Errors of the form with these numbers, without the rows in `given`.
std::vector<float> errors_of(const SetTable& table, const DistinctRows& rows, const Numbers& numbers,
                             std::span<const std::uint32_t> given) {
  std::vector<float> errors;
  for (std::uint32_t row = 0; row < rows.size(); ++row) {
    if (std::find(given.begin(), given.end(), row) != given.end()) continue;
    const double closed = form_time(table.table->family, rows.keys[row], table.setting, numbers).value();
    errors.push_back(static_cast<float>(std::abs(closed / rows.seconds[row] - 1.0)));
  }
  return errors;
}

}  // namespace

std::vector<LeftOutError> left_out_errors(const OperatorTable& table, const TableSetting& setting, LeftOut what) {
  std::vector<LeftOutError> errors;
  if (table.rows() < fewest_rows) return errors;
  const FoldScorer scorer(table, setting, what);
  std::vector<FoldPrediction> predictions;
  for (std::uint32_t fold = 0; fold < left_out_folds; ++fold) scorer.predict(fold, predictions);
  add_bounds(predictions);
  for (const FoldPrediction& one : predictions) errors.push_back(one.errors);
  return errors;
}

double how_far(Family family, const TableSetting& a, const TableSetting& b) {
  if (family >= Family::library_exchanges) return std::abs(std::log2(a.link / b.link));
  return std::hypot(std::log2(a.rates.peak / b.rates.peak), std::log2(a.rates.bandwidth / b.rates.bandwidth));
}

Numbers shared_numbers(std::span<const SetTable> tables, const TableSetting& device) {
  std::vector<FormRow> rows;
  std::vector<const std::string*> systems;
  std::map<std::string, double> rows_of;
  for (const SetTable& one : tables) {
    const std::size_t count = std::max<std::size_t>(rows_of_shared_fit / tables.size(), 1);
    const std::vector<FormRow> drawn =
        drawn_rows(distinct_rows(*one.table), one.setting, count, [](std::uint32_t) { return true; });
    rows.insert(rows.end(), drawn.begin(), drawn.end());
    systems.insert(systems.end(), drawn.size(), &one.table->system);
    rows_of[one.table->system] += static_cast<double>(drawn.size());
  }
  const Family family = tables[0].table->family;
  double sum = 0.0;
  for (std::size_t i = 0; i < rows.size() && is_decided_by_device(family, device); ++i) {
    const double distance = how_far(family, *rows[i].setting, device);
    rows[i].weight = 1.0 / (near_devices + distance) / rows_of[*systems[i]];
    sum += rows[i].weight;
  }
  if (sum > 0.0)
    for (FormRow& row : rows) row.weight *= static_cast<double>(rows.size()) / sum;
  return fit_form(family, rows, start_of(family, tables[0].setting), Pull::weak);
}

std::vector<float> errors_without_rows(const SetTable& table, const Numbers& shared) {
  return errors_of(table, distinct_rows(*table.table), shared, {});
}

std::vector<float> errors_with_twenty_rows(const SetTable& table, const Numbers& shared) {
  const DistinctRows rows = distinct_rows(*table.table);
  const std::vector<std::uint32_t> order = shuffled(rows.size());
  std::vector<float> errors;
  for (std::size_t begin = 0; begin < draws_given * rows_given && begin < order.size(); begin += rows_given) {
    const std::span<const std::uint32_t> given =
        std::span(order).subspan(begin, std::min(rows_given, order.size() - begin));
    std::vector<FormRow> fitted;
    for (const std::uint32_t row : given) fitted.push_back({rows.keys[row], rows.seconds[row], &table.setting});
    const Numbers numbers = fit_form(table.table->family, fitted, shared, Pull::strong);
    const std::vector<float> drawn = errors_of(table, rows, numbers, given);
    errors.insert(errors.end(), drawn.begin(), drawn.end());
  }
  return errors;
}

ErrorPair error_pair(std::vector<float> errors) {
  const auto quantile = [&errors](double level) {
    const auto at = static_cast<std::ptrdiff_t>(level * static_cast<double>(errors.size() - 1) + 0.5);
    std::nth_element(errors.begin(), errors.begin() + at, errors.end());
    return static_cast<double>(errors[static_cast<std::size_t>(at)]);
  };
  return {quantile(0.5), quantile(0.9)};
}

}  // namespace dfsweep::operators
