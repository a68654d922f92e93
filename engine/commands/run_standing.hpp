/// RunStanding: how far a run is and who works on it, from its journals, its log and its locks. Takes no lock.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/run/writers.hpp"
#include "engine/store/run_directory.hpp"
#include "io/file_system.hpp"

namespace dfsweep {

struct RunStanding {
  store::RunRecord record;
  bool is_published = false;
  bool is_damaged = false;
  std::uint32_t complete_blocks = 0;
  std::uint64_t complete_rows = 0;
  std::vector<std::string> running;          ///< holders of the locks of parts
  std::vector<std::uint32_t> missing_parts;  ///< counted from 1; empty unless the run is divided into parts
  std::vector<Writer> writers;
  double now = 0.0;  ///< seconds since 1970
  std::vector<std::string> notes;
};

/// Throws ForeignRun, NotReady, IoError.
[[nodiscard]] RunStanding standing_of(FileSystem& files, const store::RunDirectory& directory);

/// "published", "running", "stopped", "ready to publish" or "damaged".
[[nodiscard]] std::string_view state_of(const RunStanding& standing);
/// Points per second of all writers that are working; 0 where none has a rate.
[[nodiscard]] double rate_of(const RunStanding& standing);
/// The time left, if all that is missing is being evaluated.
[[nodiscard]] std::optional<double> time_left_of(const RunStanding& standing);
/// The writer with the latest failure; null where none has any.
[[nodiscard]] const Writer* last_trouble(const RunStanding& standing);
/// Seconds since the last line of a writer.
[[nodiscard]] double silence(const RunStanding& standing, const Writer& writer);

}  // namespace dfsweep
