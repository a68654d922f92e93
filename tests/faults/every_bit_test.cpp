/// Every bit of a small published file and of a small unfinished run, for every command: no crash, no hang, and status
/// 0 only with the answer of the sound file. A stride by default; all bits with DFSWEEP_LONG_TESTS=1.
#include <boost/test/unit_test.hpp>

#include <functional>

#include "tests/faults/small_runs.hpp"

BOOST_AUTO_TEST_SUITE(every_bit_test)

using namespace dfsweep;
using namespace dfsweep::store;

namespace {

/// What a byte of the result file belongs to.
enum class Region : std::uint8_t { seal, frame, table, rows };

Region region_of(const RunRecord& record, std::uint64_t at) {
  if (at < seal_bytes) return Region::seal;
  for (std::size_t c = 0; c < record.places.size(); ++c)
    if (at >= record.places[c].offset && at < record.places[c].offset + record.places[c].bytes())
      return c < record.filled_columns() ? Region::rows : Region::table;
  return Region::frame;
}

using Commands = std::map<std::string, std::vector<std::string>>;

/// The bits to flip: all of them, or a stride that meets all kinds of places.
std::uint64_t stride_of(std::uint64_t bits, std::uint64_t wanted) {
  return is_long() ? 1 : std::max<std::uint64_t>(bits / wanted, 1) | 1U;
}

/// Flips bit by bit; `judge` is told the byte. The flipped file is put in place before, the sound one after.
void for_each_flip(const std::filesystem::path& path, const FileBytes& sound, std::uint64_t wanted,
                   const std::function<void(std::uint64_t)>& judge) {
  const std::uint64_t bits = std::uint64_t{8} * sound.size();
  FileBytes bytes = sound;
  std::uint64_t flips = 0;
  for (std::uint64_t bit = 0; bit < bits; bit += stride_of(bits, wanted)) {
    bytes[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
    write(path, bytes);
    BOOST_TEST_CONTEXT(path.filename().string() << " bit " << bit) judge(bit / 8);
    bytes[bit / 8] = sound[bit / 8];
    ++flips;
  }
  write(path, sound);
  BOOST_TEST_MESSAGE(flips << " of " << bits << " bits of " << path.filename().string());
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_bit_of_a_published_file_has_its_status) {
  SmallRuns runs;
  const RunDirectory run = runs.published();
  const std::string file = run.result().string();
  const RunRecord record = read_run_record(real_file_system(), run);
  // Readers compare the seal, the frame, and of the rows what they read.
  const Commands readers = {{"show", {"show", file}},
                            {"show columns", {"show", file, "--columns", "parameters"}},
                            {"export", {"export", file}},
                            {"export point", {"export", file, "--columns", "point"}},
                            {"report", {"report", file, "-o", "-", "--threads", "1"}},
                            {"explain", {"explain", file, "--point", "2"}},
                            {"status", {"status", run.path.string()}}};
  std::map<std::string, Answer> sound;
  for (const auto& [name, arguments] : readers) {
    sound[name] = ask(arguments);
    BOOST_REQUIRE_MESSAGE(sound[name].status == 0, name << ": " << sound[name].err);
  }
  std::map<std::string, std::uint64_t> found;
  for_each_flip(run.result(), runs.result, 400, [&](std::uint64_t at) {
    const Region region = region_of(record, at);
    for (const auto& [name, arguments] : readers) {
      const Answer answer = ask(arguments);
      if (answer.status == 0)
        BOOST_TEST((answer.out == sound[name].out && (region == Region::rows || region == Region::table)), name);
      else
        BOOST_TEST(answer.status == 4, name);
      found[name] += answer.status == 4 ? 1 : 0;
    }
    for (const std::vector<std::string>& whole : {std::vector<std::string>{"verify", file, "--threads", "1"},
                                                  {"verify", run.path.string(), "--threads", "1"},
                                                  {"publish", run.path.string(), "--threads", "1"}}) {
      BOOST_TEST(ask(whole).status == 4, whole.front());
      std::filesystem::remove(run.damage());
    }
  });
  for (const auto& [name, count] : found) BOOST_TEST_MESSAGE(name << ": status 4 for " << count);
  BOOST_TEST(found["export"] > found["export point"]);
}

BOOST_AUTO_TEST_CASE(run_repairs_every_bit_of_a_published_file) {
  SmallRuns runs;
  const RunDirectory run = runs.published();
  for_each_flip(run.result(), runs.result, 30, [&](std::uint64_t) {
    const Answer answer = ask({"run", runs.sweep(), "--out", run.path.string(), "--threads", "1"});
    BOOST_TEST(answer.status == 0, answer.err);
    const bool says_so =
        answer.err.find("damaged") != std::string::npos || answer.err.find("checksum") != std::string::npos;
    BOOST_TEST(says_so, answer.err);
    BOOST_REQUIRE((bytes_of(run.result()) == runs.result));
  });
}

BOOST_AUTO_TEST_CASE(every_bit_of_an_unfinished_run_is_found_or_means_nothing_and_run_finishes_it) {
  SmallRuns runs;
  const RunDirectory run = runs.unfinished();
  const std::string path = run.path.string();
  runs.restore(run, runs.sound_unfinished);
  const Commands readers = {{"show", {"show", path}}, {"export", {"export", path}}};
  std::map<std::string, Answer> sound;
  for (const auto& [name, arguments] : readers) sound[name] = ask(arguments);
  BOOST_REQUIRE_EQUAL(sound["export"].status, 0);
  BOOST_REQUIRE_EQUAL(ask({"verify", path}).status, 75);
  BOOST_REQUIRE_EQUAL(ask({"status", path}).status, 75);
  const RunRecord record = read_run_record(real_file_system(), run);

  for (const auto& [file, bytes] : runs.sound_unfinished) {
    const bool is_result = file == run.partial();
    const bool is_plan = file == run.plan();
    for_each_flip(file, bytes, 40, [&, &file = file](std::uint64_t at) {
      const bool is_frame = is_result && region_of(record, at) == Region::frame;
      for (const auto& [name, arguments] : readers) {
        const Answer answer = ask(arguments);
        if (file == runs.journal())  // a record that does not hold: its rows are not there any more
          BOOST_TEST((answer.status == 0 && answer.out != sound[name].out), name);
        else if (answer.status == 0)
          BOOST_TEST((answer.out == sound[name].out && !is_frame && !is_plan), name);
        else
          BOOST_TEST(answer.status == 4, name);
      }
      const int verified = ask({"verify", path, "--threads", "1"}).status;
      const int known = ask({"status", path}).status;
      BOOST_TEST((is_plan || is_frame ? verified == 4 && known == 4 : verified == 4 || verified == 75));
      BOOST_TEST((known == 4 || known == 75));
      std::filesystem::remove(run.damage());
      const int published = ask({"publish", path, "--partial", "--threads", "1"}).status;
      BOOST_TEST((published == (verified == 4 && !(is_result && at < seal_bytes) ? 4 : 0)));
      const Answer finished = ask({"run", runs.sweep(), "--out", path, "--threads", "1"});
      BOOST_TEST(finished.status == 0, finished.err);
      BOOST_REQUIRE((bytes_of(run.result()) == runs.result));
      runs.restore(run, runs.sound_unfinished);
    });
  }
}

BOOST_AUTO_TEST_SUITE_END()
