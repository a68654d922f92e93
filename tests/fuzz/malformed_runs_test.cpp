/// Malformed files of runs: whatever is in them, loading ends with runs or with problems that name a place.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <fstream>

#include "engine/fit/runs/loaded_runs.hpp"
#include "engine/fit/runs/streamed_runs.hpp"
#include "tests/fuzz/mutator.hpp"
#include "tests/support/small_result.hpp"

BOOST_AUTO_TEST_SUITE(malformed_runs_test)

using namespace dfsweep;
using namespace dfsweep::fit;
using namespace dfsweep;

namespace {

std::vector<std::string> valid_runs() {
  return {
      "lr,bs,N,D,smooth loss,exp_name\n"
      "1.726e-04,32,1e8,1e9,2.5,a\n3.45e-04,32,1e8,1e9,2.4,b\n1e-3,64,1e8,1e9,2.41,c\n2e-3,64,1e8,2e9,2.3,d\n",
      "learning_rate,batch_tokens,parameters,activated_parameters,train_tokens,loss,recipe,flops_per_token\r\n"
      "1e-3,131072,2e9,1e9,1e10,2.5,\"1in8, small\",6e9\r\n2e-3,131072,2e9,1e9,1e10,nan,\"1in8, small\",6e9\r\n"
      "1e-3,131072,2e9,1e9,1e10,2.5,\"say \"\"8\"\"\",6e9\r\n\r\n",
      "# measured\nlr,bs,N,D,loss,ti,seq_len,h,ffnh,numl\n1e-3,64,1e8,1e9,2.5,7630,2048,960,9368,7\n"};
}

/// A new file each time: some file systems wait for the disk when a file is cut to nothing and written again.
void write(const std::filesystem::path& path, std::string_view text) {
  std::filesystem::remove(path);
  std::ofstream(path, std::ios::binary) << text;
}

/// "runs of groups" or the first problem.
std::string outcome(const std::filesystem::path& path) {
  try {
    const std::filesystem::path paths[] = {path};
    const RunInput input(paths, {});
    const LoadedRuns loaded = load_runs(input, 1);
    for (std::size_t i = 0; i < loaded.runs.size(); ++i)
      BOOST_TEST((std::isfinite(loaded.runs.loss[i]) && loaded.runs.learning_rate[i] > 0.0));
    const LineNumbers lines(input, loaded.findings);
    for (const DefectiveRun& run : loaded.findings.named())
      BOOST_TEST(lines.place(run.place).find(':') != std::string::npos);
    return std::to_string(loaded.runs.size()) + " of " + std::to_string(group_runs(loaded.runs).groups.size());
  } catch (const UserError& error) {
    for (const Problem& problem : error.problems) BOOST_TEST(problem.at.file == path.string());
    BOOST_TEST(!error.problems.empty());
    return "problem";
  }
}

std::string streamed_outcome(const std::filesystem::path& path) {
  try {
    const std::filesystem::path paths[] = {path};
    const auto communicator = make_serial_communicator();
    const StreamedRuns runs = stream_runs(RunInput(paths, {}), law_fits::fit_windows, 1, *communicator);
    return std::to_string(runs.selected.groups.size());
  } catch (const UserError&) {
    return "problem";
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(mutants_are_read_or_explained) {
  const ScratchFile file("runs.csv");
  std::size_t read = 0;
  std::size_t explained = 0;
  constexpr std::uint64_t mutants = 3000;
  for (std::uint64_t n = 0; n < mutants; ++n) {
    write(file.path(), mutant(valid_runs(), n));
    BOOST_TEST_CONTEXT("mutant " << n) {
      const std::string whole = outcome(file.path());
      const std::string streamed = streamed_outcome(file.path());
      BOOST_TEST((whole == "problem") == (streamed == "problem"));
      if (whole != "problem") BOOST_TEST(whole.substr(whole.find(" of ") + 4) == streamed);
      ++(whole == "problem" ? explained : read);
    }
  }
  BOOST_TEST(read > mutants / 20);
  BOOST_TEST(explained > mutants / 10);
}

BOOST_AUTO_TEST_CASE(torn_files_of_every_length_are_read_or_explained) {
  const ScratchFile file("runs.csv");
  for (const std::string& text : valid_runs())
    for (std::size_t length = 0; length <= text.size(); ++length) {
      write(file.path(), std::string_view(text).substr(0, length));
      BOOST_TEST_CONTEXT("first " << length << " bytes") {
        BOOST_TEST(!outcome(file.path()).empty());
      }
    }
}

BOOST_AUTO_TEST_SUITE_END()
