#include "engine/fit/output/parameter_sets_json.hpp"

#include "engine/fit/output/json.hpp"

namespace dfsweep::fit {

Json parameter_sets_json(const ParameterSets& sets, double sequence_length) {
  JsonArray coefficients;
  for (const ParameterSets::Column& column : sets.columns) {
    JsonObject json{{"target", column.target}, {"parameter", column.parameter}};
    for (auto& member : replicate_summary_json(column.summary)) json.push_back(std::move(member));
    json.emplace_back("mode", column.mode);
    coefficients.emplace_back(std::move(json));
  }
  JsonArray predictions;
  for (const auto& [scale, laws] : sets.predictions)
    predictions.emplace_back(ensemble_json(scale, laws, sequence_length));
  return JsonObject{{"file", sets.file},
                    {"sets", sets.laws.size()},
                    {"coefficients", std::move(coefficients)},
                    {"predictions", std::move(predictions)}};
}

}  // namespace dfsweep::fit
