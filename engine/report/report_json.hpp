/// The data of a page as JSON, in the format "dfsweep-report" (docs/report.md).
#pragma once

#include <optional>
#include <span>
#include <string>

#include "engine/report/report.hpp"
#include "engine/results/open_result.hpp"
#include "io/json.hpp"

namespace dfsweep::report {

inline constexpr int report_format_version = 1;

/// Numbers as base64 of their bytes, little-endian.
[[nodiscard]] std::string float32_column(std::span<const double> values);
[[nodiscard]] std::string uint32_column(std::span<const std::uint32_t> values);
[[nodiscard]] std::string int32_column(std::span<const std::int32_t> values);
[[nodiscard]] std::string uint8_column(std::span<const std::uint8_t> values);
/// {bytes, codes}: places in the values of an axis that has `count` of them; AxisCoder::no_code: no value.
[[nodiscard]] JsonObject codes_json(std::span<const std::uint32_t> codes, std::size_t count);
/// Numbers of points in the narrowest type that holds all of them.
[[nodiscard]] Json points_json(std::span<const std::uint64_t> points);
/// {name, scale, lo, hi, count}
[[nodiscard]] Json histogram_json(const std::string& name, const Histogram& histogram);

/// {name, kind, unit, values, in_cube}. `in_cube`: whether the cube has the axis.
[[nodiscard]] Json axis_json(const SubjectAxis& axis, bool in_cube);
/// The front of the rows that any filters leave is among the kept rows.
[[nodiscard]] bool are_fronts_exact(const Report& report);
/// "min", "max" or "none".
[[nodiscard]] std::string better_word(Better better);

/// The member `views`: names of axes and metrics.
[[nodiscard]] Json views_json(const Report& report);
/// The member `answer`: the first rows of each task, as places in the kept rows.
[[nodiscard]] Json answer_json(const Report& report);

/// All members of one result. `progress`: of a run that is not finished.
[[nodiscard]] JsonObject report_json(const Report& report, const std::optional<BlockProgress>& progress);

}  // namespace dfsweep::report
