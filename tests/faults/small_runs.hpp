/// SmallRuns: small published runs and the same runs stopped half way, and commands asked in this process.
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

/// A sweep whose runs are small; there is one for each way in which rows reach the file.
struct SmallSweep {
  const char* why;
  const char* name;
  const char* text;
};
inline const SmallSweep six_rows = {
    "rows", "six-rows",
    "estimator = \"hyperparameters\"\n[parameters]\nlaw = \"step-law\"\nparameters = [1e9, 7e9]\n"
    "train_tokens = [1e11, 2e11, 4e11]\n[output]\nmetrics = [\"optimal_learning_rate\"]\n"};
inline const SmallSweep searched_blocks = {
    "a search whose groups stay in one block", "searched-blocks",
    "estimator = \"hyperparameters\"\n[parameters]\nlaw = \"step-law\"\nparameters = [1e9, 3e9, 7e9]\n"
    "train_tokens = [1e11, 2e11, 4e11]\n[output]\nmetrics = [\"optimal_learning_rate\"]\n"
    "[search]\nover = [\"train_tokens\"]\nmaximize = \"optimal_learning_rate\"\ntop = 2\n"};
inline const SmallSweep searched_slices = {
    "a search whose groups are cut: candidates wait in journals", "searched-slices",
    "estimator = \"dataflow\"\n[parameters]\nmodel = \"dlrm-793b\"\nphase = \"prefill\"\ndevice = [\"h100\", "
    "\"sn30\"]\n"
    "memory = [\"ddr4\", \"hbm3\"]\ninterconnect = [\"pcie4\", \"nvlink4\"]\ntopology = \"ring\"\nshape = \"8\"\n"
    "mapping = \"best\"\nsharding = \"joint\"\nmicro_batch = { from = 1, to = 64, step = 1 }\n"
    "[output]\nmetrics = [\"step_time\"]\n"
    "[search]\nover = [\"memory\", \"interconnect\", \"micro_batch\"]\nminimize = \"step_time\"\ntop = 2\n"};
inline const SmallSweep compressed_rows = {
    "rows that publication compresses", "compressed-rows",
    "estimator = \"hyperparameters\"\n[parameters]\nlaw = \"step-law\"\nparameters = [1e9, 7e9]\n"
    "train_tokens = [1e11, 2e11, 4e11]\n[output]\nmetrics = [\"optimal_learning_rate\"]\ncompression = \"deflate\"\n"};
inline const std::vector<SmallSweep> small_sweeps = {six_rows, searched_blocks, searched_slices, compressed_rows};

inline FileBytes bytes_of(const std::filesystem::path& path) {
  return read_file(real_file_system(), path);
}

/// A new file each time: a file that is cut and written again may wait for the disk.
inline void write(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  std::filesystem::remove(path);
  real_file_system().open(path, OpenFor::creating)->write_at(0, bytes);
}

/// The files of a run directory, its log left out: what a run says there differs from run to run.
using RunFiles = std::map<std::filesystem::path, FileBytes>;

inline RunFiles files_of(const store::RunDirectory& run) {
  RunFiles files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(run.path))
    if (entry.is_regular_file() && entry.path() != run.log()) files[entry.path()] = bytes_of(entry.path());
  return files;
}

/// A published run, and a run of the same sweep of which every other block is evaluated. In memory where the host
/// allows.
class SmallRuns {
 public:
  explicit SmallRuns(const SmallSweep& sweep = six_rows) : name_(sweep.name) {
    std::ofstream(this->sweep()) << "[sweep]\nname = \"" << sweep.name << "\"\n" << sweep.text;
    run(published(), "1/1");
    result = bytes_of(published().result());
    sound_published = files_of(published());
    run(unfinished(), "1/2");
    sound_unfinished = files_of(unfinished());
    BOOST_REQUIRE(std::filesystem::exists(unfinished().partial()));
    BOOST_REQUIRE(std::filesystem::exists(journal()));
  }

  [[nodiscard]] std::string sweep() const { return (folder_.path() / (name_ + ".toml")).string(); }
  [[nodiscard]] store::RunDirectory published() const { return {folder_.path() / "published"}; }
  [[nodiscard]] store::RunDirectory unfinished() const { return {folder_.path() / "unfinished"}; }
  [[nodiscard]] std::filesystem::path journal() const { return unfinished().journal("part-1-of-2.rank-0"); }
  [[nodiscard]] std::vector<std::string> run_command(const store::RunDirectory& run) const {
    return {"run", sweep(), "--out", run.path.string(), "--threads", "1"};
  }

  /// Puts the sound files back, and only those.
  void restore(const store::RunDirectory& run, const RunFiles& sound) const {
    std::filesystem::remove_all(run.path);
    std::filesystem::create_directories(run.journals());
    for (const auto& [path, bytes] : sound) write(path, bytes);
  }

  FileBytes result;
  RunFiles sound_published;
  RunFiles sound_unfinished;

 private:
  void run(const store::RunDirectory& directory, const std::string& part) const {
    std::vector<std::string> command = run_command(directory);
    command.insert(command.end(), {"--part", part});
    const Answer answer = ask(command);
    BOOST_REQUIRE_MESSAGE(answer.status == 0, answer.err);
  }

  std::string name_;
  TemporaryFolder folder_;
};

}  // namespace dfsweep
