/// Pictures of a fit: the loss of every group over learning rate and batch, and the law against N and D.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/fit/report/fit_report.hpp"

namespace dfsweep::fit {

struct DrawnLaw {
  std::string name;
  LawForm form;
  ScalingLaw law;
  /// Its intervals; null where it has none.
  const law_fits::ScatteredLaw* scattered = nullptr;
};

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
