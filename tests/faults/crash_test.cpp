/// Anomaly loops: a run that is stopped, or refused by its disk, at its k-th operation for every k, and then run again.
/// DFSWEEP_LONG_TESTS=1 adds searches, runs that are resumed or repaired, and other remains of what was not synced.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "engine/store/journals.hpp"
#include "engine/store/run_directory.hpp"
#include "engine/store/verification.hpp"
#include "io/compressed_dataset.hpp"
#include "tests/faults/small_runs.hpp"
#include "tests/support/faulty_file_system.hpp"
#include "tests/support/named_rows.hpp"
#include "tests/support/toy_run.hpp"

BOOST_AUTO_TEST_SUITE(crash_test)

using namespace dfsweep;
using namespace dfsweep::store;
namespace bdata = boost::unit_test::data;

namespace {

const std::filesystem::path directory = "runs/toy";

/// 6 rows in 6 blocks: 3 commits of 2.
constexpr const char* tiny_sweep =
    "[parameters]\nflavour = [\"plain\", \"odd\"]\nseed = { from = 1, to = 3, step = 1 }\n";
/// 6 rows, compressed at publication.
constexpr const char* compressed_sweep =
    "[parameters]\nflavour = [\"plain\", \"odd\"]\nseed = { from = 1, to = 3, step = 1 }\n"
    "[output]\ncompression = \"deflate\"\n";
/// 6 reported points, each reduced from 2 in one block.
constexpr const char* groups =
    "[parameters]\nflavour = [\"plain\", \"odd\"]\nseed = { from = 1, to = 6, step = 1 }\n"
    "[search]\nover = [\"flavour\"]\nminimize = \"noise\"\ntop = 1\n";
/// 2 reported points in slices, because the points that the filter removes have a high declared cost.
constexpr const char* slices =
    "[parameters]\nwork = [1, 300000000]\nsize = [\"1 B\", \"2 B\", \"3 B\"]\nseed = [1, 2]\n"
    "outcome = [\"normal\", \"infeasible\"]\n[filter]\nkeep = [\"work == 1\"]\n"
    "[search]\nover = [\"size\", \"seed\", \"work\"]\nminimize = \"noise\"\ntop = 2\n";

std::vector<std::byte> undisturbed(const ToySweep& sweep) {
  FaultyFileSystem files;
  run_toy(files, directory, sweep);
  return files.content(directory / "result.h5");
}

// What is there before the run that is hit; each returns how many blocks are complete then and have to stay so.

std::uint32_t nothing(FaultyFileSystem&, const ToySweep&) {
  return 0;
}

std::uint32_t half_done(FaultyFileSystem& files, const ToySweep& sweep) {
  Store store = Store::create(files, directory, sweep.plan, Part{}, OpenMode::resume);
  return evaluate_missing(sweep, store, Part{0, 2}, 2);
}

/// A published file with a wrong byte, which `verify` found.
std::uint32_t damaged(FaultyFileSystem& files, const ToySweep& sweep) {
  run_toy(files, directory, sweep);
  std::vector<std::byte> bytes = files.content(directory / "result.h5");
  const RunRecord record = read_run_record(files, {directory});
  const bool is_compressed = record.compression_level.has_value();
  bytes[is_compressed ? first_chunk_offset + 8 : record.place("noise").offset] ^= std::byte{4};
  files.set_content(directory / "result.h5", bytes);
  // All blocks share the first chunk, that of the points.
  BOOST_REQUIRE_EQUAL(verify_run(files, directory, 1).damaged.size(), is_compressed ? 6U : 1U);
  return 0;
}

/// Complete blocks of a directory that may be anything between absent and published.
std::uint32_t complete_blocks(FaultyFileSystem& files, const ToySweep& sweep) {
  const RunDirectory run{directory};
  if (files.exists(run.result()) && !files.exists(run.partial())) return sweep.plan.block_count();
  if (!files.exists(run.plan()) || !files.exists(run.partial())) return 0;
  return read_journals(files, run, read_run_record(files, run)).complete_count();
}

/// What is complete verifies (complete_or_absent), and is not less than what was acknowledged (monotone).
void check_invariants(FaultyFileSystem& files, const ToySweep& sweep, std::uint32_t acknowledged, std::uint64_t k) {
  const std::uint32_t complete = complete_blocks(files, sweep);
  BOOST_TEST_INFO("operation " << k);
  BOOST_REQUIRE_GE(complete, acknowledged);
  if (complete == 0 || files.exists(RunDirectory{directory}.damage())) return;
  BOOST_TEST_INFO("operation " << k);
  BOOST_REQUIRE(verify_run(files, directory, 1).is_sound());
}

struct Start {
  const char* why;
  const char* sweep;
  std::uint32_t (*begin)(FaultyFileSystem&, const ToySweep&);
  bool is_usual;  ///< also without DFSWEEP_LONG_TESTS
};

const Start starts[] = {
    {"rows, from nothing", tiny_sweep, nothing, true},
    {"rows, half of them complete", tiny_sweep, half_done, false},
    {"rows, published and damaged", tiny_sweep, damaged, false},
    {"compressed rows, from nothing", compressed_sweep, nothing, true},
    {"compressed rows, half of them complete", compressed_sweep, half_done, false},
    {"compressed rows, published and damaged", compressed_sweep, damaged, false},
    {"groups of a search, from nothing", groups, nothing, false},
    {"groups of a search, half of them complete", groups, half_done, false},
    {"groups of a search, published and damaged", groups, damaged, false},
    {"slices of a search, from nothing", slices, nothing, false},
    {"slices of a search, half of them complete", slices, half_done, false},
    {"slices of a search, published and damaged", slices, damaged, false},
};

struct Case {
  const char* why;
  Fault fault;
  Unsynced unsynced;
  bool is_usual;
};

const Case cases[] = {
    {"the process is killed", Fault::crash, Unsynced::kept, true},
    {"the power fails and nothing unsynced was written back", Fault::crash, Unsynced::lost, true},
    {"the power fails and some of it was", Fault::crash, Unsynced::mixed, true},
    {"the disk is full from then on, until space is made", Fault::disk_full, Unsynced::kept, true},
    {"the disk is full, and then the power fails", Fault::disk_full, Unsynced::mixed, false},
    {"one operation fails, and the process ends", Fault::io_error, Unsynced::kept, false},
    {"one operation fails, and the power as well", Fault::io_error, Unsynced::lost, false},
    {"one operation fails, and what it left is unknown", Fault::io_error, Unsynced::mixed, true},
};

/// Hits operation `k` of a run and lets the next one finish; whether there was such an operation.
bool survives(const ToySweep& sweep, const Start& start, const Case& c, std::uint64_t k, std::uint64_t seed,
              const std::vector<std::byte>& reference) {
  FaultyFileSystem files;
  std::uint32_t acknowledged = start.begin(files, sweep);
  files.arm(c.fault, k);
  try {
    run_toy(files, directory, sweep, &acknowledged);
  } catch (const Crash&) {
  } catch (const IoError&) {
  }
  const bool was_hit = files.was_hit();
  files.reboot(c.unsynced, seed);
  check_invariants(files, sweep, acknowledged, k);
  run_toy(files, directory, sweep);
  BOOST_TEST_INFO("operation " << k << ", seed " << seed);
  BOOST_REQUIRE(files.content(directory / "result.h5") == reference);
  return was_hit;
}

}  // namespace

