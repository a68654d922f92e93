/// Waves of blocks, and the way from lines of blocks to lines of files.
#include "engine/fit/runs/run_input.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/parallel/threads.hpp"

namespace dfsweep::fit {

using namespace law_fits;

namespace {

/// Beyond these, fits that keep single runs take many seconds and streamed ones a fraction of one.
constexpr std::uint64_t most_rows_in_memory = 200'000;
constexpr std::uint64_t most_bytes_in_memory = std::uint64_t{1} << 24;
constexpr std::size_t blocks_per_thread_and_wave = 8;
constexpr std::size_t most_problems = 100;

}  // namespace

RunInput::RunInput(std::span<const std::filesystem::path> paths, const RunReading& reading) {
  std::vector<Problem> problems;
  for (const std::filesystem::path& path : paths) {
    try {
      files_.push_back(open_run_file(path, reading));
    } catch (const UserError& error) {
      problems.insert(problems.end(), error.problems.begin(), error.problems.end());
    }
  }
  if (!problems.empty()) throw UserError(std::move(problems));
  for (std::uint32_t f = 0; f < files_.size(); ++f) {
    first_block_.push_back(blocks_.size());
    for (std::uint32_t b = 0; b < files_[f]->block_count(); ++b) blocks_.emplace_back(f, b);
  }
}

std::uint64_t RunInput::number(std::uint32_t file, std::uint32_t block) const {
  return first_block_[file] + block;
}

bool RunInput::is_large() const {
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
  for (const auto& file : files_) {
    rows += file->rows();
    bytes += file->bytes();
  }
  return rows > most_rows_in_memory || bytes > most_bytes_in_memory;
}

void RunInput::read(std::uint64_t first, std::uint64_t last, unsigned threads,
                    const std::function<void(std::uint64_t, std::span<RunBlock>)>& take) const {
  const std::uint64_t wave = blocks_per_thread_and_wave * std::max(threads, 1U);
  for (std::uint64_t begin = first; begin < last; begin += wave) {
    std::vector<RunBlock> blocks(std::min(wave, last - begin));
    parallel_for(blocks.size(), threads, [&](std::size_t i) {
      const auto [file, block] = blocks_[begin + i];
      blocks[i] = files_[file]->read(file, block);
    });
    take(begin, blocks);
  }
}

void RunFindings::add(const RunBlock& block, std::uint64_t number) {
  if (lines.size() <= number) lines.resize(number + 1);
  lines[number] = block.line_count;
  for (const Problem& problem : block.problems) problems.emplace_back(number, problem);
  if (block.first_trailing_blank < block.line_count) trailing_blanks.emplace_back(number, block.first_trailing_blank);
  for (const DefectiveRun& run : block.defects) add(run);
}

void RunFindings::add(const DefectiveRun& run) {
  const auto kind = static_cast<std::size_t>(run.defect);
  ++counts[kind];
  if (first_of_kind[kind].size() < most_named) first_of_kind[kind].push_back(run);
}

std::uint64_t RunFindings::set_aside() const {
  std::uint64_t count = 0;
  for (std::size_t kind = 0; kind < run_defect_count; ++kind)
    if (is_set_aside(static_cast<RunDefect>(kind))) count += counts[kind];
  return count;
}

std::vector<DefectiveRun> RunFindings::named() const {
  std::vector<DefectiveRun> all;
  for (const auto& kind : first_of_kind) all.insert(all.end(), kind.begin(), kind.end());
  std::stable_sort(all.begin(), all.end(),
                   [](const DefectiveRun& a, const DefectiveRun& b) { return a.place < b.place; });
  return all;
}

void RunFindings::merge(const RunFindings& other) {
  lines.resize(std::max(lines.size(), other.lines.size()));
  for (std::size_t b = 0; b < other.lines.size(); ++b) lines[b] += other.lines[b];
  problems.insert(problems.end(), other.problems.begin(), other.problems.end());
  trailing_blanks.insert(trailing_blanks.end(), other.trailing_blanks.begin(), other.trailing_blanks.end());
  for (std::size_t kind = 0; kind < run_defect_count; ++kind) {
    counts[kind] += other.counts[kind];
    auto& all = first_of_kind[kind];
    all.insert(all.end(), other.first_of_kind[kind].begin(), other.first_of_kind[kind].end());
    std::sort(all.begin(), all.end(), [](const DefectiveRun& a, const DefectiveRun& b) { return a.place < b.place; });
    if (all.size() > most_named) all.resize(most_named);
  }
}

LineNumbers::LineNumbers(const RunInput& input, const RunFindings& findings) : input_(input) {
  first_line_.assign(input.block_count(), 0);
  for (std::uint32_t f = 0; f < input.files().size(); ++f) {
    std::uint64_t line = 0;
    for (std::uint32_t b = 0; b < input.files()[f]->block_count(); ++b) {
      const std::uint64_t number = input.number(f, b);
      first_line_[number] = line;
      if (number < findings.lines.size()) line += findings.lines[number];
    }
  }
}

std::string LineNumbers::place(const RunPlace& place) const {
  return input_.files()[place.file]->place(first_line_[input_.number(place.file, place.block)] + place.line);
}

void LineNumbers::expect_well_formed(const RunFindings& findings) const {
  std::vector<Problem> all;
  std::vector<std::uint64_t> file_of(input_.block_count());
  std::vector<std::uint64_t> last_block(input_.block_count());
  for (std::uint32_t f = 0; f < input_.files().size(); ++f)
    for (std::uint32_t b = 0; b < input_.files()[f]->block_count(); ++b) {
      file_of[input_.number(f, b)] = f;
      last_block[input_.number(f, b)] = input_.number(f, input_.files()[f]->block_count() - 1);
    }
  const auto add = [&](std::uint64_t block, Problem problem) {
    const RunFile& file = *input_.files()[file_of[block]];
    problem.at.line = file.line_number(first_line_[block] + problem.at.line);
    problem.at.file = file.name();
    all.push_back(std::move(problem));
  };
  for (const auto& [block, problem] : findings.problems) add(block, problem);
  for (const auto& [block, line] : findings.trailing_blanks) {
    bool ends_file = true;
    for (std::uint64_t later = block + 1; later <= last_block[block]; ++later) {
      const bool only_blanks =
          std::any_of(findings.trailing_blanks.begin(), findings.trailing_blanks.end(),
                      [later](const auto& found) { return found.first == later && found.second == 0; });
      ends_file = ends_file && (findings.lines[later] == 0 || only_blanks);
    }
    if (!ends_file) add(block, {{"", line, 1}, "line is empty", "", ""});
  }
  if (all.empty()) return;
  std::stable_sort(all.begin(), all.end(), [](const Problem& a, const Problem& b) {
    return std::tie(a.at.file, a.at.line, a.at.column) < std::tie(b.at.file, b.at.line, b.at.column);
  });
  if (all.size() > most_problems) all.resize(most_problems);
  throw UserError(std::move(all));
}

Recipe recipe_of(const std::string& name, double parameters, double activated_parameters) {
  const RunFamily family = parameters == activated_parameters ? RunFamily::dense : RunFamily::moe;
  if (!name.empty()) return {name, family};
  return {family == RunFamily::dense ? "dense" : "moe", family};
}

std::uint32_t recipe_number(std::vector<Recipe>& recipes, const Recipe& recipe) {
  const auto found = std::find(recipes.begin(), recipes.end(), recipe);
  if (found != recipes.end()) return static_cast<std::uint32_t>(found - recipes.begin());
  recipes.push_back(recipe);
  return static_cast<std::uint32_t>(recipes.size() - 1);
}

}  // namespace dfsweep::fit
