/// Decision: by which metric the rows of a result are ranked, and which of its axes are problems or chips.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "engine/report/reduction/subject.hpp"
#include "models/result_views.hpp"

namespace dfsweep::report {

/// The axis whose values are different problems, which do not compete: the first of model, sequence_length and
/// prompt_tokens that varies. A place in Subject::axes.
[[nodiscard]] std::optional<std::size_t> task_axis(const Subject& subject);

/// The axis of systems or devices, where one varies. A place in Subject::axes.
[[nodiscard]] std::optional<std::size_t> compute_axis(const Subject& subject);

/// Whether an axis such as the batch changes the work of a step within a task, so that times of steps do not compete.
[[nodiscard]] bool steps_differ(const Subject& subject);

/// The metric that a sweep is about: the first of `asked`, else the metric of its search, else the first of the
/// headline, of those that have values and a direction. The total (the time of a step) is passed over where
/// steps differ and another metric of these remains. A place in Subject::metrics.
[[nodiscard]] std::optional<std::size_t> deciding_metric(const Subject& subject, std::span<const std::string> asked,
                                                         const ResultViews& published);

}  // namespace dfsweep::report
