/// A batch law as an entry of catalogue `batch_laws`: reading and writing.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "models/decoded.hpp"
#include "models/entry.hpp"
#include "models/whole_run/batch_law.hpp"

namespace dfsweep::whole_run {

/// Fields: see declared::batch_laws. A law has samples, spread and range_batch; the rest may be absent.
[[nodiscard]] Decoded<BatchLaw> batch_law_of(const Entry& entry);

/// Fields of a law as names and values, for writing; what is unknown is left out.
struct BatchLawFields {
  std::vector<std::pair<std::string, double>> numbers;
  std::vector<std::pair<std::string, std::vector<double>>> lists;
};
[[nodiscard]] BatchLawFields fields_of(const BatchLaw& law);

}  // namespace dfsweep::whole_run
