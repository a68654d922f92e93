/// Damage of files whose layout is not ours: repacked by h5repack, and of another program. HDF5 has to parse them
/// before anything can be compared, so a damage may cost the reading process, never the command. Some damages by
/// default; 2000 with DFSWEEP_LONG_TESTS=1.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/faults/damages.hpp"
#include "tests/faults/small_runs.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(foreign_files_test)

using namespace dfsweep;

namespace {

struct Layout {
  const char* why;
  const char* options;  ///< of h5repack
};
const Layout layouts[] = {{"chunks, shuffled and compressed", "-f SHUF -f GZIP=1"},
                          {"compressed, in the latest file format", "-L -f GZIP=9"},
                          {"compact: values inside the object headers", "-l COMPA"}};

/// Bytes of the published file as h5repack writes it; empty where the program is missing.
FileBytes repacked(const SmallRuns& runs, const std::string& options) {
  const std::string sound = runs.published().result().string();
  const std::string path = sound + ".repacked";
  const std::string command = "h5repack " + options + " '" + sound + "' '" + path + "' 2>&1 >/dev/null";
  if (std::system(command.c_str()) != 0) return {};
  return bytes_of(path);
}

boost::test_tools::assertion_result has_h5repack(boost::unit_test::test_unit_id) {
  boost::test_tools::assertion_result result(std::system("h5repack --version >/dev/null 2>&1") == 0);
  result.message() << "h5repack is missing";
  return result;
}

/// Overwrites the first `wanted` after `from` by `other` of the same length; the place after it.
std::size_t replace_next(FileBytes& bytes, std::size_t from, std::string_view wanted, std::string_view other) {
  const auto pattern = std::as_bytes(std::span(wanted));
  const auto found =
      std::search(bytes.begin() + static_cast<std::ptrdiff_t>(from), bytes.end(), pattern.begin(), pattern.end());
  BOOST_REQUIRE((found != bytes.end()));
  const auto replacement = std::as_bytes(std::span(other));
  std::copy(replacement.begin(), replacement.end(), found);
  return static_cast<std::size_t>(found - bytes.begin()) + wanted.size();
}

std::uint64_t count_of_damages(std::uint64_t usual) {
  return is_long() ? 2000 : usual;
}

}  // namespace

/// The values of columns are compared with their checksums; names and units around them cannot be.
BOOST_TEST_DECORATOR(*boost::unit_test::precondition(has_h5repack))
BOOST_DATA_TEST_CASE(a_damaged_repacked_file_ends_no_command_and_gives_no_wrong_value,
                     boost::unit_test::data::make(layouts), layout) {
  SmallRuns runs;
  const FileBytes sound_file = repacked(runs, layout.options);
  BOOST_REQUIRE(!sound_file.empty());
  const std::string file = (runs.published().path / "small.h5").string();
  write(file, sound_file);
  const std::vector<std::string> values = {"export", file, "--columns", "point,optimal_learning_rate"};
  const Answer sound = ask(values);
  BOOST_REQUIRE_MESSAGE(sound.status == 0, sound.err);
  BOOST_REQUIRE_EQUAL(ask({"verify", file, "--threads", "1"}).status, 0);
  std::map<int, std::uint64_t> statuses;
  for (std::uint64_t n = 0; n < count_of_damages(12); ++n) {
    write(file, damaged(sound_file, 40'000 + n));
    BOOST_TEST_CONTEXT("damage " << n) {
      const Answer answer = ask(values);
      BOOST_TEST((answer.status == 2 || answer.status == 4 || (answer.status == 0 && answer.out == sound.out)),
                 answer.status << ": " << answer.out << answer.err);
      ++statuses[answer.status];
      if (answer.err.find("no answer") != std::string::npos) continue;  // HDF5 used all of its time
      for (const std::vector<std::string>& command : {std::vector<std::string>{"show", file},
                                                      {"explain", file, "--point", "2"},
                                                      {"verify", file, "--threads", "1"}}) {
        const int status = ask(command).status;
        BOOST_TEST((status == 0 || status == 2 || status == 4), command.front() << ": " << status);
      }
    }
  }
  BOOST_TEST(statuses[4] > 0);
  for (const auto& [status, times] : statuses) BOOST_TEST_MESSAGE("export, status " << status << ": " << times);
}

/// A file of another program: sound HDF5 that does not call itself a result.
BOOST_AUTO_TEST_CASE(a_damaged_file_of_another_program_ends_no_command) {
  SmallRuns runs;
  FileBytes other = runs.result;
  std::fill_n(other.begin(), seal_bytes, std::byte{0});
  std::size_t place = 0;
  for (int attribute = 0; attribute < 2; ++attribute)  // "format", then "format_version"
    place = replace_next(other, place, "format", "fabric");
  const std::string file = (runs.published().path / "other.h5").string();
  for (std::uint64_t n = 0; n < count_of_damages(12); ++n) {
    write(file, n == 0 ? other : damaged(other, 50'000 + n));
    BOOST_TEST_CONTEXT("damage " << n)
    for (const std::vector<std::string>& command : {std::vector<std::string>{"show", file},
                                                    {"export", file},
                                                    {"report", file, "-o", "-", "--threads", "1"},
                                                    {"explain", file, "--point", "2"},
                                                    {"verify", file, "--threads", "1"}}) {
      const Answer answer = ask(command);
      BOOST_TEST(answer.status == 4, command.front() << ": " << answer.err);
      if (answer.err.find("no answer") != std::string::npos) break;
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
