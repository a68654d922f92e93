/// Every bit of a small published file and of a small unfinished run, for every command: no crash, no hang, and status
/// 0 only with the answer of the sound file. A stride by default; all bits with DFSWEEP_LONG_TESTS=1.
#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <set>

#include "engine/cli/cli.hpp"
#include "engine/console/error_report.hpp"
#include "engine/console/output.hpp"
#include "engine/store/run_directory.hpp"
#include "io/seal.hpp"
#include "tests/fuzz/mutator.hpp"
#include "tests/support/toy_run.hpp"

using namespace dfsweep;
using namespace dfsweep::store;

BOOST_AUTO_TEST_SUITE(every_bit_test)

namespace {

using Bytes = std::vector<std::byte>;

bool is_long() {
  const char* value = std::getenv("DFSWEEP_LONG_TESTS");
  return value != nullptr && std::string_view(value) == "1";
}

struct Answer {
  int status = 0;
  std::string out;
  std::string err;
};

/// Standard output or error of this process, caught in memory.
class Caught {
 public:
  Caught(std::FILE* stream, int descriptor)
      : stream_(stream), descriptor_(descriptor), kept_(::dup(descriptor)), memory_(::memfd_create("caught", 0)) {
    std::fflush(stream_);
    ::dup2(memory_, descriptor_);
  }
  std::string take() {
    std::fflush(stream_);
    ::dup2(kept_, descriptor_);
    std::string text(static_cast<std::size_t>(::lseek(memory_, 0, SEEK_END)), '\0');
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(::pread(memory_, text.data(), text.size(), 0), 0)));
    ::close(kept_);
    ::close(memory_);
    return text;
  }

 private:
  std::FILE* stream_;
  int descriptor_;
  int kept_;
  int memory_;
};

/// What the program would print and end with; a crash ends this test.
Answer ask(const std::vector<std::string>& arguments) {
  Caught out(stdout, STDOUT_FILENO);
  Caught err(stderr, STDERR_FILENO);
  Answer answer;
  try {
    answer.status = static_cast<int>(run_command_line(arguments));
  } catch (...) {
    const ErrorReport report = report_of(std::current_exception());
    answer.status = static_cast<int>(report.status);
    std::fputs(report.text.c_str(), stderr);
  }
  answer.err = err.take();
  answer.out = out.take();
  return answer;
}

constexpr const char* sweep_text =
    "[sweep]\nname = \"bits\"\nestimator = \"hyperparameters\"\n[parameters]\nlaw = \"step-law\"\n"
    "parameters = [1e9, 7e9]\ntrain_tokens = [1e11, 2e11, 4e11]\n[output]\nmetrics = [\"optimal_learning_rate\"]\n";

Bytes bytes_of(const std::filesystem::path& path) {
  return read_file(real_file_system(), path);
}

/// A new file each time: a file that is cut and written again may wait for the disk.
void write(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  std::filesystem::remove(path);
  real_file_system().open(path, OpenFor::creating)->write_at(0, bytes);
}

/// A published run of six rows, and the same run stopped after half of its blocks. In memory where the host allows.
class SmallRuns {
 public:
  SmallRuns() {
    std::ofstream(sweep()) << sweep_text;
    const Answer run = ask({"run", sweep(), "--out", published().path.string(), "--threads", "1"});
    BOOST_REQUIRE_MESSAGE(run.status == 0, run.err);
    result = bytes_of(published().result());
    stop_half_way();
  }

  [[nodiscard]] std::string sweep() const { return (folder_.path() / "bits.toml").string(); }
  [[nodiscard]] RunDirectory published() const { return {folder_.path() / "published"}; }
  [[nodiscard]] RunDirectory unfinished() const { return {folder_.path() / "unfinished"}; }
  [[nodiscard]] std::filesystem::path journal() const { return unfinished().journal("part-1-of-1.rank-0"); }

  /// Puts the sound files back, and only those.
  void restore(const RunDirectory& run, const std::map<std::filesystem::path, Bytes>& sound) const {
    std::filesystem::remove_all(run.path);
    std::filesystem::create_directories(run.journals());
    for (const auto& [path, bytes] : sound) write(path, bytes);
  }

