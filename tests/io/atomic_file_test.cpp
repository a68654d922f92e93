/// Files of the user: complete or not there.
#include "io/atomic_file.hpp"

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/support/temporary_folder.hpp"

BOOST_AUTO_TEST_SUITE(atomic_file_test)

using namespace dfsweep;

namespace {

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(folders_are_made_and_content_is_replaced) {
  const TemporaryFolder scratch;
  const std::filesystem::path path = scratch.path() / "a" / "b" / "page.html";
  write_user_file(path, std::string_view("first"));
  write_user_file(path, std::string_view("second, longer"));
  BOOST_TEST(content(path) == "second, longer");
  const auto files = std::distance(std::filesystem::directory_iterator(path.parent_path()), {});
  BOOST_TEST(files == 1);  // nothing is left beside it
}

BOOST_AUTO_TEST_CASE(what_is_no_regular_file_is_written_through) {
  const TemporaryFolder scratch;
  const std::filesystem::path link = scratch.path() / "stdout";
  std::filesystem::create_symlink("/dev/null", link);
  write_user_file(link, std::string_view("text"));
  BOOST_TEST(std::filesystem::is_symlink(link));
  BOOST_TEST(std::filesystem::is_character_file(std::filesystem::status(link)));
}

BOOST_AUTO_TEST_CASE(without_commit_the_old_file_stays) {
  const TemporaryFolder scratch;
  const std::filesystem::path path = scratch.path() / "kept.txt";
  write_user_file(path, std::string_view("old"));
  {
    AtomicFile file(real_file_system(), path);
    file.append(std::as_bytes(std::span("new")));
  }
  BOOST_TEST(content(path) == "old");
}

BOOST_AUTO_TEST_SUITE_END()
