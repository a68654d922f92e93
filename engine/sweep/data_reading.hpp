/// ReadData: what the files of one data place hold, in the form in which the estimator gets it.
#pragma once

#include <vector>

#include "engine/sweep/sweep.hpp"
#include "io/diagnostic.hpp"

namespace dfsweep {

struct ReadData {
  SweepValues::Data data;
  std::vector<InputFile> inputs;
  std::vector<Problem> problems;  ///< `data` is not complete where there are some; without a file: of the place itself
  std::vector<Problem> warnings;
};

/// Reads on all allowed cores. Pre: the path exists. Throws IoError.
[[nodiscard]] ReadData read_data_at(const DataPlace& place, const DataInfo& info, const Catalogue& catalogue);

}  // namespace dfsweep
