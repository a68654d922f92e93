/// What `show` says: the summary of a result file, the rows of an answer, rejections, the list of its columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/commands/status_reasons.hpp"
#include "engine/results/open_result.hpp"
#include "engine/results/rejections.hpp"
#include "engine/results/result_rows.hpp"
#include "engine/results/row_condition.hpp"
#include "engine/results/summary.hpp"
#include "io/terminal.hpp"
#include "models/absent.hpp"
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

/// A ranking of an answer: how far the second row is behind the first, and how well such values are known.
struct ShownRanking {
  std::size_t first = 0;  ///< place of its first row in the answer
  std::size_t rows = 0;
  std::size_t tied = 0;    ///< first rows within the expected error of the best one
  double margin = absent;  ///< of the second row: 0.012 is 1.2 % behind; NaN without a second row
  double error = absent;   ///< expected relative error of the best value; NaN: not known
};

struct ShownAnswer {
  std::vector<std::uint64_t> rows;
  RowCounts counts = {};
  std::size_t on_front = 0;
  std::vector<ShownRanking> rankings = {};  ///< of best rows: one, or one for each group
  std::vector<const DatasetColumn*> columns = {};
  std::vector<const DatasetColumn*> further = {};  ///< metrics that are shown when asked for
};

struct ShownResult {
  const DatasetReader* file = nullptr;
  std::optional<BlockProgress> progress = {};  ///< of a run that is not finished
  std::string path;
  std::string condition;  ///< of --where, empty: none
  std::optional<ResultSummary> summary;
  std::vector<NearestMiss> misses = {};  ///< with the summary, where the estimator can be asked about them
  std::optional<ShownQuestion> question;
  ShownAnswer answer;
  std::vector<Explanation> sensitivities = {};  ///< of the first rows, where asked for
};

/// Parts of both.
[[nodiscard]] std::string summary_text(const ShownResult& shown, const Terminal& terminal);
[[nodiscard]] Json summary_json(const ShownResult& shown);

/// The rankings of best rows. Pre: `answer.rows` are those of the question, group by group.
[[nodiscard]] std::vector<ShownRanking> rankings_of(const DatasetReader& file, const ShownQuestion& question,
                                                    const std::vector<std::uint64_t>& rows);

/// Leaves of rows that are nearly equal in the metrics of the question the first of each ranking, or of the front.
[[nodiscard]] std::vector<std::uint64_t> one_per_tie(const DatasetReader& file, const ShownQuestion& question,
                                                     const std::vector<std::uint64_t>& rows);

/// How much is finished if not all is, the summary if there is one, then the answer.
[[nodiscard]] std::string result_text(const ShownResult& shown, const Terminal& terminal);
[[nodiscard]] Json result_json(const ShownResult& shown);

/// What the answer is, as a title: "best step_time (lower is better) by model where device == 'h100'".
[[nodiscard]] std::string answer_title(const ShownResult& shown);

/// Every column with its unit, direction and meaning.
[[nodiscard]] std::string columns_text(const DatasetReader& file, const Terminal& terminal);
[[nodiscard]] Json columns_json(const DatasetReader& file);

/// A line for each reported point: its axes, then the points tried by status. At most `limit` lines, 0: all.
[[nodiscard]] std::string rejections_text(const DatasetReader& file, const SearchRejections& found, std::size_t limit,
                                          const Terminal& terminal);
/// [{"<axis>": value, ..., "tried": {"<status>": points, ...}}, ...]
[[nodiscard]] Json rejections_json(const DatasetReader& file, const SearchRejections& found);

/// `--sensitivity`: what would help most at the rows that a ranking puts first. A section for each of the first rows
/// shown, at most three, evaluated again from what the file stores. `metrics`: names of metrics. Throws UsageError for
/// unknown ones, and where a point cannot be prepared (tables that are missing).
[[nodiscard]] std::vector<Explanation> shown_sensitivities(const ShownResult& shown,
                                                           const std::vector<std::string>& metrics);

/// `--plot`: the rows of an answer as a chart. A Pareto front: two axes with the front as steps before all other rows.
/// Best rows by one axis of numbers: a line; by such an axis and one of names: a line for each name; by two other axes:
/// a heat map; else: bars. Throws UsageError where there is nothing to draw, or too much. Pre: the result has a
/// question.
[[nodiscard]] std::string plot_svg(const ShownResult& shown, const RowCondition& condition);

}  // namespace dfsweep
