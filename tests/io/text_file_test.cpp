/// Text files: what is read, what is refused, and that an endless input is given up.
#include <boost/test/unit_test.hpp>

#include <sys/stat.h>

#include <csignal>
#include <fstream>
#include <thread>

#include "io/diagnostic.hpp"
#include "io/text_file.hpp"
#include "tests/support/small_result.hpp"

BOOST_AUTO_TEST_SUITE(text_file_test)

using namespace dfsweep;

namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

/// The reason of the one problem, or "read" and the number of bytes.
std::string outcome(const std::filesystem::path& path, std::size_t max_bytes = mebibyte) {
  try {
    return "read " + std::to_string(read_text_file(path, "shown", max_bytes).size());
  } catch (const UserError& error) {
    BOOST_TEST(error.problems.front().at.file == "shown");
    return error.problems.front().reason;
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(files_are_read_up_to_the_limit) {
  const ScratchFile file("text");
  std::ofstream(file.path()) << std::string(mebibyte, 'x');
  BOOST_TEST(outcome(file.path()) == "read 1048576");
  std::ofstream(file.path(), std::ios::app) << 'x';
  BOOST_TEST(outcome(file.path()) == "it holds more than 1 MiB");
}

BOOST_AUTO_TEST_CASE(what_is_no_file_is_refused) {
  BOOST_TEST(outcome("/nowhere/at/all") == "No such file or directory");
  BOOST_TEST(outcome("/") == "it is a directory");
  BOOST_TEST(outcome("/dev/zero") == "it is a device");
}

BOOST_AUTO_TEST_CASE(an_endless_pipe_is_given_up) {
  const ScratchFile pipe("pipe");
  BOOST_REQUIRE_EQUAL(::mkfifo(pipe.path().c_str(), 0600), 0);
  const auto ignored = std::signal(SIGPIPE, SIG_IGN);
  std::size_t pieces = 0;
  std::thread writer([&] {
    std::ofstream out(pipe.path());
    const std::string piece(mebibyte / 16, 'x');
    while (out << piece << std::flush) ++pieces;  // until the reader is gone
  });
  BOOST_TEST(outcome(pipe.path()) == "it holds more than 1 MiB");
  writer.join();
  BOOST_TEST(pieces < 20U);  // the limit, and what fits into a pipe
  std::signal(SIGPIPE, ignored);
}

BOOST_AUTO_TEST_SUITE_END()
