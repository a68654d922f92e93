/// Compressed results: the same values as without compression, the same bytes for any number of threads, damage found
/// and repaired.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "engine/results/open_result.hpp"
#include "engine/store/published_file.hpp"
#include "engine/store/run_directory.hpp"
#include "engine/store/verification.hpp"
#include "io/compressed_dataset.hpp"
#include "tests/support/named_rows.hpp"
#include "tests/support/toy_run.hpp"

BOOST_AUTO_TEST_SUITE(compression_test)

using namespace dfsweep;
using namespace dfsweep::store;
namespace bdata = boost::unit_test::data;

namespace {

struct Sweep {
  const char* why;
  std::string text;
};

const Sweep sweeps[] = {{"rows in small blocks: one chunk holds several", R"([parameters]
flavour = ["plain", "odd"]
size = { from = "1 B", to = "6 B", step = "1 B" }
seed = { from = 1, to = 4, step = 1 }
capacity = "4 B"
)"},
                        {"aligned blocks and more than one chunk", R"([parameters]
seed = { from = 1, to = 1500, step = 1 }
size = { from = "1 B", to = "100 B", step = "1 B" }
)"},
                        {"a search: columns of reported points, one of them with several numbers", R"([parameters]
flavour = ["plain", "odd"]
seed = { from = 1, to = 12, step = 1 }
[search]
over = ["flavour"]
minimize = "noise"
top = 1
)"},
                        {"a search whose rows are reduced by publication", R"([parameters]
work = [1, 300000000]
size = ["1 B", "2 B", "3 B"]
seed = { from = 1, to = 3, step = 1 }
outcome = ["normal", "infeasible"]
[filter]
keep = ["work == 1"]
[search]
over = ["size", "seed", "work"]
minimize = "noise"
top = 2
)"}};

std::string compressed(const Sweep& sweep) {
  return sweep.text + "[output]\ncompression = \"deflate\"\n";
}

std::vector<std::byte> bytes_of(const std::filesystem::path& path) {
  return read_file(real_file_system(), path);
}

std::vector<double> values_of(const DatasetReader& reader, const DatasetColumn& column) {
  std::vector<double> values(column.count * column.width);
  reader.read(column, 0, std::span(values));
  return values;
}

void flip(const std::filesystem::path& path, std::uint64_t at) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(static_cast<std::streamoff>(at));
  const char byte = static_cast<char>(file.get() ^ 4);
  file.seekp(static_cast<std::streamoff>(at));
  file.put(byte);
}

}  // namespace

BOOST_DATA_TEST_CASE(values_are_those_of_a_result_that_is_not_compressed, bdata::make(sweeps), sweep) {
  const TemporaryFolder folder;
  const ToySweep plain(sweep.text);
  const ToySweep packed(compressed(sweep));
  run_toy(real_file_system(), folder.path() / "plain", plain);
  run_toy(real_file_system(), folder.path() / "packed", packed);
  const DatasetReader expected = open_result(folder.path() / "plain");
  const DatasetReader found = open_result(folder.path() / "packed");
  BOOST_TEST((found.verifiable() == Verifiable::whole));
  BOOST_TEST(!std::filesystem::exists(folder.path() / "packed" / "result.partial.h5"));
  BOOST_TEST(!std::filesystem::exists(folder.path() / "packed" / "result.compressing.h5"));
  for (const auto list : {&DatasetReader::columns, &DatasetReader::group_columns}) {
    BOOST_REQUIRE_EQUAL((found.*list)().size(), (expected.*list)().size());
    for (std::size_t c = 0; c < (found.*list)().size(); ++c) {
      const DatasetColumn& column = (found.*list)()[c];
      const DatasetColumn& other = (expected.*list)()[c];
      BOOST_TEST(column.name == other.name);
      BOOST_TEST(column.attributes.size() == other.attributes.size());
      BOOST_TEST(!column.offset.has_value());
      const std::vector<double> values = values_of(found, column);
      const std::vector<double> others = values_of(expected, other);
      BOOST_TEST((std::as_bytes(std::span(values)).size() == std::as_bytes(std::span(others)).size()));
      BOOST_TEST(std::memcmp(values.data(), others.data(), values.size() * sizeof(double)) == 0, column.name);
    }
  }
}

BOOST_DATA_TEST_CASE(bytes_do_not_depend_on_threads, bdata::make(sweeps), sweep) {
  const TemporaryFolder folder;
  const ToySweep packed(compressed(sweep));
  std::vector<std::vector<std::byte>> results;
  for (const std::uint32_t threads : {1U, 4U}) {
    const std::filesystem::path directory = folder.path() / std::to_string(threads);
    {
      Store store = Store::create(real_file_system(), directory, packed.plan, Part{}, OpenMode::resume);
      evaluate_missing(packed, store, Part{}, 2);
    }
    const PublishReport report = publish(real_file_system(), directory, *make_communicator(), threads);
    BOOST_REQUIRE((report.outcome == PublishOutcome::published));
    results.push_back(bytes_of(directory / "result.h5"));
  }
  BOOST_TEST((results[0] == results[1]));
}

