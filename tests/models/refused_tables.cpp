/// Published tables that must compile (CASE 0) or must not (1: two exchanged rows, 2: a missing row).
#include "models/published_rows.hpp"

namespace {

using namespace dfsweep;
using namespace dfsweep::published;

enum class Parameter : ParameterIndex { model, device, count };

constexpr auto rows = std::to_array<Row<Parameter, ParameterInfo>>({
#if CASE == 1
  {Parameter::device, entry_of("device", "devices", "the chip")},
      {Parameter::model, entry_of("model", "models", "the workload")},
#elif CASE == 2
  {Parameter::model, entry_of("model", "models", "the workload")},
#else
  {Parameter::model, entry_of("model", "models", "the workload")},
      {Parameter::device, entry_of("device", "devices", "the chip")},
#endif
});
static_assert(is_in_order(rows));

}  // namespace
