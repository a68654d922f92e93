/// Writing small result files: the layout comes from io/dataset, the columns are put at their places.
#include "tests/support/small_result.hpp"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <span>
#include <stdexcept>

#include "io/file_system.hpp"
#include "io/hdf5/sealed_dataset.hpp"

namespace dfsweep {

namespace {

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

}  // namespace

SmallResult::SmallResult(std::uint64_t rows) : rows_(rows) {
  std::vector<std::uint64_t> points;
  for (std::uint64_t row = 0; row < rows; ++row) points.push_back(row);
  add("point", ElementType::uint64, {{"units", std::string("1")}}, bytes_of(points));
}

SmallResult& SmallResult::add(const std::string& name, ElementType type, std::vector<Attribute> attributes,
                              std::vector<std::byte> bytes) {
  if (bytes.size() != rows_ * size_of(type)) throw std::logic_error("column " + name + " has another length");
  description_.columns.push_back({.path = name,
                                  .type = type,
                                  .extent = ColumnExtent::rows,
                                  .count = rows_,
                                  .width = 1,
                                  .scales = {"point"},
                                  .attributes = std::move(attributes)});
  bytes_.push_back(std::move(bytes));
  return *this;
}

SmallResult& SmallResult::labels(const std::string& name, std::vector<std::string> table,
                                 const std::vector<std::int16_t>& codes) {
  description_.labels.push_back({name + "_label", std::move(table)});
  return add(name, ElementType::int16, {{"labels", name + "_label"}, {"long_name", "the " + name}}, bytes_of(codes));
}

SmallResult& SmallResult::wholes(const std::string& name, const std::vector<std::int64_t>& values) {
  return add(name, ElementType::int64, {{"units", std::string("1")}}, bytes_of(values));
}

SmallResult& SmallResult::status(const std::vector<std::uint8_t>& codes) {
  description_.labels.push_back({"status_label", {"ok", "failed", "out_of_memory"}});
  return add("status", ElementType::uint8, {{"labels", std::string("status_label")}}, bytes_of(codes));
}

SmallResult& SmallResult::metric(const std::string& name, const std::string& units, const std::string& better,
                                 const std::vector<double>& values) {
  return add(name, ElementType::float64,
             {{"units", units}, {"better", better}, {"_FillValue", std::nan("")}, {"long_name", "the " + name}},
             bytes_of(values));
}

SmallResult& SmallResult::flags(const std::string& name, std::vector<std::string> table,
                                const std::vector<std::uint8_t>& codes) {
  description_.labels.push_back({name + "_label", std::move(table)});
  return add(name, ElementType::uint8,
             {{"labels", name + "_label"}, {"better", std::string("neither")}, {"_FillValue", std::int64_t{255}}},
             bytes_of(codes));
}

SmallResult& SmallResult::fixed(const std::string& name, decltype(ScalarDescription::value) value) {
  description_.scalars.push_back({"fixed/" + name, std::move(value), {{"units", std::string("1")}}});
  return *this;
}

SmallResult& SmallResult::attribute(const std::string& name, const std::string& text) {
  more_attributes_.push_back({name, text});
  return *this;
}

DatasetImage SmallResult::image() const {
  DatasetDescription description = description_;
  std::string names;
  for (const ColumnDescription& column : description.columns) names += (names.empty() ? "" : " ") + column.path;
  description.attributes = {{"format", std::string("dfsweep")},
                            {"format_version", std::int64_t{contiguous_format}},
                            {"estimator", std::string("dataflow")},
                            {"plan_fingerprint", std::string("0123456789abcdef0123456789abcdef")},
                            {"columns", names},
                            {"group_columns", std::string()}};
  description.attributes.insert(description.attributes.end(), more_attributes_.begin(), more_attributes_.end());
  description.columns.push_back({"provenance/block", ElementType::uint64, ColumnExtent::file, 1, 1, {}, {}});
  description.columns.push_back(
      {"provenance/checksums", ElementType::uint64, ColumnExtent::file, 1, 2 * bytes_.size(), {}, {}});
  return lay_out_dataset(description);
}

ExpectedDataset SmallResult::with_rows(const std::vector<RowRange>& complete) const {
  const DatasetImage image = this->image();
  std::vector<Checksum> checksums;
  for (const RowRange& rows : complete)
    for (std::size_t c = 0; c < bytes_.size(); ++c) {
      const std::size_t element = image.places[c].element_bytes;
      checksums.push_back(xxh3_128(std::span(bytes_[c]).subspan(rows.first * element, rows.count * element)));
    }
  const auto read = [checksums, columns = bytes_.size()](std::size_t first, std::span<Checksum> to) {
    std::copy_n(checksums.begin() + static_cast<std::ptrdiff_t>(first * columns), to.size(), to.begin());
  };
  return {.file_size = image.size,
          .frame = frame_checksum(image),
          .places = image.places,
          .complete = {.blocks = complete, .read = read, .blocks_at_once = 2, .kept_windows = 2}};
}

void SmallResult::write(const std::filesystem::path& path) const {
  const DatasetImage image = this->image();
  const std::unique_ptr<File> file = real_file_system().open(path, OpenFor::creating);
  file->truncate(image.size);
  write_frame(*file, image);
  const std::vector<std::uint64_t> first_rows = {0};  // one block
  std::vector<Checksum> checksums;
  for (std::size_t c = 0; c < bytes_.size(); ++c) {
    file->write_at(image.places[c].offset, bytes_[c]);
    checksums.push_back(xxh3_128(bytes_[c]));
  }
  file->write_at(image.places[bytes_.size()].offset, std::as_bytes(std::span(first_rows)));
  file->write_at(image.places[bytes_.size() + 1].offset, std::as_bytes(std::span(checksums)));
  write_seal(*file, {.file_size = image.size, .frame = frame_checksum(image), .table = {}, .places = image.places});
}

SmallResult nine_rows() {
  const double none = std::nan("");
  SmallResult result(9);
  result.labels("device", {"a100", "h100", "tpu-v4"}, {0, 0, 0, 1, 1, 1, 2, 2, 2})
      .wholes("ways", {1, 2, 4, 1, 2, 4, 1, 2, 4})
      .status({0, 0, 0, 0, 2, 0, 0, 0, 1})
      .metric("time", "s", "lower", {4, 2, 1, 4, none, 2, 3, 3, none})
      .metric("speed", "FLOP/s", "higher", {10, 10, 5, 20, none, none, 8, 8, none})
      .metric("memory", "byte", "lower", {8e9, 8e9, 8e9, 8e9, 9e10, 8e9, 8e9, 8e9, none})
      .flags("method", {"slow", "fast"}, {0, 0, 1, 0, 255, 1, 0, 1, 255})
      .fixed("model", std::string("gpt3-1t"))
      .fixed("device_count", std::int64_t{1024});
  return result;
}

ScratchFile::ScratchFile(const std::string& name) {
  std::string folder = (std::filesystem::temp_directory_path() / "dfsweep-test-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) throw std::runtime_error("cannot make a folder for a test");
  path_ = std::filesystem::path(folder) / name;
}

ScratchFile::~ScratchFile() {
  std::error_code ignored;
  std::filesystem::remove_all(path_.parent_path(), ignored);
}

}  // namespace dfsweep
