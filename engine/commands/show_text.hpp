/// What `show` says: the summary of a result file, the rows of an answer, the list of its columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/commands/status_reasons.hpp"
#include "engine/results/result_rows.hpp"
#include "engine/results/summary.hpp"
#include "io/terminal.hpp"
#include "models/explanation.hpp"

namespace dfsweep {

struct ShownQuestion {
  enum class Kind : std::uint8_t { best, pareto, first };
  Kind kind = Kind::best;
  std::vector<const DatasetColumn*> metrics = {};  ///< one to rank by, or those of the front
  std::vector<const DatasetColumn*> by = {};
  std::size_t top = 0;        ///< 0: all
  bool names_status = false;  ///< the condition decides about rows that are not ok
};

struct ShownAnswer {
  std::vector<std::uint64_t> rows;
  RowCounts counts = {};
  std::size_t on_front = 0;
  std::vector<const DatasetColumn*> columns = {};
  std::vector<const DatasetColumn*> further = {};  ///< metrics that are shown when asked for
};

struct ShownResult {
  const DatasetReader* file = nullptr;
  std::string path;
  std::string condition;  ///< of --where, empty: none
  std::optional<ResultSummary> summary;
  std::vector<NearestMiss> misses = {};  ///< with the summary, where the estimator can be asked about them
  std::optional<ShownQuestion> question;
  ShownAnswer answer;
  std::vector<Explanation> sensitivities = {};  ///< of the first rows, where asked for
};

/// The summary if there is one, then the answer.
[[nodiscard]] std::string result_text(const ShownResult& shown, const Terminal& terminal);
[[nodiscard]] Json result_json(const ShownResult& shown);

/// What the answer is, as a title: "best step_time (lower is better) by model where device == 'h100'".
[[nodiscard]] std::string answer_title(const ShownResult& shown);

/// Every column with its unit, direction and meaning.
[[nodiscard]] std::string columns_text(const DatasetReader& file, const Terminal& terminal);
[[nodiscard]] Json columns_json(const DatasetReader& file);

}  // namespace dfsweep
