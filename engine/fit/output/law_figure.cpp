/// A law as a figure: one target against N or D, with the groups' optima, its interval and the published law.
#include "engine/fit/output/pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/rendering/svg_plot.hpp"

namespace dfsweep::fit {

using namespace law_fits;

namespace {

constexpr double figure_margin = 0.35;
constexpr std::size_t most_drawn_groups = 5000;
constexpr std::size_t most_levels = 4;
constexpr std::size_t line_points = 33;
constexpr const char* grey = "#4d5656";

/// A ramp whose lightness rises, from dark blue to green; its light end is left out, which paper does not show.
std::string shade(double t) {
  constexpr std::array<std::array<double, 3>, 4> stops = {
      {{68.0, 1.0, 84.0}, {59.0, 82.0, 139.0}, {33.0, 145.0, 140.0}, {122.0, 190.0, 60.0}}};
  const double place = std::clamp(t, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
  const std::size_t i = std::min(static_cast<std::size_t>(place), stops.size() - 2);
  const double part = place - static_cast<double>(i);
  std::array<long, 3> mixed{};
  for (std::size_t c = 0; c < 3; ++c) mixed[c] = std::lround(stops[i][c] + part * (stops[i + 1][c] - stops[i][c]));
  return fmt::format("#{:02x}{:02x}{:02x}", mixed[0], mixed[1], mixed[2]);
}

/// "2.15e9", "150".
std::string compact(double number) {
  if (number < 1e4) return fmt::format("{:.3g}", number);
  const int power = static_cast<int>(std::floor(std::log10(number) + 1e-9));
  return fmt::format("{:.3g}e{}", number / std::pow(10.0, power), power);
}

/// One group's optimum.
struct Optimum {
  TrainingScale scale;
  double value = 0.0;  ///< ln of the target
  RunFamily family = RunFamily::dense;
};

/// Points of a figure and what its axes mean.
class Figure {
 public:
  Figure(const FitReport& report, const DrawnLaw& law, const LawView& view) : law_(law), view_(view) {
    const FeatureSet features = is_rate() ? law.form.learning_rate : law.form.batch_tokens;
    is_activated_ = features.has(LawFeature::activated);
    find_optima(report);
    find_levels();
    find_frame();
  }

  [[nodiscard]] std::string draw() const {
    SvgPicture picture(fmt::format("{} against {}", is_rate() ? "Optimal learning rate" : "Optimal tokens per step",
                                   view_.axis == LawAxis::size ? size_name() : "training tokens"),
                       frame_);
    for (const double level : levels_) draw_level(picture, level);
    draw_published(picture);
    for (const Optimum& each : optima_)
      picture.mark({x_of(each.scale), each.value}, marker_of(each.family), colour_of(level_of(each.scale)),
                   fmt::format("N {}, Na {}, D {}: {:.4g}", compact(each.scale.parameters),
                               compact(each.scale.activated_parameters), compact(each.scale.train_tokens),
                               std::exp(each.value)));
    picture.axes(view_.axis == LawAxis::size ? size_name() : "D, training tokens",
                 is_rate() ? "peak learning rate" : "tokens per step");
    draw_key(picture);
    return picture.take();
  }

 private:
  [[nodiscard]] bool is_rate() const { return view_.target == LawTarget::learning_rate; }
  [[nodiscard]] std::string size_name() const { return is_activated_ ? "Na, activated parameters" : "N, parameters"; }
  [[nodiscard]] double size_of(const TrainingScale& scale) const {
    return is_activated_ ? scale.activated_parameters : scale.parameters;
  }
  [[nodiscard]] double x_of(const TrainingScale& scale) const {
    return std::log(view_.axis == LawAxis::size ? size_of(scale) : scale.train_tokens);
  }
  [[nodiscard]] double level_of(const TrainingScale& scale) const {
    return std::log(view_.axis == LawAxis::size ? scale.train_tokens : size_of(scale));
  }
  [[nodiscard]] double value_of(LogPoint point) const { return is_rate() ? point.x : point.y; }
  [[nodiscard]] static Marker marker_of(RunFamily family) {
    return family == RunFamily::dense ? Marker::circle : Marker::square;
  }
  [[nodiscard]] std::string colour_of(double level) const {
    const double spread = levels_.back() - levels_.front();
    return shade(spread > 0.0 ? (level - levels_.front()) / spread : 0.0);
  }

  /// The scale of a model that is dense, with the compute per token that the groups have.
  [[nodiscard]] TrainingScale scale_at(double x, double level) const {
    const double size = std::exp(view_.axis == LawAxis::size ? x : level);
    return {size, size, std::exp(view_.axis == LawAxis::size ? level : x), flops_per_parameter_ * size, 0.0};
  }

  void find_optima(const FitReport& report) {
    double ln_flops = 0.0;
    double known = 0.0;
    for (std::size_t i = 0; i < std::min(law_.optima.groups.size(), most_drawn_groups); ++i) {
      const SelectedGroup& group = report.read.selected.groups[law_.optima.groups[i]];
      optima_.push_back({group.scale, value_of(law_.optima.points[i]), group.key.family});
      if (group.scale.flops_per_token > 0.0) {
        ln_flops += std::log(group.scale.flops_per_token / group.scale.activated_parameters);
        known += 1.0;
      }
    }
    if (known > 0.0) flops_per_parameter_ = std::exp(ln_flops / known);
  }

  /// A few of the values that occur: those nearest to evenly spaced ones, the least and the greatest among them.
  void find_levels() {
    std::vector<double> all;
    for (const Optimum& each : optima_) all.push_back(level_of(each.scale));
    std::sort(all.begin(), all.end());
    for (std::size_t i = 0; i < most_levels; ++i) {
      const double wanted =
          all.front() + static_cast<double>(i) / static_cast<double>(most_levels - 1) * (all.back() - all.front());
      const double nearest = *std::min_element(
          all.begin(), all.end(), [wanted](double a, double b) { return std::abs(a - wanted) < std::abs(b - wanted); });
      if (levels_.empty() || nearest > levels_.back() + 1e-3) levels_.push_back(nearest);
    }
  }

  void find_frame() {
    frame_ = {1e300, -1e300, 1e300, -1e300};
    for (const Optimum& each : optima_) {
      frame_.x_low = std::min(frame_.x_low, x_of(each.scale) - figure_margin);
      frame_.x_high = std::max(frame_.x_high, x_of(each.scale) + figure_margin);
      include(each.value);
    }
    for (const double level : levels_)
      for (const LogPoint& point : line(level, law_.law)) include(point.y);
  }

  void include(double value) {
    if (!std::isfinite(value)) return;
    frame_.y_low = std::min(frame_.y_low, value - figure_margin);
    frame_.y_high = std::max(frame_.y_high, value + figure_margin);
  }

  template <typename Law>
  [[nodiscard]] std::vector<LogPoint> line(double level, const Law& law) const {
    std::vector<LogPoint> points;
    for (std::size_t i = 0; i < line_points; ++i) {
      const double t = static_cast<double>(i) / static_cast<double>(line_points - 1);
      const double x = frame_.x_low + t * (frame_.x_high - frame_.x_low);
      points.push_back({x, value_of(law.at(scale_at(x, level)))});
    }
    return points;
  }

  void draw_level(SvgPicture& picture, double level) const {
    const std::vector<LogPoint> middle = line(level, law_.law);
    if (!std::isfinite(middle.front().y)) return;
    if (law_.scattered != nullptr) {
      std::vector<LogPoint> low;
      std::vector<LogPoint> high;
      for (const LogPoint& point : middle) {
        const Interval interval =
            predict(law_.scattered->of(view_.target), scale_at(point.x, level), interval_confidence).interval;
        low.push_back({point.x, interval.low});
        high.push_back({point.x, interval.high});
      }
      picture.band(low, high, colour_of(level));
    }
    picture.line(middle, colour_of(level), law_.name);
  }

  /// In the colours of the levels, or once in grey where it is the same at all of them.
  void draw_published(SvgPicture& picture) const {
    const PublishedLaw& published = published_laws().front();
    if (is_published_constant()) {
      picture.line(line(levels_.front(), published), grey, published.name, Stroke::dashed);
      return;
    }
    for (const double level : levels_)
      picture.line(line(level, published), colour_of(level), published.name, Stroke::dashed);
  }
  [[nodiscard]] bool is_published_constant() const {
    const PublishedLaw& published = published_laws().front();
    return line(levels_.front(), published).front() == line(levels_.back(), published).front();
  }

  void draw_key(SvgPicture& picture) const {
    picture.key_title(view_.axis == LawAxis::size ? "D, training tokens" : size_name());
    for (const double level : levels_) picture.key_line(colour_of(level), Stroke::solid, compact(std::exp(level)));
    picture.key_title(law_.optima.what);
    for (const RunFamily family : {RunFamily::dense, RunFamily::moe})
      if (std::any_of(optima_.begin(), optima_.end(), [&](const Optimum& each) { return each.family == family; }))
        picture.key_mark(marker_of(family), grey, family == RunFamily::dense ? "dense" : "mixture of experts");
    picture.key_title("laws");
    picture.key_line(grey, Stroke::solid, law_.name);
    if (law_.scattered != nullptr)
      picture.key_band(grey, fmt::format("its {:g} % interval", 100.0 * interval_confidence));
    picture.key_line(grey, Stroke::dashed, "published step law");
  }

  const DrawnLaw& law_;
  LawView view_;
  bool is_activated_ = false;
  double flops_per_parameter_ = 6.0;
  std::vector<Optimum> optima_;
  std::vector<double> levels_;  ///< ln, ascending
  PictureFrame frame_;
};

}  // namespace

std::string law_figure(const FitReport& report, const DrawnLaw& law, const LawView& view) {
  return Figure(report, law, view).draw();
}

}  // namespace dfsweep::fit
