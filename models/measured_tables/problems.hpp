/// Collects problems of measured tables, with a limited number per table.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/estimator.hpp"

namespace dfsweep {

class TableProblems {
 public:
  explicit TableProblems(std::string_view data) : data_(data) {}

  /// `line` 0: the file as a whole; `column` "": the line as a whole.
  void add(const Table& table, std::size_t line, std::string_view column, std::string problem, std::string reason = {},
           std::string hint = {});
  /// Moves out the problems; a last one gives the number of omitted problems.
  [[nodiscard]] std::vector<DataProblem> take();

 private:
  void close_table();

  std::string_view data_;
  std::string path_;       ///< table of the last problem
  std::size_t count_ = 0;  ///< problems of this table
  std::vector<DataProblem> found_;
};

}  // namespace dfsweep
