#include "engine/merging/merge_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/console/build_info.hpp"
#include "engine/console/usage_error.hpp"
#include "engine/results/open_result.hpp"
#include "engine/results/scan.hpp"
#include "engine/store/journal_checksums.hpp"
#include "engine/store/journals.hpp"
#include "engine/store/run_directory.hpp"
#include "io/diagnostic.hpp"
#include "io/seal.hpp"
#include "io/terminal.hpp"

namespace dfsweep {

namespace {

[[noreturn]] void refuse(const std::string& shown, const std::string& reason) {
  throw UsageError(fmt::format("{} cannot be merged: {}", printable(shown), reason));
}

/// Of a published file: the checksum of its seal, which holds those of everything else. Of an unfinished run: the
/// checksum of those of its complete blocks.
std::string part_checksum(const DatasetReader& file) {
  FileSystem& files = real_file_system();
  const store::RunDirectory directory{file.file().parent_path()};
  if (file.file() == directory.partial()) {
    const store::RunRecord record = store::read_run_record(files, directory);
    const store::JournalState journals = store::read_journals(files, directory, record);
    ChecksumStream stream;
    store::for_each_window(record.cut.stored_count(), record.filled_columns(), [&](store::BlockRange range) {
      const store::ChecksumTable table = store::journal_checksums(files, directory, record, journals, range);
      for (std::size_t i = 0; i < table.blocks.size(); ++i) {
        const std::uint64_t block = table.blocks[i];
        stream.update(std::as_bytes(std::span(&block, 1)));
        stream.update(std::as_bytes(table.of(i)));
      }
    });
    return to_hex(stream.digest());
  }
  std::array<std::byte, seal_bytes - sizeof(Checksum)> seal{};
  files.open(file.file(), OpenFor::reading)->read_at(0, seal);
  return xxh3_128_hex(seal);
}

void expect_mergeable(const DatasetReader& file, const std::string& shown) {
  if (file.verifiable() != Verifiable::whole ||
      integer_of(file.attributes(), "format_version").value_or(0) < contiguous_format)
    refuse(shown, "it is not a published result of this version of the format, so its rows cannot be verified");
  if (!file.group_columns().empty())
    refuse(shown, "it is the result of a search. Run a sweep of all values with --from for each of the results");
  if (const std::string build = file.provenance("build"); build != build_text())
    refuse(shown, "it was computed by another build of dfsweep, and rows of two builds may differ in the last bit:\n" +
                      store::difference(build, build_text()) + "\nMerge with the program that computed it");
}

/// Joined columns are measurements of rows, which another part may have, too.
void expect_own_columns(const MergePart& part) {
  const std::size_t metrics = metric_columns(*part.file).size();
  if (metrics != part.spec.metrics.size())
    refuse(part.shown, "it has columns that 'dfsweep join' added. Merge first, and join then");
}

MergePart opened(const std::filesystem::path& path, const GivenData& data) {
  MergePart part;
  part.shown = path.string();
  part.file = std::make_shared<DatasetReader>(open_result(path));
  expect_mergeable(*part.file, part.shown);
  if (part.rows() == 0) refuse(part.shown, "none of its rows is complete");
  part.lists_points = lists_points(*part.file);
  try {
    if (part.lists_points) {
      std::vector<std::uint64_t> first(1);
      part.file->read(*part.file->column("point"), part.file->complete().front().first, std::span(first));
      part.spec = stored_sweep_of_line(*part.file, first.front(), data);
    } else {
      part.spec = stored_sweep(*part.file, data);
    }
  } catch (const UserError& error) {
    refuse(part.shown, error.what());
  }
  part.lists_points = part.lists_points || part.spec.sample.has_value();
  part.inputs = stored_inputs(*part.file);
  expect_own_columns(part);
  part.checksum = part_checksum(*part.file);
  return part;
}

const InputFile* input_of(const MergePart& part, const std::string& name) {
  const auto found =
      std::find_if(part.inputs.begin(), part.inputs.end(), [&](const InputFile& input) { return input.name == name; });
  return found == part.inputs.end() ? nullptr : &*found;
}

[[noreturn]] void refuse(const MergePart& a, const MergePart& b, const std::string& reason) {
  throw UsageError(fmt::format("{} and {} cannot be merged: {}", printable(a.shown), printable(b.shown), reason));
}

void expect_alike(const MergePart& a, const MergePart& b) {
  if (a.spec.estimator != b.spec.estimator)
    refuse(a, b, fmt::format("their estimators are {} and {}", a.spec.estimator->name(), b.spec.estimator->name()));
  if (a.spec.precision != b.spec.precision) refuse(a, b, "one is in double precision and one in single precision");
  for (const InputFile& input : a.inputs) {
    const InputFile* other = input_of(b, input.name);
    if (other != nullptr && other->checksum != input.checksum)
      refuse(a, b, fmt::format("'{}' is not the same in both", printable(input.name)));
    if (other == nullptr && input.text.empty())  // a data file, which belongs to no single value
      refuse(a, b, fmt::format("the second was computed without the file '{}'", printable(input.name)));
  }
}

}  // namespace

std::vector<MergePart> open_parts(std::span<const std::filesystem::path> paths, const GivenData& data) {
  std::vector<MergePart> parts;
  for (const std::filesystem::path& path : paths) parts.push_back(opened(path, data));
  return parts;
}

void expect_alike(std::span<const MergePart> parts) {
  for (std::size_t b = 1; b < parts.size(); ++b)
    for (std::size_t a = 0; a < b; ++a) {
      expect_alike(parts[a], parts[b]);
      expect_alike(parts[b], parts[a]);
    }
}

std::vector<InputFile> inputs_of(std::span<const MergePart> parts) {
  std::vector<InputFile> inputs;
  for (const MergePart& part : parts)
    for (const InputFile& input : part.inputs)
      if (std::none_of(inputs.begin(), inputs.end(), [&](const InputFile& one) { return one.name == input.name; }))
        inputs.push_back(input);
  std::sort(inputs.begin(), inputs.end(), [](const InputFile& a, const InputFile& b) { return a.name < b.name; });
  return inputs;
}

std::vector<MergedSource> sources_of(std::span<const MergePart> parts) {
  std::vector<MergedSource> sources;
  for (const MergePart& part : parts)
    sources.push_back({.checksum = part.checksum,
                       .fingerprint = part.file->attribute("plan_fingerprint"),
                       .rows = part.rows(),
                       .name = part.spec.name,
                       .sources = stored_sources(*part.file)});
  return sources;
}

}  // namespace dfsweep
