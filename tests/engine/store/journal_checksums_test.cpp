/// Checksums of blocks: read from journals in batches, written to their table and read back in windows.
#include "engine/store/journal_checksums.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "engine/store/checksum_table.hpp"
#include "engine/store/journals.hpp"
#include "engine/store/store.hpp"
#include "tests/support/faulty_file_system.hpp"
#include "tests/support/toy_sweep.hpp"

using namespace dfsweep;
using namespace dfsweep::store;

BOOST_AUTO_TEST_SUITE(journal_checksums_test)

namespace {

/// A run of 12 blocks of one row whose journals are written by hand.
struct Journaled {
  Journaled() : sweep("[parameters]\nflavour = [\"plain\", \"odd\"]\nseed = { from = 1, to = 6, step = 1 }\n") {
    static_cast<void>(Store::create(files, directory.path, sweep.plan, Part{}, OpenMode::resume));
    record = read_run_record(files, directory);
  }

  /// A record whose checksums are all the same number.
  [[nodiscard]] std::vector<std::byte> bytes(std::uint32_t block, std::uint32_t generation,
                                             std::uint64_t number) const {
    const std::vector<Checksum> checksums(record.filled_columns(), Checksum{.high = number, .low = number});
    return encode_record({.kind = RecordKind::rows,
                          .plan = record.plan_checksum(),
                          .block = block,
                          .generation = generation,
                          .payload = encode_checksums(checksums)});
  }
  void journal(const std::string& writer, std::vector<std::vector<std::byte>> records) {
    std::vector<std::byte> all;
    for (const std::vector<std::byte>& each : records) all.insert(all.end(), each.begin(), each.end());
    files.set_content(directory.journal(writer), std::move(all));
  }
  [[nodiscard]] std::size_t row_bytes() const { return record.filled_columns() * sizeof(Checksum); }

  FaultyFileSystem files;
  ToySweep sweep;
  RunDirectory directory{"toy"};
  RunRecord record;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(every_complete_block_comes_once_with_its_valid_record, Journaled) {
  std::vector<std::vector<std::byte>> all;
  for (std::uint32_t block = 12; block-- > 0;) all.push_back(bytes(block, 0, block));
  journal("a", all);
  // Of block 3 the later journal counts, of block 5 the higher generation, of block 7 the later record of a journal.
  journal("b", {bytes(3, 0, 103), bytes(7, 0, 1), bytes(7, 0, 107)});
  journal("A", {bytes(5, 1, 105)});
  const JournalState journals = read_journals(files, directory, record);
  BOOST_REQUIRE_EQUAL(journals.complete_count(), 12U);

  for (const std::size_t at_once : {1U, 5U, 12U, 100U}) {
    std::map<std::uint32_t, std::uint64_t> found;
    visit_checksums(
        files, directory, record, journals, all_blocks(record),
        [&](const ChecksumTable& batch) {
          BOOST_TEST(batch.blocks.size() <= at_once);
          BOOST_TEST(std::is_sorted(batch.blocks.begin(), batch.blocks.end()));
          for (std::size_t i = 0; i < batch.blocks.size(); ++i) {
            BOOST_TEST(found.emplace(batch.blocks[i], batch.of(i).back().low).second);
            BOOST_TEST(batch.of(i).size() == record.filled_columns());
          }
        },
        at_once * row_bytes());
    BOOST_TEST(found.size() == 12U);
    for (const auto& [block, number] : found)
      BOOST_TEST(number == (block == 3 || block == 5 || block == 7 ? 100U + block : block));
  }
}

BOOST_FIXTURE_TEST_CASE(blocks_of_a_range_come_in_order_and_missing_ones_are_left_out, Journaled) {
  journal("a", {bytes(8, 0, 8), bytes(2, 0, 2), bytes(6, 0, 6)});
  journal("b", {bytes(4, 0, 4)});
  const JournalState journals = read_journals(files, directory, record);
  const ChecksumTable table = journal_checksums(files, directory, record, journals, {.first = 4, .count = 4});
  BOOST_TEST(table.blocks == (std::vector<std::uint32_t>{4, 6}), boost::test_tools::per_element());
  BOOST_REQUIRE_EQUAL(table.checksums.size(), 2 * record.filled_columns());
  BOOST_TEST(table.of(0).front().high == 4U);
  BOOST_TEST(table.of(1).front().high == 6U);
}

BOOST_FIXTURE_TEST_CASE(a_record_that_is_gone_is_an_error, Journaled) {
  journal("a", {bytes(0, 0, 0), bytes(1, 0, 1)});
  const JournalState journals = read_journals(files, directory, record);
  journal("a", {bytes(0, 0, 0)});
  const auto visit = [&] {
    visit_checksums(files, directory, record, journals, all_blocks(record), [](const ChecksumTable&) {});
  };
  BOOST_CHECK_THROW(visit(), IoError);
}

BOOST_AUTO_TEST_CASE(rows_of_the_table_are_written_to_the_places_of_their_blocks) {
  FaultyFileSystem files;
  const ColumnPlace place{.path = {}, .offset = 8, .element_bytes = 32, .count = 6, .extent = ColumnExtent::file};
  files.set_content("table", std::vector<std::byte>(8 + 6 * 32));
  const std::unique_ptr<File> file = files.open("table", OpenFor::writing);
  ChecksumTable table{.columns = 2, .blocks = {1, 2, 4}, .checksums = {}};
  for (std::uint64_t i = 1; i <= 6; ++i) table.checksums.push_back({.high = i, .low = 10 * i});
  write_checksums(*file, place, table);

  const ChecksumTable read = read_checksums(*file, place, {.first = 1, .count = 5});
  BOOST_TEST(read.blocks == (std::vector<std::uint32_t>{1, 2, 3, 4, 5}), boost::test_tools::per_element());
  std::vector<std::uint64_t> highs;
  for (const Checksum& each : read.checksums) highs.push_back(each.high);
  BOOST_TEST(highs == (std::vector<std::uint64_t>{1, 2, 3, 4, 0, 0, 5, 6, 0, 0}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(windows_cover_all_blocks_within_their_memory) {
  struct Case {
    std::uint32_t count;
    std::size_t columns;
    std::size_t windows;  ///< 16 MiB are 1 048 576 checksums
  };
  for (const Case& each : {Case{0, 3, 0}, Case{1, 3, 1}, Case{1'048'576, 1, 1}, Case{1'048'577, 1, 2},
                           Case{1'048'576, 30, 31},   // 34 952 blocks in each
                           Case{3, 2'000'000, 3}}) {  // one block, where not even that one has room
    std::uint32_t next = 0;
    std::size_t windows = 0;
    for_each_window(each.count, each.columns, [&](BlockRange range) {
      BOOST_TEST(range.first == next);
      BOOST_TEST((range.count == 1 || range.count * each.columns * sizeof(Checksum) <= window_bytes));
      next += range.count;
      ++windows;
    });
    BOOST_TEST(next == each.count);
    BOOST_TEST(windows == each.windows);
  }
}

BOOST_AUTO_TEST_SUITE_END()
