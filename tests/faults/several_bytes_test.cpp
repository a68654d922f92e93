/// Damage of several bytes of a published file, and of a file without a seal: no crash, no hang, and status 0 only with
/// the answer of the sound file. Some damages by default; 2000 with DFSWEEP_LONG_TESTS=1.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/faults/damages.hpp"
#include "tests/faults/small_runs.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(several_bytes_test)

using namespace dfsweep;
using namespace dfsweep::store;

using Commands = std::map<std::string, std::vector<std::string>>;

BOOST_DATA_TEST_CASE(damage_of_several_bytes_is_found, boost::unit_test::data::make(small_sweeps), sweep) {
  SmallRuns runs(sweep);
  const RunDirectory run = runs.published();
  const std::string file = run.result().string();
  const std::uint64_t count = is_long() ? 2000 : 60;
  const Commands readers = {{"show", {"show", file}},
                            {"show columns", {"show", file, "--columns", "status"}},
                            {"export", {"export", file}},
                            {"export point", {"export", file, "--columns", "point"}},
                            {"explain", {"explain", file, "--point", "2"}},
                            {"status", {"status", run.path.string()}}};
  std::map<std::string, Answer> sound;
  for (const auto& [name, arguments] : readers) {
    sound[name] = ask(arguments);
    BOOST_REQUIRE_MESSAGE(sound[name].status == 0, name << ": " << sound[name].err);
  }
  for (std::uint64_t n = 0; n < count; ++n) {
    const FileBytes bytes = damaged(runs.result, n);
    if (bytes == runs.result) continue;  // zeros over zeros
    write(run.result(), bytes);
    BOOST_TEST_CONTEXT("damage " << n) {
      for (const auto& [name, arguments] : readers) {
        const Answer answer = ask(arguments);
        BOOST_TEST((answer.status == 4 || (answer.status == 0 && answer.out == sound[name].out)), name);
      }
      for (const std::vector<std::string>& whole : {std::vector<std::string>{"verify", file, "--threads", "1"},
                                                    {"verify", run.path.string(), "--threads", "1"},
                                                    {"publish", run.path.string(), "--threads", "1"}}) {
        BOOST_TEST(ask(whole).status == 4, whole.front());
        std::filesystem::remove(run.damage());
      }
      const Answer repaired = ask(runs.run_command(run));
      BOOST_TEST(repaired.status == 0, repaired.err);
      BOOST_REQUIRE((bytes_of(run.result()) == runs.result));
    }
  }
}

/// A run that is not finished, with damage of several bytes in one of its files, goes on to the same result.
BOOST_DATA_TEST_CASE(damage_of_an_unfinished_run_means_nothing_in_the_end, boost::unit_test::data::make(small_sweeps),
                     sweep) {
  SmallRuns runs(sweep);
  const RunDirectory run = runs.unfinished();
  const std::string path = run.path.string();
  const std::uint64_t count = is_long() ? 2000 : 20;
  std::uint64_t n = 20'000;
  for (const auto& [file, bytes] : runs.sound_unfinished)
    for (std::uint64_t i = 0; i < count; ++i) {
      write(file, damaged(bytes, n++));
      BOOST_TEST_CONTEXT(file.filename().string() << " damage " << n) {
        for (const char* command : {"show", "export", "status", "verify"}) {
          const int status = ask({command, path}).status;
          BOOST_TEST((status == 0 || status == 4 || status == 75), command << ": " << status);
          std::filesystem::remove(run.damage());
        }
        const int published = ask({"publish", path, "--partial", "--threads", "1"}).status;
        BOOST_TEST((published == 0 || published == 4), published);
        const Answer finished = ask(runs.run_command(run));
        BOOST_TEST(finished.status == 0, finished.err);
        BOOST_REQUIRE((bytes_of(run.result()) == runs.result));
        runs.restore(run, runs.sound_unfinished);
      }
    }
}

/// The same file as format version 1 had it: without a seal. What HDF5 makes of it cannot be foreseen, but it can only
/// kill the process that parses.
BOOST_AUTO_TEST_CASE(damaged_files_without_a_seal_end_no_command) {
  SmallRuns runs;
  FileBytes unsealed = runs.result;
  std::fill_n(unsealed.begin(), seal_bytes, std::byte{0});
  const auto after = [&](auto from, std::span<const std::byte> wanted) {
    return std::search(from, unsealed.end(), wanted.begin(), wanted.end());
  };
  const std::string name = "format_version";
  const std::int64_t version = contiguous_format;  // the value of the attribute follows its name, type and shape
  const auto found =
      after(after(unsealed.begin(), std::as_bytes(std::span(name))), std::as_bytes(std::span(&version, 1)));
  BOOST_REQUIRE((found != unsealed.end()));
  *found = std::byte{1};
  const FileBytes old = std::move(unsealed);
  const std::string file = (runs.published().path / "old.h5").string();
  write(file, old);
  BOOST_REQUIRE_EQUAL(ask({"show", file}).status, 0);
  BOOST_TEST(ask({"verify", file}).status == 4);  // there is no seal to compare it with
  FileBytes other_sweep = old;                    // its text, which nothing but its own syntax protects here
  const std::string heading = "[parameters]";
  const auto text = std::search(other_sweep.begin(), other_sweep.end(), std::as_bytes(std::span(heading)).begin(),
                                std::as_bytes(std::span(heading)).end());
  BOOST_REQUIRE((text != other_sweep.end()));
  *text = std::byte{'!'};
  write(file, other_sweep);
  const Answer unreadable = ask({"explain", file, "--point", "2"});
  BOOST_TEST(unreadable.status == 4, unreadable.err);
  BOOST_TEST(unreadable.err.find("the sweep stored in the file is damaged") != std::string::npos, unreadable.err);
  const std::uint64_t count = is_long() ? 2000 : 60;
  std::map<int, std::uint64_t> statuses;
  for (std::uint64_t n = 0; n < count; ++n) {
    write(file, damaged(old, 10'000 + n));
    BOOST_TEST_CONTEXT("damage " << n) {
      for (const std::vector<std::string>& command : {std::vector<std::string>{"show", file},
                                                      {"show", file, "--columns", "status"},
                                                      {"export", file},
                                                      {"explain", file, "--point", "2"},
                                                      {"verify", file, "--threads", "1"}}) {
        const Answer answer = ask(command);
        ++statuses[answer.status];
        BOOST_TEST((answer.status == 2 || answer.status == 4 || (answer.status == 0 && command[0] != "verify")),
                   command[0] << ": " << answer.err);
        if (answer.err.find("no answer") != std::string::npos) break;  // HDF5 went round in circles for all of its time
      }
    }
  }
  for (const auto& [status, times] : statuses) BOOST_TEST_MESSAGE("status " << status << ": " << times);
}

BOOST_AUTO_TEST_SUITE_END()