BOOST_DATA_TEST_CASE(nothing_acknowledged_is_lost_and_the_next_run_ends_with_the_same_bytes,
                     bdata::make(starts) * bdata::make(cases), start, c) {
  if (!is_long() && !(start.is_usual && c.is_usual)) return;
  const ToySweep sweep(start.sweep);
  const std::vector<std::byte> reference = undisturbed(sweep);
  const std::uint64_t seeds = is_long() && c.unsynced == Unsynced::mixed ? 5 : 1;
  constexpr std::uint64_t seed_distance = 1'000'003;  // so that no two operations have the same choices
  std::uint64_t hits = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed)
    for (std::uint64_t k = 1; survives(sweep, start, c, k, k + seed_distance * seed, reference); ++k) ++hits;
  BOOST_TEST_MESSAGE(start.why << "; " << c.why << ": " << hits << " operations were hit");
  BOOST_TEST(hits > 10U);  // a loop that hits nothing proves nothing
}

BOOST_DATA_TEST_CASE(a_crash_during_repair_is_repaired_too, bdata::make({tiny_sweep, compressed_sweep}), text) {
  const ToySweep sweep(text);
  const std::vector<std::byte> reference = undisturbed(sweep);
  const Start start{"", text, damaged, true};
  const Case crash{"", Fault::crash, Unsynced::mixed, true};
  std::uint64_t hits = 0;
  while (survives(sweep, start, crash, hits + 1, hits + 1, reference)) ++hits;
  BOOST_TEST(hits > 10U);
}

BOOST_AUTO_TEST_CASE(a_disk_that_is_too_small_is_refused_before_any_block) {
  FaultyFileSystem files;
  const ToySweep sweep(tiny_sweep);
  files.arm(Fault::disk_full, 1);
  BOOST_CHECK_EXCEPTION(Store::create(files, directory, sweep.plan, Part{}, OpenMode::resume), IoError,
                        [](const IoError& error) { return error.error_number == ENOSPC; });
  BOOST_TEST(!files.exists(directory / "result.partial.h5"));
}

BOOST_AUTO_TEST_CASE(a_file_system_that_cannot_reserve_says_so_and_works) {
  FaultyFileSystem files;
  files.support_reserving(Reserved::unsupported);
  const ToySweep sweep(tiny_sweep);
  {
    const Store store = Store::create(files, directory, sweep.plan, Part{}, OpenMode::resume);
    BOOST_REQUIRE_EQUAL(store.notes().size(), 1U);
    BOOST_TEST(store.notes()[0].find("cannot reserve space") != std::string::npos);
  }
  run_toy(files, directory, sweep);
  BOOST_TEST((files.content(directory / "result.h5") == undisturbed(sweep)));
}

BOOST_AUTO_TEST_SUITE_END()
