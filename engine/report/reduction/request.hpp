/// ReportRequest: what the user of a report chose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace dfsweep::report {

struct ReportRequest {
  std::string facet;                                            ///< axis of the panels; empty: chosen
  std::vector<std::string> metrics;                             ///< shown first; empty: chosen
  std::vector<std::pair<std::string, std::string>> trade_offs;  ///< shown before those of the estimator
  std::size_t cells = 20000;                                    ///< most cells of the cube
  std::size_t budget = 4'500'000;                               ///< bytes of the data in the page, about
  unsigned threads = 1;
};

}  // namespace dfsweep::report
