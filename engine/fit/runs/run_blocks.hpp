/// Files of training runs as blocks of rows that can be read side by side: CSV tables and result files of dfsweep.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/fit/runs/run_columns.hpp"

namespace dfsweep::fit {

/// Why a run is not used, or used with a remark.
enum class RunDefect : std::uint8_t {
  not_a_number,   ///< a value is missing, NaN or infinite
  no_result,      ///< a word in place of the loss says why it is missing: "OOM", "diverged"
  not_positive,   ///< a value that must be positive is not
  stopped_early,  ///< iterations x batch is less than 99 % of the training tokens
  failed_row,     ///< of a result file: its status is not ok
  duplicate,      ///< the same values as an earlier run in every respect
  repeated,       ///< learning rate and batch of an earlier run, another loss or seed; their median is used
  diverged,       ///< loss more than 20 % above the least of the group; used in regret counts, never in a fit
};
inline constexpr std::size_t run_defect_count = 8;
/// "not_a_number" for programs; what it means and what becomes of the run, for people.
[[nodiscard]] std::string_view name_of(RunDefect defect);
[[nodiscard]] std::string_view meaning_of(RunDefect defect);
/// Whether such a run takes no part in anything.
[[nodiscard]] bool is_set_aside(RunDefect defect);

/// Place of a run in its file. Lines are counted within the block until all blocks are known.
struct RunPlace {
  std::uint32_t file = 0;
  std::uint32_t block = 0;
  std::uint32_t line = 0;
  auto operator<=>(const RunPlace&) const = default;
};

struct DefectiveRun {
  RunPlace place;
  RunDefect defect = RunDefect::not_a_number;
  std::string detail;  ///< "loss is nan"
};

/// Rows of a block, as columns of equal length, without those that are set aside.
struct RunBlock {
  std::vector<double> parameters;
  std::vector<double> activated_parameters;
  std::vector<double> train_tokens;
  std::vector<double> learning_rate;
  std::vector<double> batch_tokens;
  std::vector<double> loss;
  std::vector<double> flops_per_token;
  std::vector<double> step_time;      ///< s, NaN where not measured; empty where no run of the block has one
  std::vector<std::uint64_t> seed;    ///< hash of what names it; empty where the file has no such column
  std::vector<std::uint32_t> recipe;  ///< number in `recipes`
  std::vector<std::uint32_t> line;    ///< within the block
  std::vector<std::string> recipes;   ///< "" is the recipe of runs that name none
  std::vector<DefectiveRun> defects;
  std::vector<Problem> problems;                           ///< malformed text; lines are counted within the block
  std::uint32_t line_count = 0;                            ///< lines or rows of the block
  std::uint32_t first_trailing_blank = ~std::uint32_t{0};  ///< first of the empty lines that end the block

  [[nodiscard]] std::size_t size() const { return loss.size(); }
};

struct RunReading {
  std::vector<ColumnPair> columns;  ///< of --columns
  double sequence_length = 2048.0;  ///< tokens, where a file does not say
};

/// A file of runs. Reading is thread-safe.
class RunFile {
 public:
  RunFile() = default;
  RunFile(const RunFile&) = delete;
  RunFile& operator=(const RunFile&) = delete;
  virtual ~RunFile() = default;
  [[nodiscard]] virtual const std::string& name() const = 0;
  [[nodiscard]] virtual std::uint32_t block_count() const = 0;
  [[nodiscard]] virtual RunBlock read(std::uint32_t file, std::uint32_t block) const = 0;
  /// Number of rows, if it is known without reading the file; else 0, and `bytes` gives its size.
  [[nodiscard]] virtual std::uint64_t rows() const = 0;
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
  /// "runs.csv:17", "result.h5 row 16", from a line of the whole file counted from 0 after the header.
  [[nodiscard]] virtual std::string place(std::uint64_t line) const = 0;
  /// Line number in the file, counted from 1.
  [[nodiscard]] virtual std::uint32_t line_number(std::uint64_t line) const = 0;
  [[nodiscard]] virtual std::string digest() const = 0;  ///< "columns: learning_rate = lr, ..."
  /// Whether runs may differ in the seed alone.
  [[nodiscard]] virtual bool has_seeds() const = 0;
  /// What a reader should know of the file: columns that are not used though they look like parameters.
  [[nodiscard]] virtual std::vector<std::string> remarks() const { return {}; }
};

/// Opens a CSV file or JSON lines, "-" for either from standard input, or a result file or run directory.
/// Throws UserError (no such column), BadDataset, ForeignRun, IoError.
[[nodiscard]] std::unique_ptr<RunFile> open_run_file(const std::filesystem::path& path, const RunReading& reading);

/// The two kinds of files.
[[nodiscard]] std::unique_ptr<RunFile> open_csv_runs(const std::filesystem::path& path, const RunReading& reading);
[[nodiscard]] std::unique_ptr<RunFile> open_dataset_runs(const std::filesystem::path& path, const RunReading& reading);

/// One row before it is judged. NaN: the file has no such column, or no value there.
struct RawRun {
  double values[run_column_count];  ///< [RunColumn]; names are left out
  std::uint32_t recipe = 0;         ///< number in RunBlock::recipes
  std::uint64_t seed = 0;           ///< hash of its name
  std::uint32_t line = 0;
  bool failed = false;  ///< status of a result row
};

/// Judges rows and adds them to a block.
class RunJudge {
 public:
  RunJudge(const RunColumnMap& map, const RunReading& reading, std::uint32_t file, std::uint32_t block);
  void add(const RawRun& run, RunBlock& out) const;

 private:
  [[nodiscard]] double flops_per_token(const RawRun& run, double activated, double sequence_length) const;
  void set_aside(const RawRun& run, RunDefect defect, std::string detail, RunBlock& out) const;

  const RunColumnMap& map_;
  std::vector<RunColumn> checked_;  ///< must be finite and positive
  double sequence_length_;
  std::uint32_t file_;
  std::uint32_t block_;
};

}  // namespace dfsweep::fit
