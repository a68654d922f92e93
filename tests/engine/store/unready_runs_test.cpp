/// Runs that are damaged or were stopped early: which ones are restored, which are refused, and the messages.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <string>

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

BOOST_AUTO_TEST_CASE(a_damaged_plan_without_a_result_is_restored_or_discarded_where_nothing_else_can_be_lost) {
  struct Case {
    const char* why;
    std::string plan;
    const char* beside;  ///< another file of the folder, or ""
    bool is_ours;
  };
  const ToySweep sweep(small_sweep);
  const Case cases[] = {
      {"one letter, nothing else", "x\n", "", true},
      {"empty", "", "", true},
      {"zeros of a crashed disk", std::string(300, '\0'), "", true},
      {"the start of a plan of ours", "{\n  \"program\": \"dfsweep\",\n  \"form", "notes.txt", true},
      {"a log of a run beside it", "x", "log.jsonl", true},
      {"the file of a plan that was being written", "x", "plan.json.new", true},
      {"a file that no run has", "x", "notes.txt", false},
      {"a document of another program", "{\"holiday\": true}", "", false},
      {"a number", "17", "", false},
  };
  for (const Case& one : cases)
    for (const OpenMode mode : {OpenMode::resume, OpenMode::fresh}) BOOST_TEST_CONTEXT(one.why) {
        const TemporaryFolder folder;
        const RunDirectory run{folder.path()};
        std::ofstream(run.plan()) << one.plan;
        if (*one.beside != '\0') std::ofstream(run.path / one.beside) << "mine";
        const auto open = [&] { return Store::create(real_file_system(), run.path, sweep.plan, Part{}, mode); };
        if (!one.is_ours) {
          BOOST_CHECK_THROW(open(), ForeignRun);
          BOOST_TEST(std::filesystem::file_size(run.plan()) == one.plan.size());
          continue;
        }
        BOOST_TEST(open().notes().size() == (mode == OpenMode::fresh ? 0U : 1U));
        BOOST_TEST((run_toy(real_file_system(), run.path, sweep).outcome == PublishOutcome::published));
      }
}

BOOST_AUTO_TEST_CASE(a_damaged_plan_beside_a_damaged_result_is_refused_with_what_helps) {
  const TemporaryFolder folder;
  const ToySweep sweep(small_sweep);
  run_toy(real_file_system(), folder.path(), sweep);
  const RunDirectory run{folder.path()};
  std::ofstream(run.plan()) << "x";
  std::filesystem::resize_file(run.result(), 9000);
  const auto says_fresh = [](const ForeignRun& error) {
    return std::string_view(error.what()).find("--fresh to discard") != std::string_view::npos;
  };
  BOOST_CHECK_EXCEPTION(Store::create(real_file_system(), run.path, sweep.plan, Part{}, OpenMode::resume), ForeignRun,
                        says_fresh);
  BOOST_TEST(!Store::create(real_file_system(), run.path, sweep.plan, Part{}, OpenMode::fresh).published());
}

BOOST_AUTO_TEST_CASE(a_run_does_not_write_through_links_in_its_folder) {
  const ToySweep sweep(small_sweep);
  for (const char* name :
       {"log.jsonl", "journal", "plan.json", "result.partial.h5", "result.creating.h5", "journal/directory.lock",
        "journal/part-1-of-1.lock", "journal/part-1-of-1.rank-0.journal", "journal/damage.journal"})
    BOOST_TEST_CONTEXT(name) {
      const TemporaryFolder folder;
      const std::filesystem::path target = folder.path() / "target";
      const std::filesystem::path run = folder.path() / "run";
      const bool is_folder = std::string_view(name) == "journal";
      if (is_folder)
        std::filesystem::create_directory(target);
      else
        std::ofstream(target) << "of somebody else";
      std::filesystem::create_directories((run / name).parent_path());
      std::filesystem::create_symlink(target, run / name);
      for (const OpenMode mode : {OpenMode::resume, OpenMode::fresh})
        BOOST_CHECK_THROW(Store::create(real_file_system(), run, sweep.plan, Part{}, mode), ForeignRun);
      if (is_folder)
        BOOST_TEST(std::filesystem::is_empty(target));
      else
        BOOST_TEST(std::filesystem::file_size(target) == std::string_view("of somebody else").size());
    }
}

BOOST_AUTO_TEST_CASE(bytes_that_were_never_written_are_not_ok) {
  const TemporaryFolder folder;
  const ToySweep sweep(small_sweep);
  const RunDirectory run{folder.path()};
  {
    Store store = Store::create(real_file_system(), run.path, sweep.plan, Part{}, OpenMode::resume);
    store.put(sweep.plan.block(1), evaluated(sweep, sweep.plan.block(1)));
    store.commit();
  }
  const std::vector<std::byte> bytes = bytes_of(run.partial());
  const std::uint64_t status = read_run_record(real_file_system(), run).place("status").offset;
  const DatasetReader reader = open_result(run.path);
  const std::vector<std::string>& labels = reader.labels(*reader.column("status"));
  BOOST_TEST(labels.front() == "ok");
  BOOST_TEST(labels.back() == "missing");
  BOOST_TEST((bytes[status] == std::byte{0}));      // row 0, of block 0: `missing` is code 0 in the file
  BOOST_TEST((bytes[status + 3] == std::byte{1}));  // row 3, the first of block 1: `ok`
  BOOST_REQUIRE_EQUAL(reader.complete_count(), 3U);
  std::vector<double> codes(1);
  reader.read(*reader.column("status"), 3, codes);
  BOOST_TEST(codes.front() == 0.0);
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
