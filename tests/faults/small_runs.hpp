/// SmallRuns: a small published run and the same run stopped half way, and commands asked in this process.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "engine/cli/cli.hpp"
#include "engine/console/error_report.hpp"
#include "engine/store/journals.hpp"
#include "engine/store/run_directory.hpp"
#include "io/seal.hpp"
#include "tests/support/toy_run.hpp"

namespace dfsweep {

using FileBytes = std::vector<std::byte>;

/// All of it, not a stride: DFSWEEP_LONG_TESTS=1.
inline bool is_long() {
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
inline Answer ask(const std::vector<std::string>& arguments) {
  Caught out(stdout, STDOUT_FILENO);
  Caught err(stderr, STDERR_FILENO);
  Answer answer;
  try {
    answer.status = static_cast<int>(parse_command_line(arguments)());
  } catch (...) {
    const ErrorReport report = report_of(std::current_exception());
    answer.status = static_cast<int>(report.status);
    std::fputs(report.text.c_str(), stderr);
  }
  answer.err = err.take();
  answer.out = out.take();
  return answer;
}

inline constexpr const char* sweep_text =
    "[sweep]\nname = \"bits\"\nestimator = \"hyperparameters\"\n[parameters]\nlaw = \"step-law\"\n"
    "parameters = [1e9, 7e9]\ntrain_tokens = [1e11, 2e11, 4e11]\n[output]\nmetrics = [\"optimal_learning_rate\"]\n";

inline FileBytes bytes_of(const std::filesystem::path& path) {
  return read_file(real_file_system(), path);
}

/// A new file each time: a file that is cut and written again may wait for the disk.
inline void write(const std::filesystem::path& path, std::span<const std::byte> bytes) {
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
  [[nodiscard]] store::RunDirectory published() const { return {folder_.path() / "published"}; }
  [[nodiscard]] store::RunDirectory unfinished() const { return {folder_.path() / "unfinished"}; }
  [[nodiscard]] std::filesystem::path journal() const { return unfinished().journal("part-1-of-1.rank-0"); }

  /// Puts the sound files back, and only those.
  void restore(const store::RunDirectory& run, const std::map<std::filesystem::path, FileBytes>& sound) const {
    std::filesystem::remove_all(run.path);
    std::filesystem::create_directories(run.journals());
    for (const auto& [path, bytes] : sound) write(path, bytes);
  }

  FileBytes result;
  std::map<std::filesystem::path, FileBytes> sound_published;
  std::map<std::filesystem::path, FileBytes> sound_unfinished;

 private:
  /// The published file with its seal and table taken away, rows of half the blocks zeroed, and records of the others.
  void stop_half_way() {
    sound_published = {{published().result(), result}, {published().plan(), bytes_of(published().plan())}};
    const store::RunRecord record = store::read_run_record(real_file_system(), published());
    FileBytes partial = result;
    const auto clear = [&](std::uint64_t offset, std::uint64_t count) {
      std::fill_n(partial.begin() + static_cast<std::ptrdiff_t>(offset), count, std::byte{0});
    };
    clear(0, seal_bytes);
    for (const char* table : {"provenance/block", "provenance/checksums"})
      clear(record.place(table).offset, record.place(table).bytes());
    FileBytes journal_bytes;
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
      const FileBytes encoded = encode_record({.kind = RecordKind::rows,
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

}  // namespace dfsweep
