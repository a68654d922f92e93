/// An estimator's tables, as text, as JSON, and as Markdown of the reference pages: generated, so that they cannot be
/// out of date.
#pragma once

#include <span>
#include <string>

#include "engine/tables/table.hpp"
#include "io/json.hpp"
#include "models/estimator.hpp"

namespace dfsweep {

[[nodiscard]] DataTable parameters_table(std::span<const ParameterInfo> parameters);
/// Pre: the metrics are of this estimator.
[[nodiscard]] DataTable metrics_table(const Estimator& estimator, std::span<const MetricInfo> metrics);
/// "with values also where the status is out_of_memory", if that holds for all these metrics; else empty.
[[nodiscard]] std::string shared_statuses_note(const Estimator& estimator, std::span<const MetricInfo> metrics);
[[nodiscard]] DataTable statuses_table(std::span<const StatusInfo> statuses);
/// Numbers of entries that measurements may correct.
[[nodiscard]] DataTable calibration_table(const Estimator& estimator);

/// A column of names, which stay whole, and of texts, which are broken into lines where the width does not suffice.
[[nodiscard]] ColumnLook name_look(std::string heading, int weight);
[[nodiscard]] ColumnLook text_look(std::string heading, int weight);

/// The page docs/reference/<estimator>.md.
[[nodiscard]] std::string reference_page(const Estimator& estimator);

[[nodiscard]] Json estimator_json(const Estimator& estimator);

}  // namespace dfsweep
