/// Compressed files: what is written comes back, and every byte of a file is compared before it is used.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstring>

#include "io/chunk_filter.hpp"
#include "io/compressed_dataset.hpp"
#include "io/hdf5/dataset_reader.hpp"
#include "io/hdf5/sealed_dataset.hpp"
#include "io/seal.hpp"
#include "tests/support/temporary_folder.hpp"

BOOST_AUTO_TEST_SUITE(compressed_dataset_test)

using namespace dfsweep;

namespace {

constexpr std::uint64_t rows = 100;
constexpr std::uint64_t rows_per_chunk = 30;  // the last of four chunks is a third full
constexpr std::uint64_t rows_per_group = 2;

ColumnDescription column(const char* path, ElementType type, ColumnExtent extent, std::uint64_t count,
                         std::uint64_t width, std::vector<std::string> scales) {
  return {.path = path,
          .type = type,
          .extent = extent,
          .count = count,
          .width = width,
          .scales = std::move(scales),
          .attributes = {{"units", std::string("1")}}};
}

/// A file of one block with columns of rows and of reported points, one of them with several numbers.
class SmallFile {
 public:
  SmallFile() {
    description_.attributes = {{"format", std::string("dfsweep")},
                               {"format_version", std::int64_t{compressed_format}},
                               {"columns", std::string("point speed status")},
                               {"group_columns", std::string("reported_point rejections")}};
    description_.labels = {{"status_label", {"ok", "failed", "slow"}}};
    constexpr std::uint64_t groups = rows / rows_per_group;
    add(column("point", ElementType::uint64, ColumnExtent::rows, rows, 1, {"point"}), rows_per_chunk);
    add(column("speed", ElementType::float64, ColumnExtent::rows, rows, 1, {"point"}), rows_per_chunk);
    add(column("status", ElementType::uint8, ColumnExtent::rows, rows, 1, {"point"}), rows_per_chunk);
    add(column("reported_point", ElementType::uint64, ColumnExtent::groups, groups, 1, {"reported_point"}),
        rows_per_chunk / rows_per_group);
    add(column("rejections", ElementType::uint64, ColumnExtent::groups, groups, 3, {"reported_point", "status_label"}),
        rows_per_chunk / rows_per_group);
    table_.first_rows = {0};
    description_.columns.push_back(
        column("provenance/block", ElementType::uint64, ColumnExtent::file, 1, 1, {"provenance/block"}));
    description_.columns.push_back(
        column("provenance/checksums", ElementType::uint64, ColumnExtent::file, 1, 2 * values_.size(), {}));
    description_.columns.push_back(
        column("provenance/chunks", ElementType::uint64, ColumnExtent::file, table_.chunks.size(), 4, {}));
  }

  [[nodiscard]] DatasetImage image() const {
    return lay_out_compressed(description_, {.chunk_elements = chunk_elements_, .chunks = table_.chunks, .level = 1});
  }
  [[nodiscard]] const std::vector<std::byte>& values(std::size_t column) const { return values_[column]; }

  void write(const std::filesystem::path& path) const {
    const DatasetImage image = this->image();
    const Seal seal{.file_size = image.size,
                    .frame = frame_checksum(image),
                    .table = {},
                    .places = image.places,
                    .chunk_elements = chunk_elements_};
    const std::unique_ptr<File> file = real_file_system().open(path, OpenFor::creating);
    file->truncate(image.size);
    write_frame(*file, image);
    file->write_at(first_chunk_offset, stored_);
    file->write_at(seal.tables()[0].offset, std::as_bytes(std::span(table_.first_rows)));
    file->write_at(seal.tables()[1].offset, std::as_bytes(std::span(checksums_)));
    file->write_at(seal.tables()[2].offset, std::as_bytes(std::span(table_.chunks)));
    write_seal(*file, seal);
  }

 private:
  void add(ColumnDescription description, std::uint64_t chunk) {
    const std::uint64_t element = description.width * size_of(description.type);
    std::vector<std::byte> values(description.count * element);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::byte>((7 * i + values_.size()) / 5);
    for (std::uint64_t first = 0; first < description.count; first += chunk) {
      std::vector<std::byte> padded(chunk * element);
      std::memcpy(padded.data(), values.data() + first * element, std::min(chunk, description.count - first) * element);
      const std::vector<std::byte> bytes = compressed_chunk(padded, shuffled_bytes(element), 1);
      table_.chunks.push_back({first_chunk_offset + stored_.size(), bytes.size(), xxh3_128(bytes)});
      stored_.insert(stored_.end(), bytes.begin(), bytes.end());
    }
    checksums_.push_back(xxh3_128(values));
    values_.push_back(std::move(values));
    chunk_elements_.push_back(chunk);
    description_.columns.push_back(std::move(description));
  }

