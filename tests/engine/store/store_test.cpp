/// The store: what a run directory holds, who may use it, and that its result depends on the sweep alone.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <map>
#include <numeric>

#include "engine/console/foreign_run.hpp"
#include "engine/console/usage_error.hpp"
#include "engine/results/open_result.hpp"
#include "engine/store/journals.hpp"
#include "engine/store/run_directory.hpp"
#include "engine/store/verification.hpp"
#include "engine/sweep/resolved_text.hpp"
#include "tests/support/toy_run.hpp"

BOOST_AUTO_TEST_SUITE(store_test)

using namespace dfsweep;
using namespace dfsweep::store;
namespace bdata = boost::unit_test::data;

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

std::vector<double> numbers(const DatasetReader& reader, const char* name) {
  const DatasetColumn* column = reader.column(name);
  BOOST_REQUIRE(column != nullptr);
  std::vector<double> values(column->count);
  reader.read(*column, 0, std::span(values));
  return values;
}

PublishReport publish_alone(const std::filesystem::path& directory, Completeness completeness = Completeness::whole) {
  return publish(real_file_system(), directory, *make_communicator(), 2, completeness);
}

struct DividedCase {
  const char* reason;
  std::uint32_t first;    ///< number of parts of the run that made the directory
  std::uint32_t second;   ///< of the run that continues it
  bool is_taken;          ///< whether that is accepted
  std::uint32_t planned;  ///< number of parts in plan.json afterwards
};
std::ostream& operator<<(std::ostream& out, const DividedCase& c) {
  return out << c.reason;
}
const DividedCase divided[] = {{"the same parts", 3, 3, true, 3},
                               {"other parts would leave blocks out", 3, 2, false, 3},
                               {"also where they are more", 2, 3, false, 2},
                               {"a whole run evaluates all that is missing", 3, 1, true, 3},
                               {"what a whole run has begun is divided", 1, 3, true, 3}};

}  // namespace

BOOST_AUTO_TEST_CASE(a_run_becomes_a_published_file_with_a_row_for_every_point) {
  const TemporaryFolder folder;
  const ToySweep sweep(small_sweep);
  const PublishReport report = run_toy(real_file_system(), folder.path(), sweep);
  BOOST_TEST((report.outcome == PublishOutcome::published));
  BOOST_TEST(report.rows == 48U);
  BOOST_TEST(report.file == folder.path() / "result.h5");
  BOOST_TEST(!std::filesystem::exists(folder.path() / "result.partial.h5"));

  const DatasetReader reader = open_result(folder.path());
  BOOST_TEST(reader.row_count() == 48U);
  BOOST_TEST(reader.attribute("estimator") == "toy");
  BOOST_TEST(reader.attribute("grid_axes") == "flavour size seed");
  std::vector<double> points(48);
  std::iota(points.begin(), points.end(), 0.0);
  BOOST_TEST(numbers(reader, "point") == points, boost::test_tools::per_element());
  BOOST_TEST(numbers(reader, "size")[9] == 3.0);  // row 9 is flavour 0, size 3, seed 2
  BOOST_TEST(numbers(reader, "seed")[9] == 2.0);
  BOOST_TEST(reader.labels(*reader.column("flavour")) == (std::vector<std::string>{"plain", "odd"}),
             boost::test_tools::per_element());
  BOOST_TEST(numbers(reader, "flavour")[47] == 1.0);
  BOOST_TEST(numbers(reader, "status")[16] == 2.0);  // size 5 of capacity 4: too_big
  BOOST_TEST(numbers(reader, "memory")[16] == 5.0);  // which the toy declares valid there
  BOOST_TEST(std::isnan(numbers(reader, "time")[16]));
  BOOST_TEST(numbers(reader, "time")[9] == 3e-9);      // 1 x 3 B over 1 GB/s
  BOOST_TEST(numbers(reader, "colour")[16] == 255.0);  // flags have no NaN
  BOOST_TEST(reader.column("time")->units == "s");
  BOOST_TEST(reader.column("time")->text("better") == "lower");
  BOOST_TEST(reader.column("memory")->units == "byte");
  BOOST_TEST(reader.provenance("sweep") == resolved_text(sweep.spec));
  BOOST_TEST(reader.fixed().size() >= 1U);
}

