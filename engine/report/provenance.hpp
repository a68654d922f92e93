/// What a page says about where its numbers are from.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/hdf5/dataset_reader.hpp"

namespace dfsweep::report {

using NamedTexts = std::vector<std::pair<std::string, std::string>>;

struct SweepTitle {
  std::string name;
  std::string description;
};
[[nodiscard]] SweepTitle sweep_title(const DatasetReader& file);

/// Format, fingerprint, program and inputs.
[[nodiscard]] NamedTexts provenance_of(const DatasetReader& file);
/// Parameters with one value for all rows.
[[nodiscard]] NamedTexts fixed_of(const DatasetReader& file);
/// What a status means, "" where nothing says so.
[[nodiscard]] std::string status_meaning(const DatasetReader& file, std::string_view status);

}  // namespace dfsweep::report
