/// The golden runs of Vidur's simulator: requests, rules, and the batch time in closed form of most of them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "models/queueing/vidur/batch.hpp"
#include "models/queueing/vidur/rules.hpp"
#include "tests/support/golden_table.hpp"

namespace dfsweep::testing {

/// ms = (5 + 0.02 tokens + 0.0005 tokens before) / stages, and 0.1 more on every stage but the last.
struct ClosedFormClock {
  std::uint32_t stages = 1;
  [[nodiscard]] Seconds operator()(const vidur::BatchView& batch, std::uint32_t stage) const {
    const auto tokens = static_cast<double>(batch.sums().tokens);
    const auto before = static_cast<double>(batch.sums().before);
    double ms = (5.0 + 0.02 * tokens + 0.0005 * before) / stages;
    if (stage + 1 < stages) ms = ms + 0.1;
    return Seconds{ms * 1e-3};
  }
};

[[nodiscard]] GoldenTable vidur_golden(const std::string& golden, const std::string& file);

/// Requests of every trace.
using VidurTraces = std::map<std::string, std::vector<vidur::OfferedRequest>>;
[[nodiscard]] VidurTraces vidur_traces(const GoldenTable& table, const std::string& arrival_column);

/// Rules of a row of sim_runs.csv or sim_capacity.csv; the latter have no columns of the memory in effect, so that
/// `blocks` and `slots` are used where they are empty.
[[nodiscard]] vidur::Rules vidur_rules(const GoldenTable& table, std::size_t row, double blocks, double slots);

/// Requests of the traces with lengths of conversations, one after the other until there are `count`, at Poisson times.
[[nodiscard]] std::vector<vidur::OfferedRequest> conversations(const std::string& golden, std::size_t count,
                                                               double rate);

}  // namespace dfsweep::testing
