/// The program that the command-line tests start, and what they ask of what it prints.
#pragma once

#include <string>
#include <vector>

#include "tests/support/program.hpp"
#include "tests/support/small_result.hpp"

namespace dfsweep {

inline ProgramResult dfsweep(const std::vector<std::string>& arguments, const ProgramSetting& setting = {}) {
  return run_program(DFSWEEP_PROGRAM, arguments, setting);
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A result of nine rows, as a file.
struct NineRows {
  ScratchFile scratch{"result.h5"};
  std::string path;
  NineRows() : path(scratch.path().string()) { nine_rows().write(scratch.path()); }
};

}  // namespace dfsweep
