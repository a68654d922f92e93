#include "engine/fit/output/parameter_sets_json.hpp"

#include "engine/fit/tables/fit_tables.hpp"
#include "engine/fit/tables/table_rendering.hpp"

namespace dfsweep::fit {

Json parameter_sets_json(const ParameterSets& sets, double sequence_length) {
  return JsonObject{{"file", sets.file},
                    {"sets", sets.laws.size()},
                    {"coefficients", rows_json(parameter_set_coefficients_table(sets))},
                    {"predictions", rows_json(parameter_set_predictions_table(sets, sequence_length))}};
}

}  // namespace dfsweep::fit
