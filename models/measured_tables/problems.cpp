#include "models/measured_tables/problems.hpp"

namespace dfsweep {

namespace {

constexpr std::size_t most_of_a_table = 20;

}  // namespace

void TableProblems::add(const Table& table, std::size_t line, std::string_view column, std::string problem,
                        std::string reason, std::string hint) {
  if (table.path != path_) close_table();
  path_ = table.path;
  if (++count_ > most_of_a_table) return;
  found_.push_back({std::string(data_), table.path, line, std::string(column), std::move(problem), std::move(reason),
                    std::move(hint)});
}

void TableProblems::close_table() {
  if (count_ > most_of_a_table)
    found_.push_back({std::string(data_), path_, 0, "", std::to_string(count_ - most_of_a_table) + " more problems",
                      "the first are listed", ""});
  count_ = 0;
}

std::vector<DataProblem> TableProblems::take() {
  close_table();
  return std::move(found_);
}

}  // namespace dfsweep
