/// Every bit of a small published file and of a small unfinished run, for every command: no crash, no hang, and status
/// 0 only with the answer of the sound file. A stride by default; all bits with DFSWEEP_LONG_TESTS=1, and of these
/// every n-th from number i with DFSWEEP_SHARE=i/n, so that hours of flips can be shared out over cores.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <functional>

#include "tests/faults/small_runs.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(every_bit_test)

using namespace dfsweep;
using namespace dfsweep::store;

namespace {

/// The part of the result file that a byte belongs to.
enum class Region : std::uint8_t { seal, frame, table, rows };

Region region_of(const RunRecord& record, std::uint64_t at) {
  if (at < seal_bytes) return Region::seal;
  for (std::size_t c = 0; c < record.places.size(); ++c)
    if (at >= record.places[c].offset && at < record.places[c].offset + record.places[c].bytes())
      return c < record.filled_columns() ? Region::rows : Region::table;
  return Region::frame;
}

using Commands = std::map<std::string, std::vector<std::string>>;

/// The bits to flip: bit `first` and then every `stride`-th.
struct Bits {
  std::uint64_t first = 0;
  std::uint64_t stride = 1;
};

/// All bits, a share of them, or about `wanted` bits at an odd distance, so that all positions within a byte occur.
Bits bits_to_flip(std::uint64_t bits, std::uint64_t wanted) {
  if (!is_long()) return {0, std::max<std::uint64_t>(bits / wanted, 1) | 1U};
  Bits share;
  if (const char* text = std::getenv("DFSWEEP_SHARE"); text != nullptr)
    BOOST_REQUIRE_EQUAL(std::sscanf(text, "%lu/%lu", &share.first, &share.stride), 2);
  BOOST_REQUIRE_LT(share.first, share.stride);
  return share;
}

/// Flips the chosen bits one after the other and calls `judge` with the position of the byte while the file has the
/// flipped bit; restores the file in the end.
void for_each_flip(const std::filesystem::path& path, const FileBytes& sound, std::uint64_t wanted,
                   const std::function<void(std::uint64_t)>& judge) {
  const std::uint64_t bits = std::uint64_t{8} * sound.size();
  FileBytes bytes = sound;
  std::uint64_t flips = 0;
  const auto [first, stride] = bits_to_flip(bits, wanted);
  for (std::uint64_t bit = first; bit < bits; bit += stride) {
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
  // Readers verify the seal, the frame and the rows that they read.
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

BOOST_AUTO_TEST_CASE(every_bit_of_a_compressed_file_is_refused_by_who_reads_it) {
  SmallRuns runs(compressed_rows);
  const RunDirectory run = runs.published();
  const std::string file = run.result().string();
  const Commands readers = {
      {"show", {"show", file}}, {"export", {"export", file}}, {"status", {"status", run.path.string()}}};
  std::map<std::string, Answer> sound;
  for (const auto& [name, arguments] : readers) sound[name] = ask(arguments);
  for_each_flip(run.result(), runs.result, 400, [&](std::uint64_t) {
    for (const auto& [name, arguments] : readers) {
      const Answer answer = ask(arguments);
      BOOST_TEST((answer.status == 4 || (answer.status == 0 && answer.out == sound[name].out)), name);
      if (name == "export") BOOST_TEST(answer.status == 4);  // it reads every row
    }
    for (const char* verifying : {"verify", "publish"}) {
      BOOST_TEST(ask({verifying, run.path.string(), "--threads", "1"}).status == 4, verifying);
      std::filesystem::remove(run.damage());
    }
    BOOST_TEST(ask({"verify", file, "--threads", "1"}).status == 4);
  });
}

/// Whether an answer reports damage.
bool reports_damage(const Answer& answer) {
  return answer.err.find("damaged") != std::string::npos || answer.err.find("checksum") != std::string::npos;
}

BOOST_DATA_TEST_CASE(run_repairs_every_bit_of_a_finished_run, boost::unit_test::data::make(small_sweeps), sweep) {
  SmallRuns runs(sweep);
  const RunDirectory run = runs.published();
  for (const auto& [file, bytes] : runs.sound_published)
    for_each_flip(file, bytes, 30, [&, &file = file](std::uint64_t) {
      const Answer answer = ask(runs.run_command(run));
      BOOST_TEST(answer.status == 0, answer.err);
      // Journals and locks of a finished run are not read any more.
      BOOST_TEST((reports_damage(answer) || file.parent_path() == run.journals()), answer.err);
      BOOST_REQUIRE((bytes_of(run.result()) == runs.result));
      BOOST_REQUIRE((bytes_of(run.plan()) == runs.sound_published.at(run.plan())));
      BOOST_TEST(ask({"verify", run.path.string(), "--threads", "1"}).status == 0);
    });
}

/// What a command printed below its line "not finished: <done> of <all> blocks, ...".
std::string without_progress(const Answer& answer) {
  if (!answer.out.starts_with("not finished: ")) return answer.out;
  return answer.out.substr(answer.out.find('\n'));
}

/// The answers of commands about an unfinished run that has one flipped bit.
class UnfinishedRun {
 public:
  explicit UnfinishedRun(const SmallRuns& runs)
      : runs_(runs),
        run_(runs.unfinished()),
        path_(run_.path.string()),
        record_(read_run_record(real_file_system(), run_)) {
    for (const auto& [name, arguments] : readers_) {
      sound_[name] = ask(arguments);
      BOOST_REQUIRE_MESSAGE(sound_[name].status == 0, name << ": " << sound_[name].err);
    }
    BOOST_REQUIRE_EQUAL(ask({"verify", path_}).status, 75);
    BOOST_REQUIRE_EQUAL(ask({"status", path_}).status, 75);
  }

  [[nodiscard]] Region region(const std::filesystem::path& file, std::uint64_t at) const {
    return file == run_.partial() ? region_of(record_, at) : Region::rows;
  }

  /// Readers give the answer of the sound run or report the damage; without the record of a block its rows are missing,
  /// and where blocks have no rows yet, `show` counts one finished block less.
  void expect_readers(const std::filesystem::path& file, bool is_named) const {
    const bool has_rows = record_.cut.kind != BlockKind::candidates;
    for (const auto& [name, arguments] : readers_) {
      const Answer answer = ask(arguments);
      if (file == runs_.journal() && has_rows)
        BOOST_TEST((answer.status == 0 && answer.out != sound_.at(name).out), name);
      else if (file == runs_.journal())
        BOOST_TEST((answer.status == 0 && without_progress(answer) == without_progress(sound_.at(name))), name);
      else if (answer.status == 0)
        BOOST_TEST((answer.out == sound_.at(name).out && !is_named), name);
      else
        BOOST_TEST(answer.status == 4, name);
    }
  }

  /// The exit status of `verify`; the command `status` must not contradict it.
  [[nodiscard]] int expect_verified(bool is_named) const {
    const int verified = ask({"verify", path_, "--threads", "1"}).status;
    const int known = ask({"status", path_}).status;
    BOOST_TEST((is_named ? verified == 4 && known == 4 : verified == 4 || verified == 75));
    BOOST_TEST((known == 4 || known == 75));
    std::filesystem::remove(run_.damage());
    return verified;
  }

  void expect_partial_publication(int status) const {
    BOOST_TEST(ask({"publish", path_, "--partial", "--threads", "1"}).status == status);
  }

  void expect_the_same_result_in_the_end() const {
    const Answer finished = ask(runs_.run_command(run_));
    BOOST_TEST(finished.status == 0, finished.err);
    BOOST_REQUIRE((bytes_of(run_.result()) == runs_.result));
  }

 private:
  const SmallRuns& runs_;
  RunDirectory run_;
  std::string path_;
  RunRecord record_;
  Commands readers_ = {{"show", {"show", path_}}, {"export", {"export", path_}}};
  std::map<std::string, Answer> sound_;
};

BOOST_DATA_TEST_CASE(every_bit_of_an_unfinished_run_is_found_or_means_nothing_and_run_finishes_it,
                     boost::unit_test::data::make(small_sweeps), sweep) {
  SmallRuns runs(sweep);
  const RunDirectory run = runs.unfinished();
  const UnfinishedRun unfinished(runs);
  for (const auto& [file, bytes] : runs.sound_unfinished)
    for_each_flip(file, bytes, file.extension() == ".lock" ? 4 : 40, [&, &file = file](std::uint64_t at) {
      const Region region = unfinished.region(file, at);
      const bool is_named = file == run.plan() || region == Region::frame;
      unfinished.expect_readers(file, is_named);
      const int verified = unfinished.expect_verified(is_named);
      // The room of the seal is written by the publication.
      unfinished.expect_partial_publication(verified == 4 && region != Region::seal ? 4 : 0);
      unfinished.expect_the_same_result_in_the_end();
      runs.restore(run, runs.sound_unfinished);
    });
}

BOOST_AUTO_TEST_SUITE_END()