BOOST_AUTO_TEST_CASE(the_same_sweep_gives_the_same_bytes_in_another_folder_order_and_grouping) {
  const TemporaryFolder folder;
  const ToySweep sweep(small_sweep);
  run_toy(real_file_system(), folder.path() / "one", sweep);
  {
    Store store = Store::create(real_file_system(), folder.path() / "two", sweep.plan, Part{}, OpenMode::resume);
    for (BlockId id = sweep.plan.block_count(); id-- > 0;) {
      store.put(sweep.plan.block(id), evaluated(sweep, sweep.plan.block(id)));
      if (id % 3 == 0) store.commit();
    }
  }
  BOOST_TEST((publish_alone(folder.path() / "two").outcome == PublishOutcome::published));
  BOOST_TEST((bytes_of(folder.path() / "one/result.h5") == bytes_of(folder.path() / "two/result.h5")));
}

BOOST_AUTO_TEST_CASE(parts_complete_one_file_and_are_locked_apart) {
  const TemporaryFolder folder;
  const ToySweep sweep(small_sweep);
  run_toy(real_file_system(), folder.path() / "whole", sweep);
  const std::filesystem::path parts = folder.path() / "parts";
  for (std::uint32_t index : {2U, 0U, 1U}) {
    Store store = Store::create(real_file_system(), parts, sweep.plan, Part{index, 3}, OpenMode::resume);
    Store other = Store::attach(real_file_system(), parts, sweep.plan, Part{index, 3}, 7);
    other.load_journals();
    BOOST_CHECK_EXCEPTION(
        Store::create(real_file_system(), parts, sweep.plan, Part{index, 3}, OpenMode::resume), NotReady,
        [](const NotReady& refusal) { return std::string(refusal.what()).find("process ") != std::string::npos; });
    BOOST_CHECK_EXCEPTION(
        Store::create(real_file_system(), parts, sweep.plan, Part{(index + 1) % 3, 3}, OpenMode::fresh), NotReady,
        [](const NotReady& refusal) { return std::string(refusal.what()).find("discarded") != std::string::npos; });
    evaluate_missing(sweep, index == 0 ? store : other, Part{index, 3}, 2);
  }
  BOOST_TEST((publish_alone(parts).outcome == PublishOutcome::published));
  BOOST_TEST((bytes_of(parts / "result.h5") == bytes_of(folder.path() / "whole/result.h5")));
}

BOOST_DATA_TEST_CASE(the_number_of_parts_is_in_the_plan, bdata::make(divided), c) {
  const TemporaryFolder folder;
  const ToySweep sweep(small_sweep);
  const auto open = [&](std::uint32_t count) {
    static_cast<void>(
        Store::create(real_file_system(), folder.path(), sweep.plan, Part{count - 1, count}, OpenMode::resume));
  };
  open(c.first);
  if (c.is_taken)
    open(c.second);
  else
    BOOST_CHECK_EXCEPTION(open(c.second), UsageError, [&](const UsageError& refusal) {
      return std::string(refusal.what()).find(fmt::format("Use --part i/{}", c.first)) != std::string::npos;
    });
  const RunDirectory directory{folder.path()};
  BOOST_TEST(read_run_record(real_file_system(), directory).parts == c.planned);
  Store::create(real_file_system(), folder.path(), sweep.plan, Part{0, 5}, OpenMode::fresh);
  BOOST_TEST(read_run_record(real_file_system(), directory).parts == 5U);
}

BOOST_AUTO_TEST_CASE(a_whole_run_waits_for_parts_that_work) {
  const TemporaryFolder folder;
  const ToySweep sweep(small_sweep);
  const auto open = [&](Part part) {
    return Store::create(real_file_system(), folder.path(), sweep.plan, part, OpenMode::resume);
  };
  {
    const Store part = open({1, 3});
    const Store other_part = open({2, 3});
    BOOST_CHECK_EXCEPTION(open({0, 1}), NotReady, [](const NotReady& refusal) {
      return std::string(refusal.what()).find("another number of parts") != std::string::npos;
    });
  }
  static_cast<void>(open({0, 1}));
}

