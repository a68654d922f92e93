/// Collects what is wrong with measured tables: of one table not more than a reader can take in.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/estimator.hpp"

namespace dfsweep::inference {

class TableProblems {
 public:
  explicit TableProblems(std::string_view data) : data_(data) {}

  /// `line` 0: the file as a whole; `column` "": the line as a whole.
  void add(const Table& table, std::size_t line, std::string_view column, std::string problem, std::string reason = {},
           std::string hint = {});
  /// Says how many were left out.
  [[nodiscard]] std::vector<DataProblem> take();

 private:
  void close_table();

  std::string_view data_;
  std::string path_;       ///< of the table that problems were last added to
  std::size_t count_ = 0;  ///< of that table
  std::vector<DataProblem> found_;
};

}  // namespace dfsweep::inference
