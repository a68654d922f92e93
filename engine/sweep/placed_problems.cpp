#include "engine/sweep/placed_problems.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/catalogue/catalogue.hpp"
#include "engine/sweep/data_tables.hpp"

namespace dfsweep {

namespace {

SourcePosition position_of_value(const ValueProblem& found, const SweepSpec& spec) {
  SourcePosition at{spec.source, 0, 0};
  if (found.parameter < spec.value_positions.size() && !spec.value_positions[found.parameter].empty()) {
    const std::vector<SourcePosition>& positions = spec.value_positions[found.parameter];
    at = positions[std::min(found.value, positions.size() - 1)];
  }
  if (at.file.empty() && spec.points) at.file = spec.points->source;
  return at;
}

/// The file of the entry that the value names; null if it does not name an entry.
const EntryFile* entry_file_of(const ValueProblem& found, const SweepSpec& spec) {
  const Entry* entry = spec.values.parameters[found.parameter].values[found.value].entry;
  for (const auto& file : spec.entries)
    if (&file->entry == entry) return file.get();
  return nullptr;
}

std::string with_note(const std::string& reason, const std::string& note) {
  return reason.empty() ? note : fmt::format("{}; {}", reason, note);
}

/// `kind`: kind of the entry; `named_at`: its position in the sweep.
Problem in_entry(const ValueProblem& found, const EntryFile& file, std::string_view kind,
                 const SourcePosition& named_at) {
  Problem problem{file.places.at(found.fields.front()), found.problem, found.reason, found.hint};
  const bool is_there = file.places.has(found.fields.front());
  if (file.origin == EntryOrigin::catalogue) {
    if (is_there) problem.reason = with_note(problem.reason, fmt::format("see {}", position_text(problem.at)));
    problem.at = named_at;
    problem.problem = fmt::format("catalogue entry '{}': {}", file.entry.name, found.problem);
  } else if (!is_there) {
    problem.reason = with_note(problem.reason, fmt::format("named at {}", position_text(named_at)));
  }
  if (!is_there && problem.hint.empty())
    problem.hint = fmt::format("'dfsweep describe catalogue {}' lists the fields", kind);
  return problem;
}

}  // namespace

std::vector<Problem> placed(std::span<const ValueProblem> problems, const SweepSpec& spec) {
  std::vector<Problem> result;
  for (const ValueProblem& found : problems) {
    const SourcePosition at = position_of_value(found, spec);
    const EntryFile* file = found.fields.empty() ? nullptr : entry_file_of(found, spec);
    if (file == nullptr) {
      result.push_back({at, found.problem, found.reason, found.hint});
      continue;
    }
    if (std::any_of(found.fields.begin(), found.fields.end(),
                    [file](const std::string& field) { return file->places.is_unreadable(field); }))
      continue;
    Problem problem = in_entry(found, *file, spec.estimator->parameters()[found.parameter].catalogue, at);
    const auto is_same = [&](const Problem& other) {
      return other.at == problem.at && other.problem == problem.problem;
    };
    if (std::none_of(result.begin(), result.end(), is_same)) result.push_back(std::move(problem));
  }
  return result;
}

UserError to_user_error(const InvalidValues& invalid, const SweepSpec& spec) {
  std::vector<Problem> problems = placed(invalid.problems, spec);
  for (Problem& found : located(invalid.data_problems, spec.data_places)) problems.push_back(std::move(found));
  return UserError(std::move(problems));
}

}  // namespace dfsweep
