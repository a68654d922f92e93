/// The real program started by a test: what it wrote and how it ended.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace dfsweep {

struct ProgramResult {
  int status = -1;  ///< exit status; 128 + signal where a signal ended it
  std::string out;
  std::string err;
};

/// Where the program's standard output goes.
enum class OutputTo { captured, closed, broken_pipe, full_disk };

struct ProgramSetting {
  std::vector<std::pair<std::string, std::string>> environment = {};  ///< added to a small one without colour variables
  std::string input = {};                                             ///< on standard input
  OutputTo output = OutputTo::captured;
  std::string folder = {};  ///< to start in; empty: where the test runs
};

/// Runs DFSWEEP_PROGRAM with these arguments and waits for it.
[[nodiscard]] ProgramResult run_program(const std::string& program, const std::vector<std::string>& arguments,
                                        const ProgramSetting& setting = {});

}  // namespace dfsweep
