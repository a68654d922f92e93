/// Two commits at once: a slow one does not hold up the next, and a failed one leaves nothing behind that is believed.
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <future>
#include <set>

#include "engine/store/journals.hpp"
#include "engine/store/run_directory.hpp"
#include "engine/store/verification.hpp"
#include "tests/support/faulty_file_system.hpp"
#include "tests/support/toy_run.hpp"

BOOST_AUTO_TEST_SUITE(concurrent_commits_test)

namespace {

using namespace dfsweep;
using namespace dfsweep::store;

const std::filesystem::path directory = "toy";
const RunDirectory run{directory};

/// 12 rows in 12 blocks.
constexpr const char* tiny_sweep =
    "[parameters]\nflavour = [\"plain\", \"odd\"]\nseed = { from = 1, to = 6, step = 1 }\n";

void put(Store& store, const ToySweep& sweep, BlockId id) {
  store.put(sweep.plan.block(id), evaluated(sweep, sweep.plan.block(id)));
}

std::set<BlockId> recorded(FaultyFileSystem& files) {
  const std::vector<bool> complete = read_journals(files, run, read_run_record(files, run)).complete;
  std::set<BlockId> blocks;
  for (BlockId id = 0; id < complete.size(); ++id)
    if (complete[id]) blocks.insert(id);
  return blocks;
}

/// The first sync of the rows waits until it is released.
class SlowSync {
 public:
  explicit SlowSync(FaultyFileSystem& files) {
    files.before_sync([this](const std::filesystem::path& path) {
      if (path != run.partial() || has_begun_.exchange(true)) return;
      begun_.set_value();
      released_.get_future().wait();
    });
  }
  void await_begin() { begun_.get_future().wait(); }
  void release() { released_.set_value(); }

 private:
  std::atomic<bool> has_begun_{false};
  std::promise<void> begun_;
  std::promise<void> released_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_slow_commit_does_not_hold_up_the_next) {
  FaultyFileSystem files;
  const ToySweep sweep(tiny_sweep);
  Store store = Store::create(files, directory, sweep.plan, Part{}, OpenMode::resume);
  SlowSync slow(files);
  put(store, sweep, 3);
  std::future<std::size_t> first = std::async(std::launch::async, [&] { return store.commit(); });
  slow.await_begin();
  for (const BlockId id : {4U, 5U}) {
    put(store, sweep, id);
    BOOST_TEST(store.commit() == 1U);
  }
  BOOST_TEST((recorded(files) == std::set<BlockId>{4, 5}));
  slow.release();
  BOOST_TEST(first.get() == 1U);
  put(store, sweep, 6);
  BOOST_TEST(store.commit() == 1U);
  BOOST_TEST((recorded(files) == std::set<BlockId>{3, 4, 5, 6}));
  BOOST_TEST(verify_run(files, directory, 1).is_sound());
}

BOOST_AUTO_TEST_CASE(what_was_written_through_a_file_that_failed_to_sync_is_never_recorded) {
  FaultyFileSystem files;
  const ToySweep sweep(tiny_sweep);
  Store store = Store::create(files, directory, sweep.plan, Part{}, OpenMode::resume);
  put(store, sweep, 3);
  files.arm(Fault::io_error, 1);
  BOOST_CHECK_THROW(store.commit(), IoError);
  put(store, sweep, 4);
  BOOST_CHECK_THROW(store.commit(), IoError);
  BOOST_TEST(recorded(files).empty());
}

BOOST_AUTO_TEST_CASE(a_commit_that_fails_beside_another_leaves_that_one_alone) {
  FaultyFileSystem files;
  const ToySweep sweep(tiny_sweep);
  Store store = Store::create(files, directory, sweep.plan, Part{}, OpenMode::resume);
  SlowSync slow(files);
  put(store, sweep, 3);
  std::future<std::size_t> first = std::async(std::launch::async, [&] { return store.commit(); });
  slow.await_begin();
  put(store, sweep, 4);
  BOOST_TEST(store.commit() == 1U);
  files.arm(Fault::io_error, 1);
  slow.release();
  BOOST_CHECK_THROW(first.get(), IoError);
  BOOST_TEST((recorded(files) == std::set<BlockId>{4}));
  BOOST_TEST(verify_run(files, directory, 1).is_sound());
}

BOOST_AUTO_TEST_SUITE_END()
