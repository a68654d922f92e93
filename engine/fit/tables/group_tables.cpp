/// Tables of the groups of runs and of their loss surfaces.
#include "engine/fit/tables/fit_tables.hpp"
#include "io/number_format.hpp"

namespace dfsweep::fit {

using namespace law_fits;

namespace {

constexpr double plateau_excesses[] = {0.00125, plateau_excess, 0.005};
constexpr double noise_of_a_run = 6e-4;  ///< of ln L

struct GroupRow {
  std::size_t number;
  const SelectedGroup* group;
  const QuadraticSurface* surface;  ///< at the narrowest window
};

std::vector<GroupRow> group_rows(const FitReport& report) {
  const std::vector<SelectedGroup>& groups = report.read.selected.groups;
  std::vector<GroupRow> rows;
  for (std::size_t g = 0; g < groups.size(); ++g)
    rows.push_back({g, &groups[g], &report.fitted.surfaces.front().second[g]});
  return rows;
}

/// The text's columns of a group's surface, NaN where it has a defect.
void add_surface_view(TableOf<GroupRow>& table) {
  const auto of_good = [](auto... members) {
    return [value = exp_of(along(members...))](const GroupRow& row) {
      return row.surface->defect == FitDefect::none ? value(*row.surface) : NAN;
    };
  };
  const auto flat = [](const Hessian& hessian) { return plateau(hessian, plateau_excess); };
  table.view("surface_learning_rate", of_good(&QuadraticSurface::optimum, &LogPoint::x))
      .view("surface_batch_tokens", of_good(&QuadraticSurface::optimum, &LogPoint::y))
      .view("plateau_learning_rate", of_good(&QuadraticSurface::hessian, flat, &Plateau::half_width_x))
      .view("plateau_batch_tokens", of_good(&QuadraticSurface::hessian, flat, &Plateau::half_width_y))
      .view("surface_defect", [](const GroupRow& row) {
        return row.surface->defect == FitDefect::none ? std::string_view() : describe(row.surface->defect);
      });
}

/// Properties of a group that need single runs.
void add_single_run_facts(const FitReport& report, TableOf<GroupRow>& table) {
  const auto of_grid = [&grids = report.judged.scoring->grids](auto... members) {
    return [&grids, value = along(members...)](const GroupRow& row) { return value(grids[row.number]); };
  };
  const auto diverged_share = [&runs = *report.read.grouped](const GroupRow& row) {
    const RunGroup& group = runs.groups[row.number];
    std::size_t far = 0;
    for (std::size_t r = group.begin; r < group.end; ++r) far += runs.rel[r] > diverged_rel ? 1 : 0;
    return static_cast<double>(far) / static_cast<double>(group.end - group.begin);
  };
  const auto valleys = [](const GroupGrid& grid) { return unimodality(grid, 2.0 * noise_of_a_run); };
  table.add({"distinct_learning_rates"}, of_grid([](const GroupGrid& grid) { return grid.distinct_x().size(); }))
      .add({"distinct_batches"}, of_grid([](const GroupGrid& grid) { return grid.distinct_y().size(); }))
      .add({"diverged_share"}, diverged_share)
      .add({"grid_lines"}, of_grid(valleys, &Unimodality::lines))
      .add({"grid_lines_with_one_valley"}, of_grid(valleys, &Unimodality::unimodal));
}

std::uint64_t whole(double count) {
  return static_cast<std::uint64_t>(count);
}

/// The least loss of a group, and how many runs are near it.
void add_minimum(const FitReport& report, TableOf<GroupRow>& table) {
  const auto of = [](auto... members) { return along(&GroupRow::group, &SelectedGroup::minimum, members...); };
  const auto per_sequence = [length = report.settings.sequence_length](double tokens) { return tokens / length; };
  table.add({"runs"}, of(&GroupMinimum::runs, whole))
      .add({"argmin_learning_rate"}, of(&GroupMinimum::learning_rate))
      .add({"argmin_batch_tokens", "tokens"}, of(&GroupMinimum::batch_tokens))
      .add({"argmin_batch_sequences"}, of(&GroupMinimum::batch_tokens, per_sequence))
      .add({"min_loss"}, of(&GroupMinimum::loss))
      .add({"second_best_rel"}, of([](const GroupMinimum& least) { return least.second_loss / least.loss - 1.0; }));
  for (std::size_t w = 0; w < report.read.selected.windows.size(); ++w) {
    const std::string window = shortest(report.read.selected.windows[w]);
    table.add({"runs_within_" + window, "1", "runs_within/" + window},
              [w](const GroupRow& row) { return whole(row.group->moments[w].n); });
  }
}

struct SurfaceRow {
  std::size_t number;  ///< over all windows
  std::string group;
  double window;
  const QuadraticSurface* surface;
};

std::vector<SurfaceRow> surface_rows(const FitReport& report) {
  const std::vector<std::string> names = group_names(report);
  std::vector<SurfaceRow> rows;
  for (const auto& [window, surfaces] : report.fitted.surfaces)
    for (std::size_t g = 0; g < surfaces.size(); ++g) rows.push_back({rows.size(), names[g], window, &surfaces[g]});
  return rows;
}

}  // namespace

std::vector<std::string> group_names(const FitReport& report) {
  std::vector<std::string> names;
  for (const SelectedGroup& group : report.read.selected.groups)
    names.push_back(group_name(group.key, report.read.recipes));
  return names;
}

DataTable groups_table(const FitReport& report) {
  TableOf<GroupRow> table("groups", "groups of runs with the same recipe, N, Na and D", group_rows(report));
  const auto of = [](auto... members) { return along(&GroupRow::group, members...); };
  const auto recipes = [&](const GroupKey& key) { return report.read.recipes[key.recipe].name; };
  table.add({"group"}, of(&SelectedGroup::key, [&](const auto& key) { return group_name(key, report.read.recipes); }))
      .add({"family"},
           of(&SelectedGroup::key, [](const auto& key) { return key.family == RunFamily::dense ? "dense" : "moe"; }))
      .add({"recipe"}, of(&SelectedGroup::key, recipes));
  add_scale(table, of(&SelectedGroup::scale));
  table.add({"flops_per_token", "FLOP"}, of(&SelectedGroup::scale, &TrainingScale::flops_per_token));
  add_minimum(report, table);
  const auto kept_mean = [kept = report.read.selected.window(report.settings.threshold)](double LogPoint::*axis,
                                                                                         double RunMoments::*sum) {
    return [=](const GroupRow& row) {
      const RunMoments& near = row.group->moments[kept];
      return std::exp(row.group->reference.*axis + near.*sum / near.n);
    };
  };
  table.add({"kept_mean_learning_rate"}, kept_mean(&LogPoint::x, &RunMoments::u))
      .add({"kept_mean_batch_tokens", "tokens"}, kept_mean(&LogPoint::y, &RunMoments::v));
  if (report.read.grouped) add_single_run_facts(report, table);
  add_surface_view(table);
  return table.take();
}

DataTable surfaces_table(const FitReport& report) {
  using Surface = QuadraticSurface;
  const auto of = [](auto... members) { return along(&SurfaceRow::surface, members...); };
  TableOf<SurfaceRow> table("surfaces", "quadratic surfaces of ln loss over ln lr and ln B, by group and window",
                            surface_rows(report));
  table.add({"group"}, &SurfaceRow::group)
      .add({"window"}, &SurfaceRow::window)
      .add({"defect"}, of(&Surface::defect, describe))
      .add({"runs", "1", "n"}, of(&Surface::n))
      .add({"x_center"}, of(&Surface::centre, &LogPoint::x))
      .add({"y_center"}, of(&Surface::centre, &LogPoint::y))
      .add({"c0"}, of(&Surface::c0))
      .add({"cx"}, of(&Surface::cx))
      .add({"cy"}, of(&Surface::cy))
      .add({"cxx"}, of(&Surface::cxx))
      .add({"cxy"}, of(&Surface::cxy))
      .add({"cyy"}, of(&Surface::cyy))
      .add({"rms"}, of(&Surface::rms))
      .in_file({"hessian_xx"}, of(&Surface::hessian, &Hessian::xx))
      .in_file({"hessian_xy"}, of(&Surface::hessian, &Hessian::xy))
      .in_file({"hessian_yy"}, of(&Surface::hessian, &Hessian::yy))
      .add({"eigenvalue_low"}, of(&Surface::hessian, eigenvalues, &Eigenvalues::low))
      .add({"eigenvalue_high"}, of(&Surface::hessian, eigenvalues, &Eigenvalues::high))
      .add({"optimal_learning_rate"}, exp_of(of(&Surface::optimum, &LogPoint::x)))
      .add({"optimal_batch_tokens", "tokens"}, exp_of(of(&Surface::optimum, &LogPoint::y)))
      .add({"min_loss"}, exp_of(of(&Surface::minimum)))
      .add({"ridge_slope"}, of(&Surface::hessian, ridge_slope))
      .add({"inside_grid"}, of(&Surface::inside_grid));
  return table.take();
}

DataTable plateaus_table(const FitReport& report) {
  struct Row {
    SurfaceRow of;
    double excess;
    std::optional<Plateau> flat;
  };
  std::vector<Row> rows;
  for (const SurfaceRow& each : surface_rows(report))
    for (const double excess : plateau_excesses) {
      rows.push_back({each, excess, {}});
      if (const Hessian& hessian = each.surface->hessian; hessian.positive_definite())
        rows.back().flat = plateau(hessian, excess);
    }
  TableOf<Row> table("plateaus", "how far from the optimum of a surface the loss is within an excess", std::move(rows));
  table.below(along(&Row::of, &SurfaceRow::number))
      .in_file({"group"}, along(&Row::of, &SurfaceRow::group))
      .in_file({"window"}, along(&Row::of, &SurfaceRow::window))
      .add({"loss_excess"}, &Row::excess)
      .add({"half_width_ln_learning_rate"}, if_any(&Row::flat, &Plateau::half_width_x))
      .add({"half_width_ln_batch_tokens"}, if_any(&Row::flat, &Plateau::half_width_y))
      .add({"area"}, if_any(&Row::flat, &Plateau::area));
  return table.take();
}

}  // namespace dfsweep::fit
