/// Views: which axes and metrics the parts of the page show, chosen from the tables of the estimator and the result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/report/reduction/subject.hpp"

namespace dfsweep::report {

/// What the user of a report chose.
struct ReportRequest {
  std::string facet;                                            ///< axis of the panels; empty: chosen
  std::vector<std::string> metrics;                             ///< shown first; empty: chosen
  std::vector<std::pair<std::string, std::string>> trade_offs;  ///< shown before those of the estimator
  std::size_t cells = 20000;                                    ///< most cells of the cube
  std::size_t budget = 2'500'000;                               ///< bytes of the data in the page, about
  unsigned threads = 1;
};

/// Places in Subject::axes and Subject::metrics.
struct Views {
  std::vector<std::size_t> metrics;     ///< that the page carries, in its order
  std::vector<std::size_t> objectives;  ///< metrics whose best rows the cube knows; each has a direction
  std::optional<std::size_t> decides;   ///< the metric that the sweep is about
  std::optional<std::size_t> task;      ///< axis of problems whose values do not compete with one another
  std::optional<std::size_t> compute;   ///< axis of systems or chips
  std::vector<std::size_t> heat;
  std::optional<std::size_t> facet;
  bool is_facet_asked = false;  ///< the user named it
  std::optional<std::size_t> y;
  std::vector<std::size_t> x;  ///< columns are the product of these axes; at most two
  std::optional<std::size_t> total;
  std::vector<std::size_t> parts;
  bool parts_add_up = true;
  std::vector<std::pair<std::size_t, std::size_t>> trade_offs;
  std::optional<std::size_t> lines_x;
  std::optional<std::size_t> lines_series;
  std::vector<std::size_t> cube_axes;  ///< the first ones matter most
};

/// Columns of metrics that a page may show, of a file that may have many more. Throws UsageError where the request
/// names what the file does not have.
[[nodiscard]] std::vector<const DatasetColumn*> candidate_metrics(const DatasetReader& file,
                                                                  const ReportRequest& request);

/// Throws UsageError where the request names an axis or a metric that cannot be shown so. `first_axes`: names of axes
/// that the cube holds before all others.
[[nodiscard]] Views choose_views(const Subject& subject, const ReportRequest& request,
                                 const std::vector<std::string>& first_axes = {});

}  // namespace dfsweep::report
