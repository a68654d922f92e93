/// Run summary: what a run says at its end, for people and for programs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/commands/status_reasons.hpp"
#include "engine/run/session.hpp"
#include "io/json.hpp"

namespace dfsweep {

/// Points by status in a published file, [status code] below `status_count`; with a search, of all points searched.
/// Throws BadDataset, IoError.
[[nodiscard]] std::vector<std::uint64_t> status_histogram(const std::filesystem::path& file, std::size_t status_count);

struct RunSummary {
  SessionReport session;
  std::vector<std::uint64_t> statuses;  ///< [status code] points: of the whole result where published, else of this run
  std::vector<NearestMiss> misses;      ///< of a published result
  std::string resume;                   ///< the command that continues a run that was stopped
};

[[nodiscard]] std::string summary_text(const RunSummary& summary, const SweepSpec& spec);
[[nodiscard]] Json summary_json(const RunSummary& summary, const SweepSpec& spec);
/// What is done, what is left and how to go on, in two lines. Pre: the session was stopped.
[[nodiscard]] std::string stopped_text(const RunSummary& summary);

/// Failures as lines: how many points, why, and the labels of the first of them. Empty without failures.
[[nodiscard]] std::string failures_text(const FailureLog& failures, const SweepSpec& spec);

/// The varying parameters of a point with their labels: "device = a100, tensor_parallel = 8".
[[nodiscard]] std::string describe_point(const SweepSpec& spec, std::uint64_t point);

}  // namespace dfsweep
