/// Damage at rest: a bit of every byte flipped, journals cut at every length, records and blocks of somebody else.
/// DFSWEEP_LONG_TESTS=1 flips every bit of every byte.
#include <cstdlib>
#include <functional>

#include <boost/test/unit_test.hpp>

#include "engine/store/journals.hpp"
#include "engine/store/run_directory.hpp"
#include "engine/store/verification.hpp"
#include "tests/support/faulty_file_system.hpp"
#include "tests/support/toy_run.hpp"

BOOST_AUTO_TEST_SUITE(damage_test)

using namespace dfsweep;
using namespace dfsweep::store;

namespace {

const std::filesystem::path directory = "toy";
const RunDirectory run{directory};
const std::filesystem::path journal = run.journal("part-1-of-1.rank-0");

/// 12 rows in 12 blocks.
constexpr const char* tiny_sweep =
    "[parameters]\nflavour = [\"plain\", \"odd\"]\nseed = { from = 1, to = 6, step = 1 }\n";

/// Every block committed, nothing published.
void evaluate_all(FaultyFileSystem& files, const ToySweep& sweep) {
  Store store = Store::create(files, directory, sweep.plan, Part{}, OpenMode::resume);
  evaluate_missing(sweep, store, Part{}, 2);
}

std::uint32_t complete_blocks(FaultyFileSystem& files) {
  return read_journals(files, run, read_run_record(files, run)).complete_count();
}

/// Calls `judge` once for each flipped bit of a file: one bit of each byte, or in the long form all of them.
void for_each_bit(FaultyFileSystem& files, const std::filesystem::path& path, const std::function<void()>& judge) {
  const char* value = std::getenv("DFSWEEP_LONG_TESTS");
  const bool is_long = value != nullptr && *value == '1';
  const std::vector<std::byte> sound = files.content(path);
  std::uint64_t flips = 0;
  for (std::size_t at = 0; at < sound.size(); ++at)
    for (unsigned bit = is_long ? 0 : at % 8; bit < (is_long ? 8 : at % 8 + 1); ++bit) {
      std::vector<std::byte> bytes = sound;
      bytes[at] ^= static_cast<std::byte>(1U << bit);
      files.set_content(path, std::move(bytes));
      BOOST_TEST_CONTEXT("byte " << at << " bit " << bit) judge();
      ++flips;
    }
  files.set_content(path, sound);
  BOOST_TEST_MESSAGE(path.filename().string() << ": " << flips << " flips");
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_flipped_byte_of_a_published_file_is_detected) {
  FaultyFileSystem files;
  const ToySweep sweep(tiny_sweep);
  run_toy(files, directory, sweep);
  const RunRecord record = read_run_record(files, run);
  std::uint64_t in_blocks = 0;
  std::uint64_t elsewhere = 0;
  std::uint64_t flips = 0;
  for_each_bit(files, run.result(), [&] {
    const VerifyReport report = verify_run(files, directory, 1);
    in_blocks += report.damaged.size() == 1 && !report.is_frame_damaged ? 1 : 0;
    elsewhere += report.damaged.empty() && report.is_frame_damaged ? 1 : 0;
    files.remove(run.damage());
    ++flips;
  });
  std::uint64_t data_bytes = 0;
  for (std::size_t c = 0; c < record.filled_columns(); ++c) data_bytes += record.places[c].bytes();
  const std::size_t size = files.content(run.result()).size();
  BOOST_TEST(in_blocks == data_bytes * (flips / size));
  BOOST_TEST(in_blocks + elsewhere == flips);
}

BOOST_AUTO_TEST_CASE(flipped_bytes_are_repaired_by_the_next_run) {
  FaultyFileSystem files;
  const ToySweep sweep(tiny_sweep);
  run_toy(files, directory, sweep);
  const std::vector<std::byte> sound = files.content(run.result());
  constexpr std::size_t stride = 61;  // all kinds of places; every byte is detected above
  for (std::size_t at = 0; at < sound.size(); at += stride) {
    std::vector<std::byte> bytes = sound;
    bytes[at] ^= std::byte{0x80};
    files.set_content(run.result(), std::move(bytes));
    BOOST_REQUIRE(!verify_run(files, directory, 1).is_sound());
    run_toy(files, directory, sweep);
    BOOST_TEST_INFO("byte " << at);
    BOOST_REQUIRE(files.content(run.result()) == sound);
    BOOST_REQUIRE(!files.exists(run.damage()));
  }
}

BOOST_AUTO_TEST_CASE(every_flipped_byte_of_a_journal_costs_exactly_its_record) {
  FaultyFileSystem files;
  const ToySweep sweep(tiny_sweep);
  evaluate_all(files, sweep);
  BOOST_REQUIRE_EQUAL(complete_blocks(files), 12U);
  for_each_bit(files, journal, [&] { BOOST_REQUIRE_EQUAL(complete_blocks(files), 11U); });
}

BOOST_AUTO_TEST_CASE(a_journal_cut_at_any_length_keeps_its_whole_records_and_goes_on) {
  FaultyFileSystem files;
  const ToySweep sweep(tiny_sweep);
  evaluate_all(files, sweep);
  const std::vector<std::byte> sound = files.content(journal);
  BOOST_REQUIRE_EQUAL(sound.size() % 12, 0U);
  const std::size_t record_bytes = sound.size() / 12;
  for (std::size_t length = 0; length <= sound.size(); ++length) {
    files.set_content(journal, {sound.begin(), sound.begin() + static_cast<std::ptrdiff_t>(length)});
    BOOST_TEST_INFO("length " << length);
    BOOST_REQUIRE_EQUAL(complete_blocks(files), length / record_bytes);
    if (length % 7 != 0) continue;  // resuming behind a torn record: its rest stays in the journal, new records follow
    evaluate_all(files, sweep);
    BOOST_TEST_INFO("length " << length);
    BOOST_REQUIRE_EQUAL(complete_blocks(files), 12U);
  }
}

BOOST_AUTO_TEST_CASE(torn_bytes_are_reported) {
  FaultyFileSystem files;
  const ToySweep sweep(tiny_sweep);
  evaluate_all(files, sweep);
  std::vector<std::byte> bytes = files.content(journal);
  bytes.resize(bytes.size() - 5);
  files.set_content(journal, std::move(bytes));
  const Store store = Store::create(files, directory, sweep.plan, Part{}, OpenMode::resume);
  BOOST_REQUIRE_EQUAL(store.notes().size(), 1U);
  BOOST_TEST(store.notes()[0].find("not valid records") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(records_of_another_plan_or_for_blocks_that_do_not_exist_are_refused) {
  FaultyFileSystem files;
  const ToySweep sweep(tiny_sweep);
  const ToySweep other("[parameters]\nflavour = [\"rich\", \"odd\"]\nseed = { from = 1, to = 6, step = 1 }\n");
  evaluate_all(files, other);
  const std::vector<std::byte> foreign = files.content(journal);
  FaultyFileSystem ours;
  { const Store store = Store::create(ours, directory, sweep.plan, Part{}, OpenMode::resume); }
  ours.set_content(journal, foreign);
  const RunRecord record = read_run_record(ours, run);
  JournalState state = read_journals(ours, run, record);
  BOOST_TEST(state.complete_count() == 0U);
  BOOST_REQUIRE_EQUAL(state.notes.size(), 1U);
  BOOST_TEST(state.notes[0].find("ignored 12 records of another plan") != std::string::npos);

  const std::vector<Checksum> checksums(record.filled_columns());
  const std::vector<std::byte> payload = encode_checksums(checksums);
  ours.set_content(
      journal,
      encode_record({.kind = RecordKind::rows, .plan = record.plan_checksum(), .block = 12, .payload = payload}));
  BOOST_TEST(read_journals(ours, run, record).complete_count() == 0U);
  ours.set_content(
      journal,
      encode_record({.kind = RecordKind::candidates, .plan = record.plan_checksum(), .block = 3, .payload = payload}));
  BOOST_TEST(read_journals(ours, run, record).complete_count() == 0U);
}

BOOST_AUTO_TEST_CASE(swapped_blocks_are_found_out) {
  FaultyFileSystem files;
  const ToySweep sweep(tiny_sweep);
  evaluate_all(files, sweep);
  std::vector<std::byte> bytes = files.content(run.partial());
  const RunRecord record = read_run_record(files, run);
  for (std::size_t c = 0; c < record.filled_columns(); ++c) {
    const ColumnPlace& place = record.places[c];
    const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(place.offset + 2 * place.element_bytes);
    const auto second = bytes.begin() + static_cast<std::ptrdiff_t>(place.offset + 9 * place.element_bytes);
    std::swap_ranges(first, first + static_cast<std::ptrdiff_t>(place.element_bytes), second);
  }
  files.set_content(run.partial(), std::move(bytes));
  const VerifyReport report = verify_run(files, directory, 1);
  BOOST_REQUIRE_EQUAL(report.damaged.size(), 2U);
  BOOST_TEST(report.damaged[0].block == 2U);
  BOOST_TEST(report.damaged[1].block == 9U);
  BOOST_TEST(complete_blocks(files) == 10U);
}

BOOST_AUTO_TEST_CASE(a_file_cut_at_some_lengths_is_detected_and_repaired) {
  FaultyFileSystem files;
  const ToySweep sweep(tiny_sweep);
  run_toy(files, directory, sweep);
  const std::vector<std::byte> sound = files.content(run.result());
  for (std::size_t length = 0; length < sound.size(); length += 509) {
    files.set_content(run.result(), {sound.begin(), sound.begin() + static_cast<std::ptrdiff_t>(length)});
    BOOST_REQUIRE(!verify_run(files, directory, 1).is_sound());
    run_toy(files, directory, sweep);
    BOOST_TEST_INFO("length " << length);
    BOOST_REQUIRE(files.content(run.result()) == sound);
  }
}

BOOST_AUTO_TEST_CASE(a_lost_file_makes_its_journals_meaningless) {
  FaultyFileSystem files;
  const ToySweep sweep(tiny_sweep);
  evaluate_all(files, sweep);
  files.remove(run.partial());
  const Store store = Store::create(files, directory, sweep.plan, Part{}, OpenMode::resume);
  BOOST_TEST(std::count(store.complete().begin(), store.complete().end(), true) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
