/// Columns of a fit's tables.
#include "engine/fit/output/tables.hpp"

#include <fmt/format.h>

#include <cmath>

#include "engine/fit/output/json.hpp"
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

void add_law(Table& table, const std::string& target, const TargetFit& fit, FeatureSet features) {
  table.number(target + "_rows", fit.n).number(target + "_residual_sd", fit.residual_sd);
  table.number(target + "_intercept", fit.law.intercept);
  table.number(target + "_intercept_se", fit.standard_error.intercept);
  for (std::size_t f = 0; f < law_feature_count; ++f) {
    const bool is_used = features.has(static_cast<LawFeature>(f));
    const std::string name = fmt::format("{}_{}", target, law_feature_names[f]);
    table.number(name, is_used ? fit.law.exponent[f] : 0.0);
    table.number(name + "_se", is_used ? fit.standard_error.exponent[f] : NAN);
  }
}

TableFileTable groups_table(const FitReport& report) {
  Table table("groups");
  for (const SelectedGroup& group : report.read.selected.groups) {
    table.text("group", group_name(group.key, report.read.recipes))
        .text("recipe", report.read.recipes[group.key.recipe].name);
    table.text("family", group.key.family == RunFamily::dense ? "dense" : "moe");
    table.number("parameters", group.scale.parameters)
        .number("activated_parameters", group.scale.activated_parameters)
        .number("train_tokens", group.scale.train_tokens)
        .number("flops_per_token", group.scale.flops_per_token)
        .number("runs", group.minimum.runs)
        .number("argmin_learning_rate", group.minimum.learning_rate)
        .number("argmin_batch_tokens", group.minimum.batch_tokens)
        .number("min_loss", group.minimum.loss);
    for (std::size_t w = 0; w < report.read.selected.windows.size(); ++w)
      table.number("runs_within_" + shortest(report.read.selected.windows[w]), group.moments[w].n);
    table.end_row();
  }
  return table.take();
}

TableFileTable surfaces_table(const FitReport& report) {
  Table table("surfaces");
  const std::vector<std::string> names = group_names(report);
  for (const auto& [window, surfaces] : report.fitted.surfaces)
    for (std::size_t g = 0; g < surfaces.size(); ++g) {
      const QuadraticSurface& surface = surfaces[g];
      table.text("group", names[g]).number("window", window).text("defect", std::string(describe(surface.defect)));
      table.number("runs", surface.n)
          .number("optimal_learning_rate", std::exp(surface.optimum.x))
          .number("optimal_batch_tokens", std::exp(surface.optimum.y))
          .number("min_loss", std::exp(surface.minimum))
          .number("hessian_xx", surface.hessian.xx)
          .number("hessian_xy", surface.hessian.xy)
          .number("hessian_yy", surface.hessian.yy)
          .number("rms", surface.rms)
          .number("inside_grid", surface.inside_grid ? 1.0 : 0.0);
      table.end_row();
    }
  return table.take();
}

TableFileTable fits_table(const FitReport& report) {
  Table table("fits");
  for (const SubsetFit& each : report.fitted.fits) {
    table.text("law", each.name(report.fitted.subsets)).text("defect", std::string(describe(each.fit.defect)));
    add_law(table, "learning_rate", each.fit.learning_rate, each.fit.form.learning_rate);
    add_law(table, "batch_tokens", each.fit.batch_tokens, each.fit.form.batch_tokens);
    table.end_row();
  }
  return table.take();
}

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
  std::vector<TableFileTable> tables{groups_table(report), surfaces_table(report), fits_table(report)};
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
