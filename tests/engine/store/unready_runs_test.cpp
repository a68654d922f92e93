/// Runs that are damaged or were stopped early: which ones are restored, which are refused, and the messages.
#include <boost/test/unit_test.hpp>

#include "engine/results/open_result.hpp"
#include "engine/store/run_directory.hpp"
#include "engine/store/verification.hpp"
#include "tests/support/toy_run.hpp"

BOOST_AUTO_TEST_SUITE(unready_runs_test)

using namespace dfsweep;
using namespace dfsweep::store;

namespace {

/// 2 flavours x 6 sizes x 4 seeds = 48 rows in 16 blocks; sizes 5 and 6 exceed the capacity.
constexpr const char* small_sweep = R"([parameters]
flavour = ["plain", "odd"]
size = { from = "1 B", to = "6 B", step = "1 B" }
seed = { from = 1, to = 4, step = 1 }
capacity = "4 B"
)";

std::vector<std::byte> bytes_of(const std::filesystem::path& path) {
  return read_file(real_file_system(), path);
}

PublishReport publish_alone(const std::filesystem::path& directory, Completeness completeness = Completeness::whole) {
  return publish(real_file_system(), directory, *make_communicator(), 2, completeness);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_plan_that_is_gone_or_damaged_is_restored_beside_an_intact_frame) {
  const TemporaryFolder folder;
  const ToySweep sweep(small_sweep);
  run_toy(real_file_system(), folder.path(), sweep);
  const RunDirectory run{folder.path()};
  const std::vector<std::byte> plan = bytes_of(run.plan());
  const auto notes = [&] {
    const Store store = Store::create(real_file_system(), run.path, sweep.plan, Part{}, OpenMode::resume);
    BOOST_TEST(store.published());
    BOOST_REQUIRE_EQUAL(store.notes().size(), 1U);
    return store.notes().front();
  };
  std::filesystem::remove(run.plan());
  BOOST_CHECK_THROW(publish_alone(run.path), ForeignRun);
  BOOST_TEST(notes() == run.plan().string() + " was missing and is restored");
  BOOST_TEST((bytes_of(run.plan()) == plan));

  real_file_system().open(run.plan(), OpenFor::writing)->write_at(20, std::vector<std::byte>(1));
  BOOST_TEST(notes() == run.plan().string() + " was damaged and is restored");
  BOOST_TEST((bytes_of(run.plan()) == plan));

  const ToySweep other("[parameters]\nsize = { from = \"1 B\", to = \"9 B\", step = \"1 B\" }\n");
  std::filesystem::remove(run.plan());
  BOOST_CHECK_THROW(Store::create(real_file_system(), run.path, other.plan, Part{}, OpenMode::resume), ForeignRun);
  BOOST_CHECK_THROW(publish_alone(folder.path() / "nothing"), IoError);
}

BOOST_AUTO_TEST_CASE(a_run_that_was_stopped_before_its_file_was_made_is_not_damaged) {
  const TemporaryFolder folder;
  const ToySweep sweep(small_sweep);
  const RunDirectory run{folder.path() / "run"};
  {
    const Store store = Store::create(real_file_system(), run.path, sweep.plan, Part{}, OpenMode::resume);
    std::filesystem::remove(run.partial());
  }
  BOOST_CHECK_THROW(static_cast<void>(verify_run(real_file_system(), run.path, 1)), NotReady);
  BOOST_CHECK_THROW(static_cast<void>(publish_alone(run.path)), NotReady);
  BOOST_CHECK_THROW(static_cast<void>(open_result(run.path)), NotReady);
  std::filesystem::remove(run.plan());  // stopped even earlier
  BOOST_CHECK_THROW(static_cast<void>(verify_run(real_file_system(), run.path, 1)), NotReady);
  BOOST_TEST((run_toy(real_file_system(), run.path, sweep).outcome == PublishOutcome::published));
}

BOOST_AUTO_TEST_CASE(partial_publication_names_damaged_blocks_and_refuses_a_damaged_frame) {
  const TemporaryFolder folder;
  const ToySweep sweep(small_sweep);
  const RunDirectory run{folder.path()};
  {
    Store store = Store::create(real_file_system(), run.path, sweep.plan, Part{}, OpenMode::resume);
    for (const BlockId id : {1U, 2U}) store.put(sweep.plan.block(id), evaluated(sweep, sweep.plan.block(id)));
    store.commit();
  }
  const RunRecord record = read_run_record(real_file_system(), run);
  const std::uint64_t row_3 = record.place("status").offset + 3;  // in block 1
  real_file_system().open(run.partial(), OpenFor::writing)->write_at(row_3, std::vector<std::byte>(1, std::byte{9}));
  const PublishReport blocks = publish_alone(run.path, Completeness::partial);
  BOOST_TEST((blocks.outcome == PublishOutcome::damaged));
  BOOST_TEST(blocks.damaged == std::vector<BlockId>{1}, boost::test_tools::per_element());
  BOOST_TEST(blocks.missing_blocks == 14U);
  BOOST_TEST(verify_file(real_file_system(), run.incomplete(), 1).is_sound());
  std::filesystem::remove(run.incomplete());

  real_file_system()
      .open(run.partial(), OpenFor::writing)
      ->write_at(seal_bytes + 100, std::vector<std::byte>(8, std::byte{9}));
  const PublishReport frame = publish_alone(run.path, Completeness::partial);
  BOOST_TEST((frame.outcome == PublishOutcome::damaged));
  BOOST_TEST(frame.is_frame_damaged);
  BOOST_TEST(!std::filesystem::exists(run.incomplete()));
}

BOOST_AUTO_TEST_SUITE_END()
