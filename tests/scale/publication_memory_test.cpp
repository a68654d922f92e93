/// Publication takes no memory for each block and column: a result of many small blocks, whose table of checksums is
/// larger than all that publication may take.
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "engine/parallel/communicator.hpp"
#include "engine/store/publication.hpp"
#include "engine/store/run_directory.hpp"
#include "engine/store/verification.hpp"
#include "io/hdf5/dataset_reader.hpp"
#include "io/journal.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace dfsweep;
using namespace dfsweep::store;

BOOST_AUTO_TEST_SUITE(publication_memory_test)

namespace {

constexpr std::size_t metrics = 40;
constexpr std::size_t journals = 50;
constexpr std::uint64_t megabyte = 1'000'000;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool is_sanitized = true;  // memory is then used otherwise
#else
constexpr bool is_sanitized = false;
#endif

/// A number of /proc/self/status in bytes; 0 where it is not there.
std::uint64_t memory(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(name + ":")) return std::stoull(line.substr(name.size() + 1)) * 1024;
  return 0;
}

/// The peak of the memory of this process while `act` runs, above what it has before.
template <typename Act>
std::uint64_t peak_of(const Act& act) {
  std::ofstream("/proc/self/clear_refs") << "5";  // the peak begins here
  const std::uint64_t before = memory("VmRSS");
  act();
  return memory("VmHWM") - before;
}

/// A run of `blocks` blocks of one row of zeros, all of them recorded and none published.
struct ManyBlocks {
  explicit ManyBlocks(std::uint32_t blocks) {
    const DatasetImage image = lay_out_dataset(description(blocks));
    record.name = "many-blocks";
    record.fingerprint = std::string(32, 'a');
    record.cut.block_count = blocks;
    record.cut.rows = record.cut.groups = blocks;
    record.places = image.places;
    record.missing.resize(1 + metrics, std::vector<std::byte>(sizeof(double)));
    record.file_size = image.size;
    record.frame = frame_checksum(image);
    const RunDirectory directory{folder.path()};
    FileSystem& files = real_file_system();
    files.create_directories(directory.journals());
    const std::string plan = to_plan_json(record);
    replace_file(files, directory.plan(), std::as_bytes(std::span(plan)));
    const std::unique_ptr<File> file = files.open(directory.partial(), OpenFor::creating);
    file->truncate(image.size);
    write_frame(*file, image);
    write_journals(directory, blocks);
  }

  /// Journal j records the blocks j, j + journals, ..., as ranks that take turns do.
  void write_journals(const RunDirectory& directory, std::uint32_t blocks) const {
    const std::vector<std::byte> zeros(sizeof(double));
    const std::vector<std::byte> payload =
        encode_checksums(std::vector<Checksum>(record.filled_columns(), xxh3_128(zeros)));
    for (std::uint32_t j = 0; j < journals; ++j) {
      std::vector<std::byte> records;
      for (std::uint32_t block = j; block < blocks; block += journals) {
        const std::vector<std::byte> encoded = encode_record(
            {.kind = RecordKind::rows, .plan = record.plan_checksum(), .block = block, .payload = payload});
        records.insert(records.end(), encoded.begin(), encoded.end());
      }
      real_file_system()
          .open(directory.journal("part-1-of-1.rank-" + std::to_string(j)), OpenFor::appending_here)
          ->append(records);
    }
  }

  static DatasetDescription description(std::uint32_t blocks) {
    DatasetDescription description;
    const auto add = [&](const std::string& path, ColumnExtent extent, std::uint64_t width) {
      description.columns.push_back({.path = path,
                                     .type = ElementType::uint64,
                                     .extent = extent,
                                     .count = blocks,
                                     .width = width,
                                     .scales = {},
                                     .attributes = {}});
    };
    std::string names = "point";
    add("point", ColumnExtent::rows, 1);
    for (std::size_t m = 0; m < metrics; ++m) {
      add("metric_" + std::to_string(m), ColumnExtent::rows, 1);
      names += " metric_" + std::to_string(m);
    }
    add("provenance/block", ColumnExtent::file, 1);
    add("provenance/checksums", ColumnExtent::file, 2 * (1 + metrics));
    description.attributes = {{"format", std::string("dfsweep")},
                              {"format_version", std::int64_t{contiguous_format}},
                              {"columns", names},
                              {"group_columns", std::string()}};
    return description;
  }

  TemporaryFolder folder;
  RunRecord record;
};

}  // namespace

BOOST_AUTO_TEST_CASE(memory_does_not_follow_blocks_and_columns) {
  constexpr std::uint32_t blocks = 100'000;
  constexpr std::uint64_t table = std::uint64_t{16} * blocks * (1 + metrics);  // 66 MB
  // A window of 16 MiB as a message and as a table, 16 bytes for each block of the journals, what threads need.
  constexpr std::uint64_t most = 42 * megabyte;
  static_assert(table > most + 20 * megabyte);
  const ManyBlocks run(blocks);
  if (is_sanitized || memory("VmHWM") == 0) {
    BOOST_TEST_MESSAGE("skipped: this system or build does not say how much memory is used");
    return;
  }
  FileSystem& files = real_file_system();

  const std::uint64_t unfinished = peak_of([&] { BOOST_TEST(verify_run(files, run.folder.path(), 2).is_sound()); });
  BOOST_TEST(unfinished < most);
  const std::unique_ptr<Communicator> alone = make_serial_communicator();
  const std::uint64_t published =
      peak_of([&] { BOOST_TEST((publish(files, run.folder.path(), *alone, 2).outcome == PublishOutcome::published)); });
  BOOST_TEST(published < most);
  const std::uint64_t query = peak_of([&] {
    const DatasetReader reader(run.folder.path() / "result.h5");
    std::vector<double> values(10'000);
    for (std::uint64_t first = 0; first < blocks; first += values.size())
      reader.read(*reader.column("metric_7"), first, std::span(values));
  });
  BOOST_TEST(query < 10 * megabyte);
  BOOST_TEST_MESSAGE("a table of " << table / megabyte << " MB: " << unfinished / megabyte << " MB to verify a run, "
                                   << published / megabyte << " MB to publish it, " << query / megabyte
                                   << " MB to read a column");
}

BOOST_AUTO_TEST_SUITE_END()
