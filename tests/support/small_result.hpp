/// SmallResult: result files made by hand for tests of what reads them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "io/hdf5/dataset_reader.hpp"

namespace dfsweep {

/// Collects columns of equal length and writes them as a published file would hold them.
class SmallResult {
 public:
  explicit SmallResult(std::uint64_t rows);
  SmallResult& labels(const std::string& name, std::vector<std::string> table, const std::vector<std::int16_t>& codes);
  SmallResult& wholes(const std::string& name, const std::vector<std::int64_t>& values);
  /// Codes into "ok", "failed", "out_of_memory"; metrics come after.
  SmallResult& status(const std::vector<std::uint8_t>& codes);
  SmallResult& metric(const std::string& name, const std::string& units, const std::string& better,
                      const std::vector<double>& values);
  SmallResult& flags(const std::string& name, std::vector<std::string> table, const std::vector<std::uint8_t>& codes);
  SmallResult& fixed(const std::string& name, decltype(ScalarDescription::value) value);
  /// Of the file, as "search_metric".
  SmallResult& attribute(const std::string& name, const std::string& text);
  void write(const std::filesystem::path& path) const;
  /// What that file must hold where only these rows are complete.
  [[nodiscard]] ExpectedDataset with_rows(const std::vector<RowRange>& complete) const;

 private:
  [[nodiscard]] DatasetImage image() const;
  SmallResult& add(const std::string& name, ElementType type, std::vector<Attribute> attributes,
                   std::vector<std::byte> bytes);

  std::uint64_t rows_;
  DatasetDescription description_;
  std::vector<Attribute> more_attributes_;
  std::vector<std::vector<std::byte>> bytes_;  ///< [column]
};

/// Axes device (a100, h100, tpu-v4) x ways (1, 2, 4), in grid order; 9 rows. The metrics, by row:
///
///     row        0     1    2    3    4    5    6    7    8
///     status     ok    ok   ok   ok   oom  ok   ok   ok   failed
///     time, s    4     2    1    4    -    2    3    3    -
///     speed      10    10   5    20   -    -    8    8    -         (5 is ok, but the metric does not apply)
///     memory, B  8e9   8e9  8e9  8e9  9e10 8e9  8e9  8e9  -
///     method     slow  slow fast slow -    fast slow fast -
///
/// Fixed: model = "gpt3-1t", device_count = 1024.
[[nodiscard]] SmallResult nine_rows();

/// A file in a folder of its own that is removed at the end of the test.
class ScratchFile {
 public:
  explicit ScratchFile(const std::string& name);
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  ~ScratchFile();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace dfsweep
