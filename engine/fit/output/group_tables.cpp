/// Tables of the groups of runs and of their loss surfaces.
#include <numeric>

#include "engine/fit/output/fit_tables.hpp"
#include "io/number_format.hpp"

namespace dfsweep::fit {

using namespace hyperparameters;

namespace {

constexpr double plateau_excesses[] = {0.00125, plateau_excess, 0.005};
constexpr double noise_of_a_run = 6e-4;  ///< of ln L

/// The text's columns of a group's surface at the narrowest window, NaN where it has a defect.
void add_surface_view(const FitReport& report, TableOf<std::size_t>& table) {
  const auto of_good = [&report](auto value) {
    return [&report, value](std::size_t g) {
      const QuadraticSurface& surface = report.fitted.surfaces.front().second[g];
      return surface.defect == FitDefect::none ? std::exp(value(surface)) : NAN;
    };
  };
  const auto flat = [](const QuadraticSurface& surface) { return plateau(surface.hessian, plateau_excess); };
  table.view("surface_learning_rate", of_good([](const auto& surface) { return surface.optimum.x; }))
      .view("surface_batch_tokens", of_good([](const auto& surface) { return surface.optimum.y; }))
      .view("plateau_learning_rate", of_good([flat](const auto& surface) { return flat(surface).half_width_x; }))
      .view("plateau_batch_tokens", of_good([flat](const auto& surface) { return flat(surface).half_width_y; }))
      .view("surface_defect", [&report](std::size_t g) {
        const FitDefect defect = report.fitted.surfaces.front().second[g].defect;
        return defect == FitDefect::none ? std::string_view() : describe(defect);
      });
}

/// What only single runs tell of a group.
void add_single_run_facts(const FitReport& report, TableOf<std::size_t>& table) {
  const auto grid = [&report](std::size_t g) -> const GroupGrid& { return report.judged.scoring->grids[g]; };
  const auto diverged_share = [&runs = *report.read.grouped](std::size_t g) {
    const RunGroup& group = runs.groups[g];
    std::size_t far = 0;
    for (std::size_t r = group.begin; r < group.end; ++r) far += runs.rel[r] > diverged_rel ? 1 : 0;
    return static_cast<double>(far) / static_cast<double>(group.end - group.begin);
  };
  const auto lines = [grid](std::size_t Unimodality::*count) {
    return [grid, count](std::size_t g) { return unimodality(grid(g), 2.0 * noise_of_a_run).*count; };
  };
  table.add({"distinct_learning_rates"}, [grid](std::size_t g) { return grid(g).distinct_x().size(); })
      .add({"distinct_batches"}, [grid](std::size_t g) { return grid(g).distinct_y().size(); })
      .add({"diverged_share"}, diverged_share)
      .add({"grid_lines"}, lines(&Unimodality::lines))
      .add({"grid_lines_with_one_valley"}, lines(&Unimodality::unimodal));
}

/// The least loss of a group, and how many runs are near it.
void add_minimum(const FitReport& report, TableOf<std::size_t>& table) {
  const SelectedRuns& selected = report.read.selected;
  const auto minimum = [&selected](double GroupMinimum::*member) {
    return [&selected, member](std::size_t g) { return selected.groups[g].minimum.*member; };
  };
  table.add({"runs"}, [minimum](std::size_t g) { return static_cast<std::uint64_t>(minimum(&GroupMinimum::runs)(g)); })
      .add({"argmin_learning_rate"}, minimum(&GroupMinimum::learning_rate))
      .add({"argmin_batch_tokens", "tokens"}, minimum(&GroupMinimum::batch_tokens))
      .add({"argmin_batch_sequences"},
           [&](std::size_t g) { return selected.groups[g].minimum.batch_tokens / report.settings.sequence_length; })
      .add({"min_loss"}, minimum(&GroupMinimum::loss))
      .add({"second_best_rel"}, [&selected](std::size_t g) {
        return selected.groups[g].minimum.second_loss / selected.groups[g].minimum.loss - 1.0;
      });
  for (std::size_t w = 0; w < selected.windows.size(); ++w) {
    const std::string window = shortest(selected.windows[w]);
    table.add({"runs_within_" + window, "1", "runs_within/" + window},
              [&selected, w](std::size_t g) { return static_cast<std::uint64_t>(selected.groups[g].moments[w].n); });
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

FitTable groups_table(const FitReport& report) {
  const SelectedRuns& selected = report.read.selected;
  std::vector<std::size_t> numbers(selected.groups.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  TableOf<std::size_t> table("groups", "groups of runs with the same recipe, N, Na and D", std::move(numbers));
  const auto group = [&selected](std::size_t g) -> const SelectedGroup& { return selected.groups[g]; };
  table.add({"group"}, [&](std::size_t g) { return group_name(group(g).key, report.read.recipes); })
      .add({"family"}, [&](std::size_t g) { return group(g).key.family == RunFamily::dense ? "dense" : "moe"; })
      .add({"recipe"}, [&](std::size_t g) { return report.read.recipes[group(g).key.recipe].name; });
  add_scale(table, [&](std::size_t g) -> const TrainingScale& { return group(g).scale; });
  table.add({"flops_per_token", "FLOP"}, [&](std::size_t g) { return group(g).scale.flops_per_token; });
  add_minimum(report, table);
  const std::size_t kept = selected.window(report.settings.threshold);
  const auto kept_mean = [group, kept](double LogPoint::*axis, double RunMoments::*sum) {
    return [=](std::size_t g) {
      const RunMoments& near = group(g).moments[kept];
      return std::exp(group(g).reference.*axis + near.*sum / near.n);
    };
  };
  table.add({"kept_mean_learning_rate"}, kept_mean(&LogPoint::x, &RunMoments::u))
      .add({"kept_mean_batch_tokens", "tokens"}, kept_mean(&LogPoint::y, &RunMoments::v));
  if (report.read.grouped) add_single_run_facts(report, table);
  add_surface_view(report, table);
  return table.take();
}

FitTable surfaces_table(const FitReport& report) {
  using Surface = QuadraticSurface;
  const auto of = [](auto value) { return [value](const SurfaceRow& row) { return std::invoke(value, row.surface); }; };
  TableOf<SurfaceRow> table("surfaces", "quadratic surfaces of ln loss over ln lr and ln B, by group and window",
                            surface_rows(report));
  table.add({"group"}, &SurfaceRow::group)
      .add({"window"}, &SurfaceRow::window)
      .add({"defect"}, of([](const Surface* each) { return describe(each->defect); }))
      .add({"runs", "1", "n"}, of(&Surface::n))
      .add({"x_center"}, of([](const Surface* each) { return each->centre.x; }))
      .add({"y_center"}, of([](const Surface* each) { return each->centre.y; }))
      .add({"c0"}, of(&Surface::c0))
      .add({"cx"}, of(&Surface::cx))
      .add({"cy"}, of(&Surface::cy))
      .add({"cxx"}, of(&Surface::cxx))
      .add({"cxy"}, of(&Surface::cxy))
      .add({"cyy"}, of(&Surface::cyy))
      .add({"rms"}, of(&Surface::rms))
      .in_file({"hessian_xx"}, of([](const Surface* each) { return each->hessian.xx; }))
      .in_file({"hessian_xy"}, of([](const Surface* each) { return each->hessian.xy; }))
      .in_file({"hessian_yy"}, of([](const Surface* each) { return each->hessian.yy; }))
      .add({"eigenvalue_low"}, of([](const Surface* each) { return eigenvalues(each->hessian).low; }))
      .add({"eigenvalue_high"}, of([](const Surface* each) { return eigenvalues(each->hessian).high; }))
      .add({"optimal_learning_rate"}, of([](const Surface* each) { return std::exp(each->optimum.x); }))
      .add({"optimal_batch_tokens", "tokens"}, of([](const Surface* each) { return std::exp(each->optimum.y); }))
      .add({"min_loss"}, of([](const Surface* each) { return std::exp(each->minimum); }))
      .add({"ridge_slope"}, of([](const Surface* each) { return ridge_slope(each->hessian); }))
      .add({"inside_grid"}, of(&Surface::inside_grid));
  return table.take();
}

FitTable plateaus_table(const FitReport& report) {
  struct Row {
    SurfaceRow of;
    double excess;
    std::optional<Plateau> flat;
  };
  std::vector<Row> rows;
  for (const SurfaceRow& each : surface_rows(report))
    for (const double excess : plateau_excesses) {
      Row row{each, excess, {}};
      if (each.surface->hessian.positive_definite()) row.flat = plateau(each.surface->hessian, excess);
      rows.push_back(std::move(row));
    }
  const auto flat = [](double Plateau::*member) {
    return [member](const Row& row) { return row.flat ? std::optional((*row.flat).*member) : std::nullopt; };
  };
  TableOf<Row> table("plateaus", "how far from the optimum of a surface the loss is within an excess", std::move(rows));
  table.below([](const Row& row) { return row.of.number; })
      .in_file({"group"}, [](const Row& row) { return row.of.group; })
      .in_file({"window"}, [](const Row& row) { return row.of.window; })
      .add({"loss_excess"}, &Row::excess)
      .add({"half_width_ln_learning_rate"}, flat(&Plateau::half_width_x))
      .add({"half_width_ln_batch_tokens"}, flat(&Plateau::half_width_y))
      .add({"area"}, flat(&Plateau::area));
  return table.take();
}

}  // namespace dfsweep::fit