BOOST_AUTO_TEST_CASE(an_interrupted_run_continues_where_it_was) {
  const TemporaryFolder folder;
  const ToySweep sweep(small_sweep);
  {
    Store store = Store::create(real_file_system(), folder.path(), sweep.plan, Part{}, OpenMode::resume);
    for (const BlockId id : {3U, 8U}) store.put(sweep.plan.block(id), evaluated(sweep, sweep.plan.block(id)));
    BOOST_TEST(store.uncommitted_bytes() > 0U);
    BOOST_TEST(store.commit() == 2U);
    store.put(sweep.plan.block(4), evaluated(sweep, sweep.plan.block(4)));  // never committed
  }
  BOOST_TEST((publish_alone(folder.path()).outcome == PublishOutcome::unfinished));
  const DatasetReader reader = open_result(folder.path());
  BOOST_TEST((reader.complete() == std::vector<RowRange>{{9, 3}, {24, 3}}));
  Store store = Store::create(real_file_system(), folder.path(), sweep.plan, Part{}, OpenMode::resume);
  BOOST_TEST(evaluate_missing(sweep, store, Part{}, 4) == 14U);
}

BOOST_AUTO_TEST_CASE(a_published_run_is_recognised_at_once) {
  const TemporaryFolder folder;
  const ToySweep sweep(small_sweep);
  run_toy(real_file_system(), folder.path(), sweep);
  const Store store = Store::create(real_file_system(), folder.path(), sweep.plan, Part{}, OpenMode::resume);
  BOOST_TEST(store.published());
  BOOST_TEST(store.complete() == std::vector<bool>(sweep.plan.block_count(), true), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(another_sweep_is_refused_with_what_changed_and_fresh_discards_only_our_files) {
  const TemporaryFolder folder;
  const ToySweep sweep(small_sweep);
  run_toy(real_file_system(), folder.path(), sweep);
  std::ofstream(folder.path() / "notes.txt") << "mine";
  const ToySweep changed("[parameters]\nsize = { from = \"1 B\", to = \"9 B\", step = \"1 B\" }\n");
  BOOST_CHECK_EXCEPTION(Store::create(real_file_system(), folder.path(), changed.plan, Part{}, OpenMode::resume),
                        ForeignRun, [](const ForeignRun& refusal) {
                          const std::string text = refusal.what();
                          BOOST_TEST_MESSAGE(text);
                          return text.find("\n  - ") != std::string::npos && text.find("\n  + ") != std::string::npos &&
                                 text.find("--fresh") != std::string::npos && text.find("--out") != std::string::npos;
                        });
  const Store store = Store::create(real_file_system(), folder.path(), changed.plan, Part{}, OpenMode::fresh);
  BOOST_TEST(!store.published());
  BOOST_TEST(std::filesystem::exists(folder.path() / "notes.txt"));
  BOOST_TEST(!std::filesystem::exists(folder.path() / "result.h5"));
}

BOOST_AUTO_TEST_CASE(fresh_discards_nothing_where_the_plan_is_somebody_elses) {
  const TemporaryFolder folder;
  const ToySweep sweep(small_sweep);
  std::ofstream(folder.path() / "plan.json") << "{\"holiday\": true}";
  BOOST_CHECK_THROW(Store::create(real_file_system(), folder.path(), sweep.plan, Part{}, OpenMode::fresh), ForeignRun);
  BOOST_CHECK_THROW(Store::create(real_file_system(), folder.path(), sweep.plan, Part{}, OpenMode::resume), ForeignRun);
  BOOST_TEST(std::filesystem::exists(folder.path() / "plan.json"));
}

BOOST_AUTO_TEST_CASE(a_damaged_plan_is_restored_beside_its_own_file) {
  const TemporaryFolder folder;
  const ToySweep sweep(small_sweep);
  run_toy(real_file_system(), folder.path(), sweep);
  const std::vector<std::byte> before = bytes_of(folder.path() / "plan.json");
  std::filesystem::resize_file(folder.path() / "plan.json", 100);
  const Store store = Store::create(real_file_system(), folder.path(), sweep.plan, Part{}, OpenMode::resume);
  BOOST_TEST(store.published());
}

BOOST_AUTO_TEST_CASE(a_partial_publication_marks_what_is_missing_and_leaves_the_run_alone) {
  const TemporaryFolder folder;
  const ToySweep sweep(small_sweep);
  {
    Store store = Store::create(real_file_system(), folder.path(), sweep.plan, Part{}, OpenMode::resume);
    store.put(sweep.plan.block(1), evaluated(sweep, sweep.plan.block(1)));
    store.commit();
  }
  const PublishReport report = publish_alone(folder.path(), Completeness::partial);
  BOOST_TEST((report.outcome == PublishOutcome::published));
  BOOST_TEST(report.missing_blocks == 15U);
  const DatasetReader reader(folder.path() / "result.incomplete.h5");
  const std::vector<double> status = numbers(reader, "status");
  const DatasetColumn* column = reader.column("status");
  BOOST_TEST(reader.labels(*column)[static_cast<std::size_t>(status[0])] == "missing");
  BOOST_TEST(status[3] == 0.0);
  BOOST_TEST(std::isnan(numbers(reader, "time")[0]));
  BOOST_TEST(numbers(reader, "flavour")[0] == -1.0);
  BOOST_TEST(verify_file(real_file_system(), folder.path() / "result.incomplete.h5", 1).is_sound());
  run_toy(real_file_system(), folder.path(), sweep);
  BOOST_TEST(std::filesystem::exists(folder.path() / "result.h5"));
}

BOOST_AUTO_TEST_CASE(damage_to_a_published_file_is_named_and_repaired_by_the_next_run) {
  const TemporaryFolder folder;
  const ToySweep sweep(small_sweep);
  run_toy(real_file_system(), folder.path(), sweep);
  const std::vector<std::byte> sound = bytes_of(folder.path() / "result.h5");
  BOOST_TEST(verify_run(real_file_system(), folder.path(), 2).is_sound());
  BOOST_TEST(verify_file(real_file_system(), folder.path() / "result.h5", 1).is_sound());

  std::vector<std::byte> bytes = sound;
  const RunRecord record = read_run_record(real_file_system(), {folder.path()});
  bytes[record.place("time").offset + 7 * sizeof(double)] ^= std::byte{1};  // row 7 is in block 2
  real_file_system().open(folder.path() / "result.h5", OpenFor::writing)->write_at(0, bytes);
  const VerifyReport alone = verify_file(real_file_system(), folder.path() / "result.h5", 1);
  BOOST_REQUIRE_EQUAL(alone.damaged.size(), 1U);
  const VerifyReport report = verify_run(real_file_system(), folder.path(), 2);
  BOOST_REQUIRE_EQUAL(report.damaged.size(), 1U);
  BOOST_TEST(report.damaged[0].block == 2U);
  BOOST_TEST(report.damaged[0].columns == std::vector<std::string>{"time"}, boost::test_tools::per_element());
  {
    Store store = Store::create(real_file_system(), folder.path(), sweep.plan, Part{}, OpenMode::resume);
    BOOST_TEST(!store.published());
    BOOST_TEST(std::count(store.complete().begin(), store.complete().end(), false) == 1);
  }
  run_toy(real_file_system(), folder.path(), sweep);
  BOOST_TEST((bytes_of(folder.path() / "result.h5") == sound));
  BOOST_TEST(verify_run(real_file_system(), folder.path(), 1).is_sound());
}

BOOST_AUTO_TEST_CASE(publication_finds_damage_itself_and_the_blocks_are_evaluated_again) {
  const TemporaryFolder folder;
  const ToySweep sweep(small_sweep);
  run_toy(real_file_system(), folder.path() / "sound", sweep);
  const std::filesystem::path path = folder.path() / "run";
  Store store = Store::create(real_file_system(), path, sweep.plan, Part{}, OpenMode::resume);
  evaluate_missing(sweep, store, Part{}, 4);
  const RunRecord record = read_run_record(real_file_system(), {path});
  real_file_system()
      .open(path / "result.partial.h5", OpenFor::writing)
      ->write_at(record.place("status").offset + 20, std::vector<std::byte>(5, std::byte{9}));
  const PublishReport report = publish_alone(path);
  BOOST_TEST((report.outcome == PublishOutcome::damaged));
  BOOST_TEST(report.damaged == (std::vector<BlockId>{6, 7, 8}), boost::test_tools::per_element());  // rows 20 to 24
  for (const BlockId id : report.damaged) store.put(sweep.plan.block(id), evaluated(sweep, sweep.plan.block(id)));
  store.commit();  // the same store, opened before the damage was found
  BOOST_TEST((publish_alone(path).outcome == PublishOutcome::published));
  BOOST_TEST((bytes_of(path / "result.h5") == bytes_of(folder.path() / "sound/result.h5")));
}

BOOST_AUTO_TEST_SUITE_END()
