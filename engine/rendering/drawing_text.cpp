/// Facts and amounts of a drawing in words.
#include "engine/rendering/drawing_text.hpp"

#include "io/number_format.hpp"
#include "models/absent.hpp"

namespace dfsweep {

std::string fact_text(const Fact& fact) {
  if (const auto* text = std::get_if<std::string>(&fact.value)) return fact.label + " " + *text;
  return fact.label + " " + with_unit(std::get<double>(fact.value), fact.unit);
}

std::string amount_text(const Drawing& drawing, const Drawing::Edge& edge) {
  return !is_given(edge.amount) ? std::string() : with_unit(edge.amount, drawing.edge_unit);
}

}  // namespace dfsweep