BOOST_DATA_TEST_CASE(a_published_run_stays_as_it_is_and_is_verified_again, bdata::make(sweeps), sweep) {
  const TemporaryFolder folder;
  const ToySweep packed(compressed(sweep));
  run_toy(real_file_system(), folder.path(), packed);
  const std::vector<std::byte> result = bytes_of(folder.path() / "result.h5");
  const PublishReport again = publish(real_file_system(), folder.path(), *make_communicator(), 2);
  BOOST_TEST((again.outcome == PublishOutcome::published));
  BOOST_TEST((bytes_of(folder.path() / "result.h5") == result));
  const VerifyReport run = verify_run(real_file_system(), folder.path(), 2);
  BOOST_TEST(run.is_sound());
  const VerifyReport file = verify_file(real_file_system(), folder.path() / "result.h5", 2);
  BOOST_TEST(file.is_sound());
  BOOST_TEST(file.bytes == run.bytes);
  BOOST_TEST(file.bytes == again.verified_bytes);
}

BOOST_DATA_TEST_CASE(a_damaged_chunk_is_found_and_the_next_run_repairs_it, bdata::make(sweeps), sweep) {
  const TemporaryFolder folder;
  const ToySweep packed(compressed(sweep));
  run_toy(real_file_system(), folder.path(), packed);
  const std::filesystem::path path = folder.path() / "result.h5";
  const std::vector<std::byte> result = bytes_of(path);
  flip(path, first_chunk_offset + 9);
  BOOST_TEST(!verify_file(real_file_system(), path, 1).is_sound());
  BOOST_CHECK_THROW(values_of(DatasetReader(path), DatasetReader(path).columns().front()), BadDataset);
  BOOST_TEST(!verify_run(real_file_system(), folder.path(), 1).is_sound());
  run_toy(real_file_system(), folder.path(), packed);
  BOOST_TEST((bytes_of(path) == result));
}

BOOST_AUTO_TEST_CASE(blocks_that_are_sound_are_not_evaluated_again) {
  const TemporaryFolder folder;
  const ToySweep packed(compressed(sweeps[1]));
  run_toy(real_file_system(), folder.path(), packed);
  flip(folder.path() / "result.h5", first_chunk_offset + 9);
  const VerifyReport found = verify_run(real_file_system(), folder.path(), 1);
  BOOST_REQUIRE(!found.damaged.empty());
  BOOST_REQUIRE_LT(found.damaged.size(), packed.plan.block_count());
  const Store store = Store::create(real_file_system(), folder.path(), packed.plan, Part{}, OpenMode::resume);
  BOOST_TEST(std::count(store.complete().begin(), store.complete().end(), false) ==
             static_cast<std::ptrdiff_t>(found.damaged.size()));
}

BOOST_AUTO_TEST_CASE(another_level_gives_other_bytes_and_the_same_values) {
  const TemporaryFolder folder;
  const ToySweep fast(compressed(sweeps[1]));
  const ToySweep small(compressed(sweeps[1]) + "compression_level = 9\n");
  run_toy(real_file_system(), folder.path() / "fast", fast);
  run_toy(real_file_system(), folder.path() / "small", small);
  BOOST_TEST(std::filesystem::file_size(folder.path() / "small" / "result.h5") <
             std::filesystem::file_size(folder.path() / "fast" / "result.h5"));
  const DatasetReader one = open_result(folder.path() / "fast");
  const DatasetReader other = open_result(folder.path() / "small");
  BOOST_TEST((values_of(one, *one.column("noise")) == values_of(other, *other.column("noise"))));
}

struct Cut {
  const char* why;
  std::uint64_t rows_per_group;
  std::uint64_t groups_per_block;
  std::uint64_t groups;
  std::uint64_t chunk;  ///< groups
};
const Cut cuts[] = {{"a block is a chunk", 1, 65'536, 1'000'000, 65'536},
                    {"small blocks share one", 1, 1000, 1'000'000, 65'000},
                    {"a large block is divided", 1, 4'096 * 100, 10'000'000, 4'096 * 25},
                    {"reported points are not torn", 3, 1000, 1'000'000, 21'000},
                    {"a chunk is not larger than the result", 1, 64, 300, 300}};

BOOST_DATA_TEST_CASE(chunks_are_whole_numbers_or_whole_parts_of_blocks, bdata::make(cuts), cut) {
  const BlockCut blocks{.kind = BlockKind::aligned,
                        .block_count = 1,
                        .rows = cut.groups * cut.rows_per_group,
                        .groups = cut.groups,
                        .rows_per_group = cut.rows_per_group,
                        .groups_per_block = cut.groups_per_block};
  BOOST_TEST(groups_per_chunk(blocks) == cut.chunk);
}

BOOST_AUTO_TEST_SUITE_END()