  DatasetDescription description_;
  std::vector<std::vector<std::byte>> values_;  ///< [column]
  std::vector<std::uint64_t> chunk_elements_;
  std::vector<std::byte> stored_;
  StoredTables table_;
  std::vector<Checksum> checksums_;
};

/// The numbers of all columns; throws as the reader does.
std::vector<std::vector<double>> all_numbers(const std::filesystem::path& path) {
  const DatasetReader reader(path);
  std::vector<std::vector<double>> numbers;
  for (const auto* list : {&reader.columns(), &reader.group_columns()})
    for (const DatasetColumn& each : *list) {
      numbers.emplace_back(each.count * each.width);
      reader.read(each, 0, std::span(numbers.back()));
    }
  return numbers;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_written_comes_back) {
  const TemporaryFolder folder;
  const SmallFile file;
  file.write(folder.path() / "file.h5");
  const DatasetReader reader(folder.path() / "file.h5");
  BOOST_TEST((reader.verifiable() == Verifiable::whole));
  BOOST_TEST(reader.row_count() == rows);
  const std::vector<std::vector<double>> numbers = all_numbers(folder.path() / "file.h5");
  BOOST_REQUIRE_EQUAL(numbers.size(), 5U);
  BOOST_TEST(std::memcmp(numbers[1].data(), file.values(1).data(), file.values(1).size()) == 0);
  for (std::uint64_t i = 0; i < rows; ++i) BOOST_TEST(numbers[2][i] == static_cast<double>(file.values(2)[i]));
}

BOOST_AUTO_TEST_CASE(any_rows_are_read_across_chunks) {
  const TemporaryFolder folder;
  const SmallFile file;
  file.write(folder.path() / "file.h5");
  const DatasetReader reader(folder.path() / "file.h5");
  for (const std::uint64_t first : {std::uint64_t{0}, rows_per_chunk - 1, rows - 3}) {
    std::vector<double> some(3);
    reader.read(*reader.column("speed"), first, std::span(some));
    BOOST_TEST(std::memcmp(some.data(), file.values(1).data() + 8 * first, 24) == 0, "from row " << first);
  }
  std::vector<double> beyond(2);
  BOOST_CHECK_THROW(reader.read(*reader.column("speed"), rows - 1, std::span(beyond)), BadDataset);
}

BOOST_AUTO_TEST_CASE(the_same_description_gives_the_same_bytes) {
  const SmallFile file;
  BOOST_TEST((file.image().pieces == file.image().pieces));
}

BOOST_AUTO_TEST_CASE(every_flipped_byte_is_refused) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "file.h5";
  SmallFile().write(path);
  std::vector<std::byte> bytes = read_file(real_file_system(), path);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const std::byte bit = static_cast<std::byte>(1U << i % 8);
    bytes[i] ^= bit;
    real_file_system().open(path, OpenFor::writing)->write_at(i, std::span(bytes).subspan(i, 1));
    BOOST_REQUIRE_THROW(all_numbers(path), BadDataset);
    bytes[i] ^= bit;
    real_file_system().open(path, OpenFor::writing)->write_at(i, std::span(bytes).subspan(i, 1));
  }
  BOOST_CHECK_NO_THROW(all_numbers(path));
}

BOOST_AUTO_TEST_CASE(a_seal_of_a_compressed_file_comes_back) {
  const SmallFile file;
  const DatasetImage image = file.image();
  const Seal seal{.file_size = image.size,
                  .frame = frame_checksum(image),
                  .table = {1, 2},
                  .places = image.places,
                  .chunk_elements = {30, 30, 30, 15, 15}};
  const SealReading reading = decode_seal(encode_seal(seal));
  BOOST_REQUIRE((reading.state == SealState::intact));
  BOOST_TEST(reading.seal.is_compressed());
  BOOST_TEST(reading.seal.columns() == 5U);
  BOOST_TEST(reading.seal.chunk_elements == seal.chunk_elements, boost::test_tools::per_element());
  BOOST_TEST(reading.seal.chunk_data().offset == first_chunk_offset);
  BOOST_TEST(reading.seal.tables().size() == 3U);
  Seal impossible = seal;
  impossible.chunk_elements[0] = rows + 1;  // longer than its column
  BOOST_TEST((decode_seal(encode_seal(impossible)).state == SealState::damaged));
}

BOOST_AUTO_TEST_SUITE_END()
