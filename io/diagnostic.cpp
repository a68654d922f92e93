/// Rendering and ordering of problems in a user's file.
#include "io/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "io/terminal.hpp"

namespace dfsweep {

namespace {

std::string message_of(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) {
    if (!text.empty()) text += '\n';
    text += to_string(problem);
  }
  return text;
}

}  // namespace

std::string position_text(const SourcePosition& at) {
  std::string text = at.file;
  if (at.line > 0) text += fmt::format(":{}", at.line);
  if (at.line > 0 && at.column > 0) text += fmt::format(":{}", at.column);
  return text;
}

std::string to_string(const Problem& problem) {
  std::string text = position_text(problem.at) + ": " + problem.problem;
  if (!problem.reason.empty()) text += " (" + problem.reason + ")";
  text += '.';
  if (!problem.hint.empty()) text += ' ' + problem.hint;
  return printable(text);
}

std::vector<Problem> sorted_by_position(std::vector<Problem> problems) {
  std::stable_sort(problems.begin(), problems.end(), [](const Problem& a, const Problem& b) {
    return std::tie(a.at.file, a.at.line, a.at.column) < std::tie(b.at.file, b.at.line, b.at.column);
  });
  return problems;
}

UserError::UserError(std::vector<Problem> found)
    : std::runtime_error(message_of(sorted_by_position(found))), problems(sorted_by_position(std::move(found))) {}

}  // namespace dfsweep
