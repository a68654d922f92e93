/// Reading of fields that must compile (CASE 0) or must not (1: a misspelt field, 2: a field of another kind).
#include "models/declared_fields.hpp"

double cores_of(const dfsweep::Entry& entry, std::vector<dfsweep::EntryProblem>& problems) {
  dfsweep::FieldsOf<dfsweep::DeviceField> fields(entry, problems);
#if CASE == 1
  return fields.positive("coers");
#elif CASE == 2
  return fields.positive("price_per_bandwidth");
#else
  return fields.positive("cores");
#endif
}
