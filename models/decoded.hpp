/// Decoded: a value made from an entry, and what is wrong with that entry.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace dfsweep {

/// Something in an entry that a model cannot use.
struct EntryProblem {
  std::string problem;  ///< "'bandwidth' is negative"
  std::string reason;   ///< why that is a problem; empty: the model needs the field
  /// Paths of the fields that it is about; it shows at the first. "kernel[2].m" is a field of the third kernel,
  /// "kernel[].m" those of all kernels, "dimensions[1]" an element of a list.
  std::vector<std::string> fields;
};

template <class Value>
struct Decoded {
  Value value;
  std::vector<EntryProblem> problems;  ///< fields missing or out of range; empty: nothing
};

}  // namespace dfsweep
