/// What `show` prints: the summary of a result file, the rows of an answer, the list of its columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/analysis_summary.hpp"
#include "engine/commands/status.hpp"
#include "engine/result_rows.hpp"
#include "io/terminal.hpp"

namespace dfsweep {

struct ShownQuestion {
  enum class Kind : std::uint8_t { best, pareto };
  Kind kind = Kind::best;
  std::vector<const DatasetColumn*> metrics = {};  ///< one to rank by, or those of the front
  std::vector<const DatasetColumn*> by = {};
  std::size_t top = 0;        ///< 0: all
  bool names_status = false;  ///< the condition decides about rows that are not ok
};

struct ShownAnswer {
  std::vector<std::uint64_t> rows;
  std::uint64_t considered = 0;  ///< rows that fulfil the condition
  std::uint64_t not_ok = 0;
  std::uint64_t no_value = 0;
  std::size_t on_front = 0;
  std::vector<const DatasetColumn*> columns;
};

struct ShownResult {
  const DatasetReader* file = nullptr;
  std::string path;
  std::string condition;  ///< of --where, empty: none
  std::optional<ResultSummary> summary;
  std::optional<ShownQuestion> question;
  ShownAnswer answer;
};

/// Writes to standard output.
void print_result(const ShownResult& shown, OutputForm form, const Terminal& terminal);
void print_columns(const ShownResult& shown, OutputForm form, const Terminal& terminal);

}  // namespace dfsweep
