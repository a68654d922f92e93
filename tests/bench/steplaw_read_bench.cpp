/// Reading, selecting and fitting 10^7 synthetic training runs from HDF5 and from CSV: prints the time of every part.
///
///     steplaw_read_bench SCRATCH_FOLDER [GROUPS [THREADS]]     (83334 groups of 120 runs; about 1.6 GB in the folder)
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "engine/fit/runs/streamed_runs.hpp"
#include "engine/parallel/threads.hpp"
#include "io/csv_writer.hpp"
#include "models/law_fits/fits/fit.hpp"
#include "tests/support/small_result.hpp"
#include "tests/support/steplaw_runs.hpp"

using namespace dfsweep;
using namespace dfsweep::fit;
using namespace dfsweep::law_fits;

namespace {

constexpr double sequence_length = 2048.0;
constexpr int repetitions = 3;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Of all threads of this process; on a machine that others use too it says more than the time on the wall.
double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

void write_dataset(const TrainingRuns& runs, const std::filesystem::path& path) {
  SmallResult result(runs.size());
  result.metric("parameters", "1", "neither", runs.parameters);
  result.metric("activated_parameters", "1", "neither", runs.activated_parameters);
  result.metric("train_tokens", "1", "neither", runs.train_tokens);
  result.metric("learning_rate", "1", "neither", runs.learning_rate);
  result.metric("batch_tokens", "1", "neither", runs.batch_tokens);
  result.metric("loss", "1", "lower", runs.loss);
  result.write(path);
}

/// The columns of the released tables that a fit needs, with as many digits as a double has.
void write_csv(const TrainingRuns& runs, const std::filesystem::path& path) {
  std::ofstream file(path, std::ios::binary);
  CsvWriter csv;
  for (const char* name : {"lr", "bs", "N", "Na", "D", "smooth loss"}) csv.cell(std::string_view(name));
  csv.end_line();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (const double value : {runs.learning_rate[i], runs.batch_tokens[i] / sequence_length, runs.parameters[i],
                               runs.activated_parameters[i], runs.train_tokens[i], runs.loss[i]})
      csv.cell(value);
    csv.end_line();
    constexpr std::size_t lines_at_once = 10000;
    if (i % lines_at_once == 0 || i + 1 == runs.size()) {
      file << csv.text();
      csv.clear();
    }
  }
}

void measure(const char* what, const std::filesystem::path& path, unsigned threads) {
  double least[4] = {1e9, 1e9, 1e9, 1e9};
  LawFit near;
  JointSurface joint;
  std::size_t runs_within = 0;
  for (int i = 0; i < repetitions; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const double used_before = processor_seconds();
    const auto communicator = make_serial_communicator();
    const std::filesystem::path paths[] = {path};
    const RunInput input(paths, {{}, sequence_length});
    const StreamedRuns streamed = stream_runs(input, fit_windows, threads, *communicator);
    const double reading = seconds_since(start);
    const auto fitting = std::chrono::steady_clock::now();
    near = fit_law(streamed.selected, *find_law_form("unified"), {LawEstimator::kept_rows, 0.0025});
    std::vector<std::size_t> groups(streamed.selected.groups.size());
    for (std::size_t g = 0; g < groups.size(); ++g) groups[g] = g;
    const std::size_t window = streamed.selected.window(0.01);
    joint = fit_joint_linear(joint_moments(streamed.selected, groups, window),
                             {LawFeature::parameters, LawFeature::activated, LawFeature::tokens});
    runs_within = static_cast<std::size_t>(joint.n);
    least[0] = std::min(least[0], reading);
    least[1] = std::min(least[1], seconds_since(fitting));
    least[2] = std::min(least[2], seconds_since(start));
    least[3] = std::min(least[3], processor_seconds() - used_before);
  }
  fmt::print(
      "{:<5} {:7.1f} MB  read and selected {:6.3f} s  fitted {:6.3f} s  together {:6.3f} s, {:6.3f} s of processors "
      "(best of {}, {} threads)\n",
      what, static_cast<double>(std::filesystem::file_size(path)) / 1e6, least[0], least[1], least[2], least[3],
      repetitions, threads);
  fmt::print(
      "      kept rows 0.25 %: lr N {:.4f} D {:.4f}, B Na {:.4f} D {:.4f}; joint 1 %: {} runs, lr N {:.4f} D {:.4f}, "
      "B Na {:.4f} D {:.4f}\n",
      near.learning_rate.law.exponent[0], near.learning_rate.law.exponent[2], near.batch_tokens.law.exponent[1],
      near.batch_tokens.law.exponent[2], runs_within, joint.law.learning_rate.exponent[0],
      joint.law.learning_rate.exponent[2], joint.law.batch_tokens.exponent[1], joint.law.batch_tokens.exponent[2]);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: {} SCRATCH_FOLDER [GROUPS [THREADS]]\n", argv[0]);
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  const std::size_t groups = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 83334;
  const unsigned threads = argc > 3 ? static_cast<unsigned>(std::strtoul(argv[3], nullptr, 10)) : allowed_cores();
  std::filesystem::create_directories(folder);
  const std::filesystem::path dataset = folder / "runs.h5";
  const std::filesystem::path table = folder / "runs.csv";
  if (!std::filesystem::exists(dataset) || !std::filesystem::exists(table)) {
    const TrainingRuns runs = testing::synthetic_runs(1, groups);
    write_dataset(runs, dataset);
    write_csv(runs, table);
  }
  fmt::print("{} groups of 120 synthetic runs (true: lr N -0.68 D 0.21, B Na -0.25 D 0.575)\n", groups);
  measure("HDF5", dataset, threads);
  measure("CSV", table, threads);
  return 0;
}
