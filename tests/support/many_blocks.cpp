#include "tests/support/many_blocks.hpp"

#include <string>
#include <vector>

#include "io/dataset.hpp"
#include "io/journal.hpp"
#include "io/seal.hpp"

namespace dfsweep {

namespace {

DatasetDescription description(const BlockNumbers& numbers) {
  DatasetDescription description;
  const auto add = [&](const std::string& path, ColumnExtent extent, std::uint64_t width) {
    description.columns.push_back({.path = path,
                                   .type = ElementType::uint64,
                                   .extent = extent,
                                   .count = numbers.blocks,
                                   .width = width,
                                   .scales = {},
                                   .attributes = {}});
  };
  std::string names;
  for (std::size_t c = 0; c < numbers.columns; ++c) {
    const std::string name = c == 0 ? "point" : "metric_" + std::to_string(c);
    add(name, ColumnExtent::rows, 1);
    names += (c == 0 ? "" : " ") + name;
  }
  add("provenance/block", ColumnExtent::file, 1);
  add("provenance/checksums", ColumnExtent::file, 2 * numbers.columns);
  description.attributes = {{"format", std::string("dfsweep")},
                            {"format_version", std::int64_t{contiguous_format}},
                            {"columns", names},
                            {"group_columns", std::string()}};
  return description;
}

}  // namespace

ManyBlocks::ManyBlocks(const std::filesystem::path& path, const BlockNumbers& numbers) : directory_{path} {
  const DatasetImage image = lay_out_dataset(description(numbers));
  record_.name = "many-blocks";
  record_.fingerprint = std::string(32, 'a');
  record_.cut.block_count = numbers.blocks;
  record_.cut.rows = record_.cut.groups = numbers.blocks;
  record_.places = image.places;
  record_.missing.resize(numbers.columns, std::vector<std::byte>(sizeof(std::uint64_t)));
  record_.file_size = image.size;
  record_.frame = frame_checksum(image);
  FileSystem& files = real_file_system();
  files.create_directories(directory_.journals());
  const std::string plan = store::to_plan_json(record_);
  replace_file(files, directory_.plan(), std::as_bytes(std::span(plan)));
  const std::unique_ptr<File> file = files.open(directory_.partial(), OpenFor::creating);
  file->truncate(image.size);
  write_frame(*file, image);
  write_journals(numbers);
}

void ManyBlocks::write_journals(const BlockNumbers& numbers) {
  const std::vector<std::byte> zeros(sizeof(std::uint64_t));
  const std::vector<std::byte> payload =
      encode_checksums(std::vector<Checksum>(record_.filled_columns(), xxh3_128(zeros)));
  for (std::uint32_t writer = 0; writer < numbers.writers; ++writer) {
    std::vector<std::byte> records;
    for (std::uint32_t block = writer; block < numbers.blocks; block += numbers.writers) {
      const std::vector<std::byte> encoded = encode_record({.kind = RecordKind::rows,
                                                            .plan = record_.plan_checksum(),
                                                            .block = block,
                                                            .generation = 0,
                                                            .payload = payload});
      records.insert(records.end(), encoded.begin(), encoded.end());
    }
    const std::string name = "part-1-of-1.rank-" + std::to_string(writer);
    real_file_system().open(directory_.journal(name), OpenFor::appending_here)->append(records);
    journal_bytes_ += records.size();
  }
}

}  // namespace dfsweep
