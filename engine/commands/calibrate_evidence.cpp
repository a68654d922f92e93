/// What left-out rows say about classes of rows, and which rows a fit calls infeasible.
#include "engine/commands/calibrate_evidence.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "engine/calibration/row_classes.hpp"
#include "engine/tables/rendering.hpp"
#include "models/absent.hpp"

namespace dfsweep {

namespace {

std::string share_text(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

/// What is said of rows like those of one class.
struct ClassLine {
  std::string name;
  std::size_t rows = 0, groups = 0;
  double median = 0.0;
  double low = 1.0, high = 1.0;  ///< measured over predicted
  double coverage = absent, coverage_of_groups = absent;
};

}  // namespace

DataTable classes_table(const CalibrationReport& report) {
  std::vector<ClassLine> lines;
  for (std::size_t c = 0; c < report.of_class.size(); ++c) {
    const calibration::StatedError& stated = report.of_class[c];
    if (stated.rows == 0) continue;
    lines.push_back({std::string(name_of(row_class_at(c))), stated.rows, stated.groups, stated.median,
                     std::exp(-stated.log_errors.high), std::exp(-stated.log_errors.low), stated.coverage,
                     stated.coverage_of_groups});
  }
  const auto percent_or_blank = [](double share) { return std::isnan(share) ? std::string() : share_text(share); };
  TableOf<ClassLine> table(std::move(lines));
  table.add({"class"}, &ClassLine::name, {"what other rows say", 3})
      .add({"rows"}, &ClassLine::rows, {"rows"})
      .add({"groups"}, &ClassLine::groups, {"groups"})
      .add({"expected_error"}, &ClassLine::median, {"median", 0, share_text})
      .show(ColumnLook{.heading = "90 % of runs take", .align = Align::right},
            [](const ClassLine& line) { return fmt::format("{:.2f} to {:.2f} x", line.low, line.high); })
      .add({"measured_low"}, &ClassLine::low)
      .add({"measured_high"}, &ClassLine::high)
      .add({"coverage_of_90_percent"}, &ClassLine::coverage, {"held for", 0, percent_or_blank})
      .add({"coverage_of_groups"}, &ClassLine::coverage_of_groups, {"mean of groups", 0, percent_or_blank});
  return table.take();
}

std::string feasibility_text(const CalibrationReport& report, const Terminal& terminal) {
  if (!report.feasibility) return {};
  const Feasibility& f = *report.feasibility;
  std::string text =
      fmt::format("rows that ran and are called infeasible: {} of {} before, {} after", f.before, f.rows, f.after);
  if (!f.limited.empty())
    text += fmt::format(" (they would be {}: used in part are the corrections of {})", f.unlimited,
                        fmt::join(f.limited, ", "));
  return "\n" + wrapped(text, terminal, 0);
}

JsonObject feasibility_json(const Feasibility& f) {
  return {{"rows", f.rows},
          {"before", f.before},
          {"after_unlimited", f.unlimited},
          {"after", f.after},
          {"limited", JsonArray(f.limited.begin(), f.limited.end())}};
}

}  // namespace dfsweep
