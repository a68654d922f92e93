/// All files of a fit: their blocks in one order, and what was found wrong in them.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/fit/runs/run_blocks.hpp"
#include "models/law_fits/runs/runs.hpp"

namespace dfsweep::fit {

/// The files in the order in which the user named them.
class RunInput {
 public:
  /// Throws what open_run_file throws; UserErrors of several files together.
  RunInput(std::span<const std::filesystem::path> paths, const RunReading& reading);

  [[nodiscard]] std::span<const std::unique_ptr<RunFile>> files() const { return files_; }
  /// Blocks of all files, numbered through.
  [[nodiscard]] std::uint64_t block_count() const { return blocks_.size(); }
  /// Number of a block of a file.
  [[nodiscard]] std::uint64_t number(std::uint32_t file, std::uint32_t block) const;
  /// Rows or bytes beyond what is kept in memory as single runs.
  [[nodiscard]] bool is_large() const;

  /// Reads blocks [first, last) on `threads` threads and hands them over in waves of neighbours, in order.
  void read(std::uint64_t first, std::uint64_t last, unsigned threads,
            const std::function<void(std::uint64_t first_of_wave, std::span<RunBlock> blocks)>& take) const;

 private:
  std::vector<std::unique_ptr<RunFile>> files_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> blocks_;  ///< file, block
  std::vector<std::uint64_t> first_block_;                       ///< [file]
};

/// What was found wrong: counts of runs that are not as they should be, the first of each kind, and malformed lines.
struct RunFindings {
  static constexpr std::size_t most_named = 1000;  ///< of a kind

  std::array<std::uint64_t, run_defect_count> counts{};                   ///< [RunDefect]
  std::array<std::vector<DefectiveRun>, run_defect_count> first_of_kind;  ///< [RunDefect] at most `most_named`
  std::vector<std::uint64_t> lines;                                       ///< [block number] of blocks that were added
  std::vector<std::pair<std::uint64_t, Problem>> problems;                ///< block number; line within the block
  std::vector<std::pair<std::uint64_t, std::uint32_t>> trailing_blanks;   ///< block number, first empty line

  void add(const RunBlock& block, std::uint64_t number);
  void add(const DefectiveRun& run);
  /// What another rank found in other blocks.
  void merge(const RunFindings& other);
  [[nodiscard]] std::uint64_t set_aside() const;
  /// In order of files and lines, the first `most_named` of each kind.
  [[nodiscard]] std::vector<DefectiveRun> named() const;
};

/// Lines of the whole files instead of those of their blocks.
class LineNumbers {
 public:
  LineNumbers(const RunInput& input, const RunFindings& findings);
  [[nodiscard]] std::string place(const RunPlace& place) const;

  /// Throws UserError where lines were malformed.
  void expect_well_formed(const RunFindings& findings) const;

 private:
  const RunInput& input_;
  std::vector<std::uint64_t> first_line_;  ///< [block number] lines of the same file before the block
};

/// The recipe of a run as the models know it: dense where all parameters are activated.
[[nodiscard]] law_fits::Recipe recipe_of(const std::string& name, double parameters, double activated_parameters);

/// Number of a recipe in a list, which it joins where it is new.
[[nodiscard]] std::uint32_t recipe_number(std::vector<law_fits::Recipe>& recipes, const law_fits::Recipe& recipe);

}  // namespace dfsweep::fit
