/// A finished run in a place where nothing may be written: it is found, and nothing is written.
#include <boost/test/unit_test.hpp>

#include <cerrno>

#include "tests/support/toy_run.hpp"

BOOST_AUTO_TEST_SUITE(read_only_test)

namespace {

using namespace dfsweep;
using namespace dfsweep::store;

/// The real file system, mounted read-only.
class ReadOnlyFileSystem final : public FileSystem {
 public:
  std::unique_ptr<File> open(const std::filesystem::path& path, OpenFor purpose) override {
    return purpose == OpenFor::reading ? real_file_system().open(path, purpose) : refuse<std::unique_ptr<File>>(path);
  }
  Reserved reserve(const std::filesystem::path& path, ByteRange) override { return refuse<Reserved>(path); }
  void rename(const std::filesystem::path& from, const std::filesystem::path&) override { refuse<void>(from); }
  void remove(const std::filesystem::path& path) override { refuse<void>(path); }
  void create_directories(const std::filesystem::path& path) override {
    if (!exists(path)) refuse<void>(path);
  }
  void sync_directory(const std::filesystem::path&) override {}
  bool exists(const std::filesystem::path& path) const override { return real_file_system().exists(path); }
  std::vector<std::string> list(const std::filesystem::path& path) const override {
    return real_file_system().list(path);
  }
  std::unique_ptr<File> try_lock(const std::filesystem::path& path) override {
    return refuse<std::unique_ptr<File>>(path);
  }
  std::string lock_holder(const std::filesystem::path&) override { return {}; }

 private:
  template <class Result>
  static Result refuse(const std::filesystem::path& path) {
    throw IoError("write", path, EROFS);
  }
};

constexpr const char* sweep_text = "[parameters]\nseed = { from = 1, to = 8, step = 1 }\n";

BOOST_AUTO_TEST_CASE(a_finished_run_is_found_complete) {
  const TemporaryFolder folder;
  const ToySweep sweep(sweep_text);
  BOOST_REQUIRE((run_toy(real_file_system(), folder.path(), sweep).outcome == PublishOutcome::published));
  ReadOnlyFileSystem files;
  const Store store = Store::create(files, folder.path(), sweep.plan, {}, OpenMode::resume);
  BOOST_TEST(store.published());
}

BOOST_AUTO_TEST_CASE(what_has_to_be_written_is_an_error) {
  const TemporaryFolder folder;
  const ToySweep sweep(sweep_text);
  ReadOnlyFileSystem files;
  BOOST_CHECK_THROW(Store::create(files, folder.path(), sweep.plan, {}, OpenMode::resume), IoError);
  BOOST_REQUIRE((run_toy(real_file_system(), folder.path(), sweep).outcome == PublishOutcome::published));
  BOOST_CHECK_THROW(Store::create(files, folder.path(), sweep.plan, {}, OpenMode::fresh), IoError);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
