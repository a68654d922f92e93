/// Pictures of a fit: the loss of every group over learning rate and batch, and the law against N and D.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/fit/report/fit_report.hpp"

namespace dfsweep::fit {

/// What a law was fitted to: a point of each group.
struct DrawnOptima {
  std::string what;                 ///< "optima, cubic within 1 %"
  std::vector<std::size_t> groups;  ///< those that took part, ascending
  std::vector<LogPoint> points;     ///< in their order
};

struct DrawnLaw {
  std::string name;
  LawForm form;
  ScalingLaw law;
  /// Its intervals; null where it has none.
  const law_fits::ScatteredLaw* scattered = nullptr;
  DrawnOptima optima;
};

/// The optima that the law with intervals was fitted to.
[[nodiscard]] DrawnOptima fitted_optima(const law_fits::ScatteredLaw& law);
/// What a law by another method was fitted to. A joint surface has no optimum of a group: the runs' own surfaces
/// in its window take their place, and the labels say so.
[[nodiscard]] DrawnOptima fitted_optima(const FitReport& report, std::size_t subset, const law_fits::FitMethod& method);

enum class LawAxis : std::uint8_t { size, tokens };

struct LawView {
  law_fits::LawTarget target = law_fits::LawTarget::learning_rate;
  LawAxis axis = LawAxis::size;
};

/// The size is Na where the target depends on it, else N. Lines are drawn for a few values of the quantity that is not
/// on the axis, by colour; dense and MoE groups have marks of their own and are never joined.
[[nodiscard]] std::string law_figure(const FitReport& report, const DrawnLaw& law, const LawView& view);

/// File names and SVG texts.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> fit_pictures(const FitReport& report,
                                                                            const DrawnLaw& law);

}  // namespace dfsweep::fit
