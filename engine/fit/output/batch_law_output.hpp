/// Fitted batch laws as text, as JSON and as files that sweeps name.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/fit/runs/batch_runs.hpp"
#include "io/json.hpp"
#include "io/terminal.hpp"

namespace dfsweep::fit {

/// A set of runs, its law, and what the law says of systems that were left out.
struct FittedBatchLaw {
  BatchRunSet set;
  law_fits::BatchLawFit fit;
  std::vector<law_fits::LeftOutConfiguration> left_out;  ///< empty where there is one system only
};

[[nodiscard]] FittedBatchLaw fitted_batch_law(BatchRunSet set);

/// What the runs do not determine, one sentence each.
[[nodiscard]] std::vector<std::string> remarks_of(const FittedBatchLaw& law);

[[nodiscard]] std::string batch_law_text(std::span<const FittedBatchLaw> laws, const Terminal& terminal);
[[nodiscard]] Json batch_law_json(std::span<const FittedBatchLaw> laws);

/// An entry of catalogue `batch_laws`. `source`: the command and its files.
[[nodiscard]] std::string batch_law_toml(const FittedBatchLaw& law, const std::string& name, const std::string& source);

}  // namespace dfsweep::fit
