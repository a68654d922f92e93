/// The main loop: stopped after every number of blocks and continued, it writes the bytes of an undisturbed run.
#include <unistd.h>

#include <chrono>
#include <thread>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "engine/commands/run.hpp"
#include "engine/run/main_loop.hpp"
#include "engine/store/publication.hpp"
#include "tests/support/named_rows.hpp"
#include "tests/support/toy_sweep.hpp"

BOOST_AUTO_TEST_SUITE(main_loop_test)

namespace {

using namespace dfsweep;
using namespace dfsweep::store;
namespace fs = std::filesystem;

struct Folder {
  fs::path path = fs::temp_directory_path() / ("dfsweep-run-test-" + std::to_string(getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
};

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// One invocation that is asked to stop, so urgently, once it has evaluated `blocks` blocks.
struct Invocation {
  Outcome outcome = Outcome::stopped;
  std::uint64_t blocks = 0;
};
Invocation invoke(const ToySweep& sweep, const fs::path& directory, std::uint64_t blocks, Urgency urgency) {
  const auto alone = make_serial_communicator();
  Store store = Store::create(real_file_system(), directory, sweep.plan, {}, OpenMode::resume);
  std::vector<BlockId> todo;
  for (BlockId b = 0; b < sweep.plan.block_count(); ++b)
    if (!store.complete()[b]) todo.push_back(b);
  std::uint64_t done = 0;
  Progress progress(ProgressStyle::quiet, 0, 0, {}, {.print = {}, .now = [] { return 0.0; }});
  Stop stop(std::nullopt, {.now = [] { return Stop::Seconds(0.0); },
                           .signals = [&]() -> SignalState {
                             done = std::max(done, progress.total().blocks);
                             return {done >= blocks ? urgency : Urgency::none, 0};
                           }});
  const RunContext context{.plan = sweep.plan,
                           .prepared = *sweep.prepared,
                           .communicator = *alone,
                           .store = &store,
                           .threads = 2,
                           .allowed_failures = 0,
                           .stop = stop,
                           .progress = progress};
  const Outcome outcome = run_blocks(context, std::move(todo));
  return {outcome, progress.total().blocks};
}

std::string published(const fs::path& directory) {
  const auto alone = make_serial_communicator();
  const PublishReport report = publish(real_file_system(), directory, *alone, 2);
  BOOST_TEST_REQUIRE((report.outcome == PublishOutcome::published));
  return content(report.file);
}

struct RunCase {
  const char* why;
  const char* text;
};
const RunCase runs[] = {
    {"small blocks",
     "[parameters]\nseed = { from = 1, to = 24, step = 1 }\nwork = [0, 100000000]\n[filter]\nkeep = ['work == 0']\n"},
    {"a search whose spaces span several blocks",
     "[parameters]\nflavour = ['plain', 'odd']\nseed = { from = 1, to = 24, step = 1 }\nwork = [0, 100000000]\n"
     "[filter]\nkeep = ['work == 0']\n[search]\nover = ['seed', 'work']\nminimize = 'noise'\ntop = 2\n"},
};

BOOST_DATA_TEST_CASE(any_interruption_gives_the_same_bytes, boost::unit_test::data::make(runs), c) {
  const Folder folder;
  const ToySweep sweep(c.text);
  const Invocation whole = invoke(sweep, folder.path / "whole", UINT64_MAX, Urgency::none);
  BOOST_TEST((whole.outcome == Outcome::complete));
  BOOST_TEST_REQUIRE(whole.blocks == sweep.plan.block_count());
  const std::string expected = published(folder.path / "whole");
  for (const Urgency urgency : {Urgency::polite, Urgency::at_once}) {
    for (std::uint64_t blocks = 0; blocks < whole.blocks; ++blocks) {
      const fs::path directory = folder.path / ("stopped-" + std::to_string(blocks));
      const Invocation first = invoke(sweep, directory, blocks, urgency);
      const Invocation second = invoke(sweep, directory, UINT64_MAX, Urgency::none);
      BOOST_TEST((second.outcome == Outcome::complete));
      BOOST_TEST(first.blocks + second.blocks == whole.blocks);  // nothing that was done is done again
      BOOST_TEST((published(directory) == expected));
      fs::remove_all(directory);
    }
  }
}

/// The second call waits until the first block is counted, at most ten seconds.
class WaitingSweep final : public PreparedSweep {
 public:
  WaitingSweep(const PreparedSweep& prepared, const Progress& progress) : prepared_(prepared), progress_(progress) {}
  void evaluate(const PointColumns& points, EstimateColumns& out) const override {
    prepared_.evaluate(points, out);
    if (++calls_ != 2) return;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (progress_.total().blocks == 0 && std::chrono::steady_clock::now() < deadline)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    is_first_counted = progress_.total().blocks == 1;
  }
  [[nodiscard]] Explanation explain(const PointColumns& point) const override { return prepared_.explain(point); }
  mutable bool is_first_counted = false;

 private:
  const PreparedSweep& prepared_;
  const Progress& progress_;
  mutable int calls_ = 0;
};

BOOST_AUTO_TEST_CASE(a_block_is_counted_while_the_only_thread_computes_an_expensive_point) {
  const Folder folder;
  const ToySweep sweep("[parameters]\nseed = { from = 1, to = 2, step = 1 }\n");
  BOOST_TEST_REQUIRE(sweep.plan.block_count() == 2);
  const auto alone = make_serial_communicator();
  Progress progress(ProgressStyle::quiet, 2, 0, {}, {.print = {}, .now = [] { return 0.0; }});
  const WaitingSweep waiting(*sweep.prepared, progress);
  Store store = Store::create(real_file_system(), folder.path / "run", sweep.plan, {}, OpenMode::resume);
  Stop stop(std::nullopt, {.now = [] { return Stop::Seconds(0.0); }, .signals = [] { return SignalState{}; }});
  const RunContext context{.plan = sweep.plan,
                           .prepared = waiting,
                           .communicator = *alone,
                           .store = &store,
                           .threads = 1,
                           .allowed_failures = 0,
                           .stop = stop,
                           .progress = progress};
  BOOST_TEST((run_blocks(context, {0, 1}) == Outcome::complete));
  BOOST_TEST(waiting.is_first_counted);
}

BOOST_AUTO_TEST_CASE(too_many_failures_stop_the_run) {
  const Folder folder;
  const ToySweep sweep(
      "[parameters]\nseed = { from = 1, to = 200, step = 1 }\nwork = [0, 100000000]\noutcome = 'throws'\n"
      "[filter]\nkeep = ['work == 0']\n");
  const Invocation stopped = invoke(sweep, folder.path / "run", UINT64_MAX, Urgency::none);
  BOOST_TEST((stopped.outcome == Outcome::stopped));
  BOOST_TEST(stopped.blocks < sweep.plan.block_count());
}

struct PartCase {
  const char* text;
  bool is_good;
  std::uint32_t index;
  std::uint32_t count;
};
const PartCase parts[] = {{"1/1", true, 0, 1},   {"2/3", true, 1, 3},   {"3/3", true, 2, 3}, {"0/3", false, 0, 0},
                          {"4/3", false, 0, 0},  {"1", false, 0, 0},    {"/3", false, 0, 0}, {"1/", false, 0, 0},
                          {"-1/3", false, 0, 0}, {"1/3x", false, 0, 0}, {"", false, 0, 0}};

BOOST_DATA_TEST_CASE(parts_are_counted_from_one, boost::unit_test::data::make(parts), c) {
  const auto part = parse_part(c.text);
  BOOST_TEST(part.has_value() == c.is_good);
  if (part) BOOST_TEST(part->index == c.index);
  if (part) BOOST_TEST(part->count == c.count);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
