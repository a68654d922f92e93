/// `dfsweep describe`: the estimators, their parameters, metrics and statuses, and the catalogue with units and
/// sources.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/commands/status.hpp"
#include "engine/console/exit_status.hpp"
#include "io/terminal.hpp"

namespace dfsweep {

enum class DescribeForm : std::uint8_t { text, json, markdown };

/// Tables of an estimator.
enum class DescribeTables : std::uint8_t {
  overview,     ///< what it needs and what decides; names of all else
  all,          ///< parameters, metrics, statuses, data
  calibration,  ///< numbers of entries that measurements may correct
};

struct DescribeOptions {
  /// Nothing: the list of estimators. {"dataflow"}: its tables; further words: its parameters, metrics and statuses of
  /// these names. {"model", "gpt3-1t"}: sizes of models, by name or file. {"catalogue"}: kinds of entries.
  /// {"catalogue", "devices"}: entries of a kind. {"catalogue", "devices", "h100"}: one entry.
  std::vector<std::string> subject;
  DescribeForm form = DescribeForm::text;  ///< markdown: of an estimator only
  DescribeTables tables = DescribeTables::overview;
  ColourChoice colour = ColourChoice::automatic;
  std::vector<std::filesystem::path> catalogues;  ///< as SweepReading::catalogues
};

/// Throws UsageError where there is no such subject, UserError where an entry is malformed.
[[nodiscard]] ExitStatus run_describe(const DescribeOptions& options);

}  // namespace dfsweep