  Bytes result;
  std::map<std::filesystem::path, Bytes> sound_published;
  std::map<std::filesystem::path, Bytes> sound_unfinished;

 private:
  /// The published file with its seal and table taken away, rows of half the blocks zeroed, and records of the others.
  void stop_half_way() {
    sound_published = {{published().result(), result}, {published().plan(), bytes_of(published().plan())}};
    const RunRecord record = read_run_record(real_file_system(), published());
    Bytes partial = result;
    const auto clear = [&](std::uint64_t offset, std::uint64_t count) {
      std::fill_n(partial.begin() + static_cast<std::ptrdiff_t>(offset), count, std::byte{0});
    };
    clear(0, seal_bytes);
    for (const char* table : {"provenance/block", "provenance/checksums"})
      clear(record.place(table).offset, record.place(table).bytes());
    Bytes journal_bytes;
    for (std::uint32_t block = 0; block < record.cut.block_count; ++block) {
      const StoredBlock rows = record.cut.stored(block);
      std::vector<Checksum> checksums;
      for (std::size_t c = 0; c < record.filled_columns(); ++c) {
        const ColumnPlace& place = record.places[c];
        const std::uint64_t offset = place.offset + rows.first_row * place.element_bytes;
        const std::uint64_t count = rows.row_count * place.element_bytes;
        checksums.push_back(xxh3_128(std::span(result).subspan(offset, count)));
        if (block % 2 == 1) clear(offset, count);
      }
      if (block % 2 == 1) continue;
      const Bytes encoded = encode_record({.kind = RecordKind::rows,
                                           .plan = record.plan_checksum(),
                                           .block = block,
                                           .payload = encode_checksums(checksums)});
      journal_bytes.insert(journal_bytes.end(), encoded.begin(), encoded.end());
    }
    sound_unfinished = {{unfinished().partial(), partial},
                        {unfinished().plan(), bytes_of(published().plan())},
                        {journal(), journal_bytes}};
  }

