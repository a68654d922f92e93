/// Writers: what log.jsonl says about the processes that work, or have worked, on a run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dfsweep {

enum class WriterState : std::uint8_t {
  working,   ///< its last line is neither an end nor a failure
  complete,  ///< all its blocks are complete
  stopped,   ///< stopped early
  failed,    ///< ended by an error
};

/// The last session of a part.
struct Writer {
  std::string part;                ///< "2/8"; "1/1": the whole run
  std::vector<std::string> hosts;  ///< of all ranks, as far as the text goes back
  std::uint64_t ranks = 0;         ///< 0: the text does not go back to its start
  std::uint64_t threads = 0;       ///< of each rank
  WriterState state = WriterState::working;
  double seen = 0.0;                         ///< time of its last line, in seconds since 1970
  std::optional<double> points_per_second;   ///< between its last two lines of progress, else on average
  std::optional<std::uint64_t> points_left;  ///< of its part, at its last line of progress
  std::string stop_reason;                   ///< of a writer that stopped early
  std::string trouble;                       ///< the last failure; empty: none
  double trouble_seen = 0.0;                 ///< when that was written
};

/// The writers in a log, by part. Lines that are damaged or of other programs are ignored, because hosts may write at
/// the same time on file systems that do not append atomically.
[[nodiscard]] std::vector<Writer> writers_of(std::string_view log);

/// Seconds since 1970 of "2026-11-24T17:05:01.250Z"; nothing where malformed.
[[nodiscard]] std::optional<double> seconds_of_utc(std::string_view text);
/// "2026-11-24 17:05:01 UTC".
[[nodiscard]] std::string utc_text(double seconds);

/// Seconds until the slowest of the writers that are working is done; nothing where one of them has no rate yet, or
/// none is working.
[[nodiscard]] std::optional<double> seconds_left(const std::vector<Writer>& writers);

}  // namespace dfsweep
