/// Decoded: a value decoded from an entry, with the problems of that entry.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace dfsweep {

/// A problem of an entry that prevents a model from using it.
struct EntryProblem {
  std::string problem;  ///< "'bandwidth' is negative"
  std::string reason;   ///< why that is a problem; empty: the field is missing and the model needs it
  /// Paths of the fields concerned; messages point to the first. "kernel[2].m" is a field of the third kernel,
  /// "kernel[].m" the field of every kernel, "dimensions[1]" an element of a list.
  std::vector<std::string> fields;
};

template <class Value>
struct Decoded {
  Value value;
  std::vector<EntryProblem> problems;  ///< fields missing or out of range; empty: the entry is valid
};

}  // namespace dfsweep
