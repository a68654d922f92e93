/// Measured rows beside the rows of a result that have the same parameters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/report/reduction/subject.hpp"
#include "io/html/page.hpp"
#include "io/json.hpp"

namespace dfsweep::report {

struct MeasuredRow {
  std::uint64_t line = 0;  ///< of the file
  std::string name;
  std::string group;  ///< rows of one group have one colour; "" where the file has nothing to group by
  double measured = 0.0;
  double predicted = 0.0;  ///< NaN where the row could not be joined
  std::string problem;     ///< why it could not
};

struct MeasuredRows {
  const DatasetColumn* metric = nullptr;
  std::vector<std::string> ignored;  ///< columns that are neither parameters, nor the metric, nor names
  std::vector<MeasuredRow> rows;
  [[nodiscard]] std::size_t joined() const;
  /// |predicted / measured - 1| at that share of the joined rows, ascending; NaN where there are none.
  [[nodiscard]] double error_at(double share) const;
};

/// `text`: a CSV file, called `shown` in messages. Its columns named like axes or fixed parameters say which row of the
/// result is meant; the first one named like a metric is what was measured; `name` and `group` are texts. Numbers may
/// have units. Throws UserError where the file is malformed or has no such column.
[[nodiscard]] MeasuredRows join_measured(const DatasetReader& file, std::string text, const std::string& shown);

/// The member `measured` of the page's data.
[[nodiscard]] Json measured_json(const MeasuredRows& measured);
[[nodiscard]] html::Table measured_table(const MeasuredRows& measured);
/// "40 of 42 measured rows are joined; line 7: ...".
[[nodiscard]] std::string measured_summary(const MeasuredRows& measured);

}  // namespace dfsweep::report
