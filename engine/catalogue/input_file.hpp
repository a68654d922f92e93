/// InputFile: a file that determines results, with its checksum.
#pragma once

#include <string>

namespace dfsweep {

/// A data file or catalogue entry that determines results: its name as written and its content's checksum.
struct InputFile {
  std::string name;
  std::string checksum;  ///< XXH3-128, 32 hexadecimal digits
  std::string text;      ///< whole text for catalogue entries and graphs; empty for tables of measurements
};

}  // namespace dfsweep
