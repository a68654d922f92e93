/// Maps of groups, and the list of all pictures.
#include "engine/fit/output/pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/fit/output/text.hpp"
#include "engine/rendering/chart.hpp"
#include "engine/rendering/svg_plot.hpp"

namespace dfsweep::fit {

using namespace law_fits;

namespace {

constexpr double darkest_excess = 0.04;
/// A grey that is not on the ramp from cream to blue.
constexpr const char* no_run_colour = "#b4b4b4";
constexpr std::size_t border_points = 72;
constexpr double profile_margin = 0.35;
constexpr std::size_t most_group_pictures = 500;

/// From white at the least loss to dark at 4 % above it, by the square root, which parts small excesses.
std::string colour_of(double excess) {
  const double t = std::sqrt(std::clamp(excess / darkest_excess, 0.0, 1.0));
  const auto mix = [t](double light, double dark) { return static_cast<int>(std::lround(light + t * (dark - light))); };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(255, 40), mix(250, 70), mix(225, 120));
}

/// Borders of the cell around value i of an ascending list.
std::pair<double, double> cell_of(std::span<const double> values, std::size_t i) {
  const double before = i > 0 ? 0.5 * (values[i - 1] + values[i]) : values[i] - profile_margin;
  const double after = i + 1 < values.size() ? 0.5 * (values[i] + values[i + 1]) : values[i] + profile_margin;
  return {before, after};
}

void draw_surface(SvgPicture& picture, const QuadraticSurface& surface) {
  if (surface.defect != FitDefect::none && surface.defect != FitDefect::optimum_outside_grid) return;
  std::vector<LogPoint> border = plateau_border(surface.hessian, surface.optimum, plateau_excess, border_points);
  border.push_back(border.front());
  picture.line(border, "#b03a2e", "plateau: costs at most 0.25 %");
  const double slope = ridge_slope(surface.hessian);
  const std::array<LogPoint, 2> ridge = {LogPoint{surface.optimum.x - 3.0, surface.optimum.y - 3.0 * slope},
                                         LogPoint{surface.optimum.x + 3.0, surface.optimum.y + 3.0 * slope}};
  picture.line(ridge, "#d98880", "ridge: the loss rises least along it");
  picture.cross(
      surface.optimum, "#b03a2e",
      fmt::format("optimum: lr {:.4g}, {:.0f} tokens", std::exp(surface.optimum.x), std::exp(surface.optimum.y)));
}

std::string group_picture(const FitReport& report, std::size_t g, LogPoint predicted, const std::string& law) {
  const GroupGrid& grid = report.judged.scoring->grids[g];
  const auto xs = grid.distinct_x();
  const auto ys = grid.distinct_y();
  const SelectedGroup& group = report.read.selected.groups[g];
  SvgPicture picture(fmt::format("{}: N {:.4g}, Na {:.4g}, D {:.4g}", report.read.recipes[group.key.recipe].name,
                                 group.scale.parameters, group.scale.activated_parameters, group.scale.train_tokens),
                     {xs.front() - profile_margin, xs.back() + profile_margin, ys.front() - profile_margin,
                      ys.back() + profile_margin});
  picture.cell({cell_of(xs, 0).first, cell_of(xs, xs.size() - 1).second, cell_of(ys, 0).first,
                cell_of(ys, ys.size() - 1).second},
               no_run_colour, "no run");
  for (std::size_t i = 0; i < xs.size(); ++i)
    for (std::size_t j = 0; j < ys.size(); ++j) {
      const double excess = std::expm1(grid.excess(i, j));
      if (!std::isfinite(excess)) continue;
      const auto [x_low, x_high] = cell_of(xs, i);
      const auto [y_low, y_high] = cell_of(ys, j);
      const std::string hint = fmt::format("lr {:.4g}, {:.0f} tokens: {:.3f} % above the least", std::exp(xs[i]),
                                           std::exp(ys[j]), 100.0 * excess);
      picture.cell({x_low, x_high, y_low, y_high}, colour_of(excess), hint);
      picture.dot({xs[i], ys[j]}, 2.0, "#333333", hint);
    }
  draw_surface(picture, report.judged.scoring->surfaces[g]);
  if (std::isfinite(predicted.x) && std::isfinite(predicted.y)) picture.cross(predicted, "#1e8449", law);
  picture.axes("learning rate", "tokens per step");
  picture.legend("#fffae1", "least loss");
  picture.legend("#284678", "4 % above");
  picture.legend(no_run_colour, "no run");
  picture.legend("#b03a2e", "own quadratic within 1 %");
  picture.legend("#1e8449", "law");
  return picture.take();
}

/// One line over the compute of the budgets.
ChartSeries over_compute(const FitReport& report, std::string name, double LossPoint::*value) {
  ChartSeries series{std::move(name), ChartSeries::Mark::line, {}};
  for (const FrontierPoint& point : report.fitted.frontier)
    series.points.push_back({point.flops, point.optimum.*value});
  return series;
}

/// The model and the tokens with the least loss for each budget.
std::string frontier_picture(const FitReport& report) {
  return line_chart_svg({"compute-optimal model and tokens by the law of the loss",
                         {"compute, 6 N D", "FLOP"},
                         {"parameters, tokens", "1"},
                         {over_compute(report, "parameters", &LossPoint::parameters),
                          over_compute(report, "tokens", &LossPoint::train_tokens)}});
}

std::string frontier_loss_picture(const FitReport& report) {
  return line_chart_svg({"least loss by the law of the loss",
                         {"compute, 6 N D", "FLOP"},
                         {"loss", "1"},
                         {over_compute(report, "", &LossPoint::loss)}});
}

}  // namespace

std::vector<std::pair<std::string, std::string>> fit_pictures(const FitReport& report, const DrawnLaw& law) {
  std::vector<std::pair<std::string, std::string>> pictures;
  const std::size_t groups =
      report.judged.scoring ? std::min(report.read.selected.groups.size(), most_group_pictures) : 0;
  for (std::size_t g = 0; g < groups; ++g)
    pictures.emplace_back(fmt::format("group-{:03}.svg", g + 1),
                          group_picture(report, g, law.law.at(report.read.selected.groups[g].scale), law.name));
  pictures.emplace_back("law-lr-N.svg", law_figure(report, law, {LawTarget::learning_rate, LawAxis::size}));
  pictures.emplace_back("law-lr-D.svg", law_figure(report, law, {LawTarget::learning_rate, LawAxis::tokens}));
  pictures.emplace_back("law-batch-N.svg", law_figure(report, law, {LawTarget::batch_tokens, LawAxis::size}));
  pictures.emplace_back("law-batch-D.svg", law_figure(report, law, {LawTarget::batch_tokens, LawAxis::tokens}));
  if (!report.fitted.frontier.empty()) {
    pictures.emplace_back("frontier.svg", frontier_picture(report));
    pictures.emplace_back("frontier-loss.svg", frontier_loss_picture(report));
  }
  return pictures;
}

}  // namespace dfsweep::fit
