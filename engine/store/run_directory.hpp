/// RunDirectory: file names of a run, and plan.json, which contains everything that is needed to verify and publish the
/// run without its sweep.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/console/foreign_run.hpp"
#include "engine/dataset/candidates.hpp"
#include "engine/plan/block_cut.hpp"
#include "io/dataset.hpp"
#include "io/file_system.hpp"

namespace dfsweep::store {

/// A plan.json that cannot be read.
class DamagedPlan : public ForeignRun {
 public:
  using ForeignRun::ForeignRun;
};

struct RunDirectory {
  std::filesystem::path path;

  [[nodiscard]] std::filesystem::path plan() const { return path / "plan.json"; }
  [[nodiscard]] std::filesystem::path result() const { return path / "result.h5"; }
  [[nodiscard]] std::filesystem::path partial() const { return path / "result.partial.h5"; }
  [[nodiscard]] std::filesystem::path creating() const { return path / "result.creating.h5"; }
  /// The compressed result while publication writes and verifies it.
  [[nodiscard]] std::filesystem::path compressing() const { return path / "result.compressing.h5"; }
  [[nodiscard]] std::filesystem::path incomplete() const { return path / "result.incomplete.h5"; }
  /// The published result of a former sweep, kept until the run that takes rows from it is published.
  [[nodiscard]] std::filesystem::path former() const { return path / "result.former.h5"; }
  [[nodiscard]] std::filesystem::path log() const { return path / "log.jsonl"; }
  [[nodiscard]] std::filesystem::path journals() const { return path / "journal"; }
  /// Damage records; exists only if something has to be repaired.
  [[nodiscard]] std::filesystem::path damage() const { return journals() / "damage.journal"; }
  [[nodiscard]] std::filesystem::path journal(const std::string& writer) const {
    return journals() / (writer + ".journal");
  }
  [[nodiscard]] std::filesystem::path lock(const std::string& name) const { return journals() / (name + ".lock"); }
};

inline constexpr std::uint32_t run_format_version = 3;
inline constexpr std::uint32_t oldest_run_format = 2;  ///< read, but not resumed: its statuses have other codes
/// Size limit of plan.json, which holds the sweep and one line per column.
inline constexpr std::uint64_t max_plan_bytes = std::uint64_t{256} << 20;

/// Contents of plan.json.
struct RunRecord {
  std::uint32_t format_version = run_format_version;
  std::string program_version;
  std::string build;  ///< same text as /provenance/build
  std::string name;
  std::string fingerprint;  ///< of the plan, 32 hexadecimal digits
  std::string sweep;        ///< the resolved sweep, see resolved_text()
  std::uint32_t parts = 1;  ///< n of --part i/n; 1: the run was not divided into parts
  BlockCut cut;
  std::optional<int> compression_level;         ///< set if the result is published compressed
  std::optional<CandidateOrder> order;          ///< set with a search
  std::vector<ColumnPlace> places;              ///< places of all columns; first those that blocks fill
  std::vector<std::vector<std::byte>> missing;  ///< [column that blocks fill] element of a row that was not evaluated
  std::uint64_t file_size = 0;
  Checksum frame;  ///< checksum of the file outside its columns

  [[nodiscard]] std::size_t filled_columns() const { return missing.size(); }
  [[nodiscard]] Checksum plan_checksum() const;  ///< the fingerprint in the format of journal records
  [[nodiscard]] const ColumnPlace& place(std::string_view column) const;  ///< Pre: the file has that column
};

/// Converts to plan.json, which includes a checksum, and back. Reading throws ForeignRun if the text is damaged or has
/// another format version.
[[nodiscard]] std::string to_plan_json(const RunRecord& record);
[[nodiscard]] RunRecord read_plan_json(std::string_view text, const std::filesystem::path& path);

/// Reads plan.json. Throws ForeignRun if it is missing or damaged, NotReady if the run was stopped before it wrote one,
/// IoError if it cannot be read.
[[nodiscard]] RunRecord read_run_record(FileSystem& files, const RunDirectory& directory);

/// The error for a run that has no result file yet.
[[nodiscard]] NotReady no_result_yet(const RunDirectory& directory);

/// The record of a plan; `image`: the layout of its file.
[[nodiscard]] RunRecord make_run_record(const Plan& plan, const DatasetImage& image);

/// A line diff of at most `max_lines` lines: "- " marks lines only in `before`, "+ " lines only in `after`, "~ " a list
/// of more than six values in both, of which only the values that are gone and new are named.
[[nodiscard]] std::string difference(std::string_view before, std::string_view after, std::size_t max_lines = 20);

}  // namespace dfsweep::store
