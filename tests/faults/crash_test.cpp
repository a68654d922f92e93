/// Anomaly loops: a run that is stopped, or refused by its disk, at its k-th operation for every k, and then run again.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "engine/store/journals.hpp"
#include "engine/store/run_directory.hpp"
#include "engine/store/verification.hpp"
#include "io/compressed_dataset.hpp"
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

/// The same, compressed at publication.
constexpr const char* compressed_sweep =
    "[parameters]\nflavour = [\"plain\", \"odd\"]\nseed = { from = 1, to = 3, step = 1 }\n"
    "[output]\ncompression = \"deflate\"\n";

std::vector<std::byte> undisturbed(const ToySweep& sweep) {
  FaultyFileSystem files;
  run_toy(files, directory, sweep);
  return files.content(directory / "result.h5");
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
  if (complete == 0) return;
  BOOST_TEST_INFO("operation " << k);
  BOOST_REQUIRE(verify_run(files, directory, 1).is_sound());
}

struct Case {
  const char* why;
  Fault fault;
  Unsynced unsynced;
};

const Case cases[] = {
    {"the process is killed", Fault::crash, Unsynced::kept},
    {"the power fails and nothing unsynced was written back", Fault::crash, Unsynced::lost},
    {"the power fails and some of it was", Fault::crash, Unsynced::mixed},
    {"the disk is full from then on, until space is made", Fault::disk_full, Unsynced::kept},
    {"one operation fails, and what it left is unknown", Fault::io_error, Unsynced::mixed},
};

}  // namespace

BOOST_DATA_TEST_CASE(nothing_acknowledged_is_lost_and_the_next_run_ends_with_the_same_bytes,
                     bdata::make(cases) * bdata::make({tiny_sweep, compressed_sweep}), c, text) {
  const ToySweep sweep(text);
  const std::vector<std::byte> reference = undisturbed(sweep);
  std::uint64_t hits = 0;
  for (std::uint64_t k = 1;; ++k) {
    FaultyFileSystem files;
    std::uint32_t acknowledged = 0;
    files.arm(c.fault, k);
    try {
      run_toy(files, directory, sweep, &acknowledged);
    } catch (const Crash&) {
    } catch (const IoError&) {
    }
    const bool was_hit = files.was_hit();
    files.reboot(c.unsynced, k);
    check_invariants(files, sweep, acknowledged, k);
    run_toy(files, directory, sweep);
    BOOST_TEST_INFO("operation " << k);
    BOOST_REQUIRE(files.content(directory / "result.h5") == reference);
    if (!was_hit) break;
    ++hits;
  }
  BOOST_TEST_MESSAGE(c.why << ": " << hits << " operations were hit");
  BOOST_TEST(hits > 25U);  // a loop that hits nothing proves nothing
}

BOOST_DATA_TEST_CASE(a_crash_during_repair_is_repaired_too, bdata::make({tiny_sweep, compressed_sweep}), text) {
  const ToySweep sweep(text);
  const std::vector<std::byte> reference = undisturbed(sweep);
  for (std::uint64_t k = 1;; ++k) {
    FaultyFileSystem files;
    run_toy(files, directory, sweep);
    std::vector<std::byte> bytes = files.content(directory / "result.h5");
    const RunRecord record = read_run_record(files, {directory});
    const bool is_compressed = record.compression_level.has_value();
    bytes[is_compressed ? first_chunk_offset + 8 : record.place("noise").offset] ^= std::byte{4};
    files.set_content(directory / "result.h5", bytes);
    // All blocks share the first chunk, that of the points.
    BOOST_REQUIRE_EQUAL(verify_run(files, directory, 1).damaged.size(), is_compressed ? 6U : 1U);
    files.arm(Fault::crash, k);
    try {
      run_toy(files, directory, sweep);
    } catch (const Crash&) {
    }
    const bool was_hit = files.was_hit();
    files.reboot(Unsynced::mixed, k);
    run_toy(files, directory, sweep);
    BOOST_TEST_INFO("operation " << k);
    BOOST_REQUIRE(files.content(directory / "result.h5") == reference);
    if (!was_hit) break;
  }
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