  TemporaryFolder folder_;
};

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
void for_each_flip(const std::filesystem::path& path, const Bytes& sound, std::uint64_t wanted,
                   const std::function<void(std::uint64_t)>& judge) {
  const std::uint64_t bits = std::uint64_t{8} * sound.size();
  Bytes bytes = sound;
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
                            {"show best", {"show", file, "--best", "optimal_learning_rate"}},
                            {"export", {"export", file}},
                            {"export point", {"export", file, "--columns", "point"}},
                            {"explain", {"explain", file, "--point", "2"}},
                            {"status", {"status", run.path.string()}}};
  std::map<std::string, Answer> sound;
  for (const auto& [name, arguments] : readers) {
    sound[name] = ask(arguments);
    BOOST_REQUIRE_MESSAGE(sound[name].status == 0, name << ": " << sound[name].err);
  }
  std::map<std::string, std::uint64_t> found;
  for_each_flip(run.result(), runs.result, 800, [&](std::uint64_t at) {
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
  for_each_flip(run.result(), runs.result, 60, [&](std::uint64_t) {
    const Answer answer = ask({"run", runs.sweep(), "--out", run.path.string(), "--threads", "1"});
    BOOST_TEST(answer.status == 0, answer.err);
    BOOST_TEST(answer.err.find("damaged") + 1 + answer.err.find("checksum") + 1 != 0U, answer.err);
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
    for_each_flip(file, bytes, 150, [&](std::uint64_t at) {
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

namespace {

/// Damage of several bytes, number `n` always the same: overwritten, zeroed, exchanged, cut or added.
Bytes damaged(const Bytes& sound, std::uint64_t n) {
  CounterGenerator random(n);
  Bytes bytes = sound;
  const auto at = [&](std::size_t place) { return bytes.begin() + static_cast<std::ptrdiff_t>(place); };
  const std::size_t place = random.below(bytes.size());
  const std::size_t length = std::min(bytes.size() - place, std::size_t{1} << random.below(14));
  switch (random.below(6)) {
    case 0:
      for (std::size_t i = 0; i < length; ++i) bytes[place + i] = static_cast<std::byte>(random.below(256));
      break;
    case 1:
      std::fill_n(at(place), length, std::byte{0});
      break;
    case 2: {
      const std::size_t other = random.below(bytes.size() - length + 1);
      std::swap_ranges(at(other), at(std::min(other + length, place > other ? place : bytes.size())), at(place));
      break;
    }
    case 3:
      bytes.resize(place);
      break;
    case 4:
      bytes.insert(at(place), length, static_cast<std::byte>(random.below(256)));
      break;
    default:
      for (std::size_t flips = 1 + random.below(20); flips > 0; --flips)
        bytes[random.below(bytes.size())] ^= static_cast<std::byte>(1U << random.below(8));
  }
  return bytes;
}

}  // namespace

BOOST_AUTO_TEST_CASE(damage_of_several_bytes_is_found) {
  SmallRuns runs;
  const RunDirectory run = runs.published();
  const std::string file = run.result().string();
  const std::uint64_t count = is_long() ? 2000 : 120;
  const Commands readers = {{"show", {"show", file}}, {"export", {"export", file}}};
  std::map<std::string, Answer> sound;
  for (const auto& [name, arguments] : readers) sound[name] = ask(arguments);
  for (std::uint64_t n = 0; n < count; ++n) {
    const Bytes bytes = damaged(runs.result, n);
    if (bytes == runs.result) continue;  // zeros over zeros
    write(run.result(), bytes);
    BOOST_TEST_CONTEXT("damage " << n) {
      BOOST_TEST(ask({"verify", file, "--threads", "1"}).status == 4);
      BOOST_TEST(ask({"verify", run.path.string(), "--threads", "1"}).status == 4);
      std::filesystem::remove(run.damage());
      for (const auto& [name, arguments] : readers) {
        const Answer answer = ask(arguments);
        BOOST_TEST((answer.status == 4 || (answer.status == 0 && answer.out == sound[name].out)), name);
      }
    }
  }
}

/// The same file as format version 1 had it: without a seal. What HDF5 makes of it cannot be foreseen, but it can only
/// kill the process that parses.
BOOST_AUTO_TEST_CASE(damaged_files_without_a_seal_end_no_command) {
  SmallRuns runs;
  Bytes unsealed = runs.result;
  std::fill_n(unsealed.begin(), seal_bytes, std::byte{0});
  const std::string name = "format_version";
  const auto found = std::search(unsealed.begin(), unsealed.end(), std::as_bytes(std::span(name)).begin(),
                                 std::as_bytes(std::span(name)).end());
  BOOST_REQUIRE((found != unsealed.end()));
  const auto version = std::find(found + static_cast<std::ptrdiff_t>(name.size()) + 32, unsealed.end(), std::byte{2});
  const std::string file = (runs.published().path / "old.h5").string();
  Bytes old;
  for (auto at = version; at < found + 120; at = std::find(at + 1, unsealed.end(), std::byte{2})) {
    old = unsealed;
    old[static_cast<std::size_t>(at - unsealed.begin())] = std::byte{1};
    write(file, old);
    if (ask({"show", file}).status == 0) break;
  }
  BOOST_REQUIRE_EQUAL(ask({"show", file}).status, 0);
  BOOST_TEST(ask({"verify", file}).status == 4);  // nothing vouches for it
  const std::uint64_t count = is_long() ? 2000 : 60;
  std::map<int, std::uint64_t> statuses;
  for (std::uint64_t n = 0; n < count; ++n) {
    Bytes bytes = damaged(old, 10'000 + n);
    write(file, bytes);
    BOOST_TEST_CONTEXT("damage " << n) {
      for (const char* command : {"show", "export"}) {
        const Answer answer = ask({command, file});
        ++statuses[answer.status];
        BOOST_TEST((answer.status == 0 || answer.status == 2 || answer.status == 4), answer.err);
      }
    }
  }
  for (const auto& [status, times] : statuses) BOOST_TEST_MESSAGE("status " << status << ": " << times);
}

BOOST_AUTO_TEST_SUITE_END()
