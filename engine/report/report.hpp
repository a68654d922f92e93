/// Report: everything that a page shows of one result.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/report/reduction/gathered.hpp"
#include "engine/report/reduction/kept_rows.hpp"
#include "engine/report/reduction/ranking.hpp"
#include "engine/report/reduction/reduction.hpp"
#include "engine/report/reduction/subject.hpp"
#include "engine/report/reduction/views.hpp"

namespace dfsweep::report {

struct Report {
  Subject subject;
  Views views;
  Reduction reduction;
  std::vector<Ranking> rankings;  ///< the answer: winner and runner-up of each task
  KeptRows kept;
  GatheredRows kept_rows;     ///< metrics: those of the views
  GatheredRows sampled_rows;  ///< likewise
};

/// `first_axes`: as for choose_views. Throws UsageError, BadDataset, IoError. Pre: `file` outlives the report.
[[nodiscard]] Report make_report(const DatasetReader& file, const ReportRequest& request,
                                 const std::vector<std::string>& first_axes = {});

}  // namespace dfsweep::report
