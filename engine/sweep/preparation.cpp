/// Errors and warnings of preparation, at positions in the user's files.
#include "engine/sweep/preparation.hpp"

#include "engine/sweep/data_tables.hpp"
#include "engine/sweep/placed_problems.hpp"

namespace dfsweep {

std::unique_ptr<PreparedSweep> prepare(const SweepSpec& spec) {
  try {
    return spec.estimator->prepare(spec.values);
  } catch (const InvalidValues& invalid) {
    throw to_user_error(invalid, spec);
  }
}

namespace {

/// A line each, in the order of places. `kind`: "warning", "note".
std::string lines_of(std::vector<Problem> problems, std::string_view kind) {
  std::string text;
  for (Problem problem : sorted_by_position(std::move(problems))) {
    problem.problem = std::string(kind) + ": " + problem.problem;
    text += to_string(problem) + '\n';
  }
  return text;
}

}  // namespace

std::string warnings_text(std::vector<Problem> problems) {
  return lines_of(std::move(problems), "warning");
}

std::string notes_text(const SweepSpec& spec) {
  return lines_of(spec.notes, "note");
}

std::string warnings_text(const SweepSpec& spec, const PreparedSweep& prepared) {
  std::vector<Problem> problems = spec.warnings;
  for (Problem& problem : located(prepared.warnings(), spec.data_places)) problems.push_back(std::move(problem));
  return warnings_text(std::move(problems));
}

}  // namespace dfsweep
