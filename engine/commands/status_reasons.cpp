#include "engine/commands/status_reasons.hpp"

#include <fmt/format.h>

#include "engine/console/usage_error.hpp"
#include "engine/sweep/point_codes.hpp"
#include "io/dataset_contents.hpp"
#include "io/diagnostic.hpp"
#include "io/file_system.hpp"
#include "io/number_format.hpp"

namespace dfsweep {

std::string_view shortfall_name(const Estimator& estimator) {
  const std::optional<MetricIndex> metric = estimator.shortfall();
  return metric ? estimator.metrics()[*metric].name : std::string_view();
}

void add_reasons(std::vector<NearestMiss>& misses, const SweepSpec& spec, const PreparedSweep& prepared) {
  for (NearestMiss& miss : misses)
    if (miss.status != "failed") miss.reason = reason_of_point(spec, prepared, miss.point);
}

std::string reason_where_possible(const std::function<std::string()>& explain) {
  try {
    return explain();
  } catch (const UserError&) {
  } catch (const UsageError&) {
  } catch (const BadDataset&) {
  } catch (const IoError&) {
  }
  return {};
}

std::string reasons_text(const std::vector<NearestMiss>& misses, const Terminal& terminal) {
  std::string text;
  for (const NearestMiss& miss : misses) {
    if (miss.reason.empty()) continue;
    const std::string line =
        fmt::format("{}: {}; {} {}: {}", miss.status, counted(miss.rows, "row"),
                    miss.is_nearest ? "nearest miss, point" : "first, point", miss.point, miss.reason);
    text += "  " + wrapped(printable(line), terminal, 4);
  }
  return text;
}

Json reasons_json(const std::vector<NearestMiss>& misses) {
  JsonArray list;
  for (const NearestMiss& miss : misses)
    list.emplace_back(JsonObject{{"status", miss.status},
                                 {"rows", miss.rows},
                                 {"point", miss.point},
                                 {"is_nearest", miss.is_nearest},
                                 {"reason", miss.reason.empty() ? Json(nullptr) : Json(miss.reason)}});
  return list;
}

}  // namespace dfsweep
