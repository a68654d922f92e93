/// Columns of a fit's tables.
#include "engine/fit/output/tables.hpp"

#include <fmt/format.h>

#include <cmath>

#include "engine/fit/output/fit_tables.hpp"
#include "engine/fit/output/json.hpp"
#include "engine/fit/output/table_rendering.hpp"
#include "io/number_format.hpp"
#include "io/table_file.hpp"

namespace dfsweep::fit {

using namespace hyperparameters;

namespace {

/// A table that is filled row by row.
class Table {
 public:
  explicit Table(std::string path) { table_.path = std::move(path); }
  Table& number(const std::string& name, double value) {
    column(name, std::vector<double>());
    std::get<std::vector<double>>(table_.columns[next_++].values).push_back(value);
    return *this;
  }
  Table& text(const std::string& name, std::string value) {
    column(name, std::vector<std::string>());
    std::get<std::vector<std::string>>(table_.columns[next_++].values).push_back(std::move(value));
    return *this;
  }
  void end_row() {
    next_ = 0;
    is_first_ = false;
  }
  [[nodiscard]] TableFileTable take() { return std::move(table_); }

 private:
  template <class Values>
  void column(const std::string& name, Values values) {
    if (is_first_) table_.columns.push_back({name, std::move(values)});
  }
  TableFileTable table_;
  std::size_t next_ = 0;
  bool is_first_ = true;
};

void add_score(Table& table, const std::string& group, const GroupScore& score) {
  table.text("group", group)
      .number("learning_rate", std::exp(score.predicted.x))
      .number("batch_tokens", std::exp(score.predicted.y))
      .number("regret_nearest", score.regret.nearest)
      .number("regret_bilinear", score.regret.bilinear)
      .number("regret_quad1", score.regret.quadratic);
  table.end_row();
}

TableFileTable scores_table(const FitReport& report) {
  Table table("scores");
  const std::vector<std::string> names = group_names(report);
  for (const auto* laws : {&report.judged.published, &report.judged.scored_fits})
    for (const ScoredLaw& law : *laws)
      for (const GroupScore& score : law.scores) {
        table.text("law", law.name);
        add_score(table, names[score.group], score);
      }
  return table.take();
}

TableFileTable validation_table(const FitReport& report) {
  Table table("cross_validation");
  const std::vector<std::string> names = group_names(report);
  for (const CrossValidation& each : report.judged.validation)
    for (const GroupScore& score : each.scores) {
      table.text("law", fmt::format("{}/{}/{}", report.fitted.subsets[each.subset].name, each.form->name,
                                    method_name(each.method)));
      table.text("split", each.split);
      add_score(table, names[score.group], score);
    }
  return table.take();
}

TableFileTable bootstrap_table(const FitReport& report, const BootstrapResult& each) {
  TableFileTable table;
  table.path = fmt::format("bootstraps/{}-{}-{}-{}", report.fitted.subsets[each.subset].name, each.form->name,
                           method_name(each.method), each.unit == ResampleUnit::row ? "row" : "group");
  std::string names;
  for (const auto& [target, parameter] : coefficient_names(*each.form))
    names += fmt::format("{}{}:{}", names.empty() ? "" : " ", target, parameter);
  TableFileColumn column{"coefficients", each.coefficients};
  column.width = each.width;
  column.meaning = "replicate x coefficient: " + names;
  table.columns.push_back(std::move(column));
  table.attributes = {{"coefficients", names}, {"seed", std::to_string(report.settings.seed)}};
  return table;
}

}  // namespace

std::vector<std::byte> fit_file(const FitReport& report) {
  std::vector<TableFileTable> tables{file_table(groups_table(report)), file_table(surfaces_table(report)),
                                     file_table(plateaus_table(report)),
                                     file_table(fits_table(report, report.fitted.fits))};
  if (report.judged.scoring) {
    tables.push_back(scores_table(report));
    tables.push_back(validation_table(report));
  }
  for (const BootstrapResult& each : report.predicted.bootstraps) tables.push_back(bootstrap_table(report, each));
  const std::pair<std::string, std::string> attributes[] = {{"format", "dfsweep steplaw fit"},
                                                            {"threshold", shortest(report.settings.threshold)}};
  return table_file(tables, attributes);
}

}  // namespace dfsweep::fit
