/// Run summary: what a run says at its end, for people and for programs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/evaluation/tally.hpp"
#include "engine/plan/plan.hpp"
#include "engine/run/stop.hpp"
#include "engine/store/part.hpp"
#include "engine/store/store.hpp"
#include "io/json.hpp"

namespace dfsweep {

enum class RunEnd : std::uint8_t {
  published,        ///< result.h5 exists and every block of it verified
  found_published,  ///< it existed already
  part_complete,    ///< all blocks of this part; other parts are not complete
  stopped,
};

struct RunSummary {
  RunEnd end = RunEnd::stopped;
  std::filesystem::path directory;
  std::filesystem::path file;           ///< of a published result
  std::uint64_t rows = 0;               ///< of the whole sweep
  double seconds = 0.0;                 ///< of this run
  Tally tally;                          ///< of this run
  std::vector<std::uint64_t> statuses;  ///< [status code] points of the whole published result
  std::uint64_t blocks_left = 0;        ///< of this part
  StopReason reason = StopReason::none;
  store::Part part;
};

/// Points by status in a published file, [status code], one more for no_feasible; with a search, of all points
/// searched. Throws BadDataset, IoError.
[[nodiscard]] std::vector<std::uint64_t> status_histogram(const std::filesystem::path& file, std::size_t status_count);

/// Points with status failed: of the whole result where it is published, else of this run.
[[nodiscard]] std::uint64_t failed_points(const RunSummary& summary);
[[nodiscard]] std::string summary_text(const RunSummary& summary, const SweepSpec& spec);
[[nodiscard]] Json summary_json(const RunSummary& summary, const SweepSpec& spec);

/// Failures as lines: how many points, why, and the labels of the first of them. Empty where there are none.
[[nodiscard]] std::string failures_text(const FailureLog& failures, const SweepSpec& spec);

/// The varying parameters of a point with their labels: "device = a100, tensor_parallel = 8".
[[nodiscard]] std::string describe_point(const SweepSpec& spec, std::uint64_t point);

}  // namespace dfsweep
