/// Error messages about a user's file: `file:line:column: problem (why). hint`.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace dfsweep {

/// A position in a text file, counted from 1; line 0 means the whole file, column 0 the whole line.
struct SourcePosition {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  bool operator==(const SourcePosition&) const = default;
};

struct Problem {
  SourcePosition at;
  std::string problem;  ///< what is wrong: "unknown key 'siez' in [sweep]"
  std::string reason;   ///< why, shown in parentheses; may be empty
  std::string hint;     ///< what helps: "Did you mean 'size'?"; may be empty
};

/// "file:line:column", without the parts that are 0.
[[nodiscard]] std::string position_text(const SourcePosition& at);

/// One line of text, without the newline.
[[nodiscard]] std::string to_string(const Problem& problem);

/// Sorted by file, line and column.
[[nodiscard]] std::vector<Problem> sorted_by_position(std::vector<Problem> problems);

/// Input of the user that cannot be used; with all problems found, sorted by position.
class UserError : public std::runtime_error {
 public:
  explicit UserError(std::vector<Problem> found);
  std::vector<Problem> problems;
};

/// Collects problems, so that all are reported together.
class Problems {
 public:
  void add(SourcePosition at, std::string problem, std::string reason = {}, std::string hint = {}) {
    found_.push_back({std::move(at), std::move(problem), std::move(reason), std::move(hint)});
  }
  void add(Problem problem) { found_.push_back(std::move(problem)); }
  void add(const std::vector<Problem>& more) { found_.insert(found_.end(), more.begin(), more.end()); }
  [[nodiscard]] std::size_t count() const { return found_.size(); }
  /// Throws UserError if there are any.
  void raise() const {
    if (!found_.empty()) throw UserError(found_);
  }

 private:
  std::vector<Problem> found_;
};

}  // namespace dfsweep
