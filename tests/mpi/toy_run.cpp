/// `dfsweep run` with the toy estimator, for the tests of ranks, signals and interruptions.
///
///     toy_run [run] SWEEP [--out] DIR [--threads N] [--part i/n] [--time-limit T] [--max-failures N] [--fresh]
///     [--break RANK] [--pause NANOSECONDS]
///     toy_run slurm SWEEP DIR [--ranks N] [--array N] [--threads N] [--time T] [--partition P] [--after JOB] [--then
///     COMMAND]
///     [-o FILE] [--submit]
///
/// The second form is `dfsweep slurm`, whose jobs run the first. --break makes the estimator run out of memory on that
/// rank, which is an error outside of any point. --pause is the time that a point takes without using a processor, so
/// that many runs can be disturbed at once on few cores; it is part of the declared cost.
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/commands/run.hpp"
#include "engine/commands/slurm.hpp"
#include "engine/commands/status.hpp"
#include "engine/console/error_report.hpp"
#include "tests/support/toy_estimator.hpp"

namespace {

using namespace dfsweep;

/// The toy, out of memory at every point where `broken` is set, or with a pause at every point.
class DisturbedToy final : public Estimator {
 public:
  bool broken = false;
  std::chrono::nanoseconds pause{0};
  [[nodiscard]] std::string_view name() const override { return toy_.name(); }
  [[nodiscard]] std::string_view meaning() const override { return toy_.meaning(); }
  [[nodiscard]] std::uint32_t version() const override { return toy_.version(); }
  [[nodiscard]] std::span<const ParameterInfo> parameters() const override { return toy_.parameters(); }
  [[nodiscard]] std::span<const MetricInfo> metrics() const override { return toy_.metrics(); }
  [[nodiscard]] std::span<const StatusInfo> statuses() const override { return toy_.statuses(); }
  [[nodiscard]] bool gives_lower_bound(MetricIndex metric, const SweepValues& values) const override {
    return toy_.gives_lower_bound(metric, values);
  }
  [[nodiscard]] double seconds_per_point(const SweepValues& values) const override {
    return toy_.seconds_per_point(values) + std::chrono::duration<double>(pause).count();
  }
  [[nodiscard]] std::unique_ptr<PreparedSweep> prepare(const SweepValues& values) const override {
    if (broken) return std::make_unique<Broken>();
    if (pause.count() != 0) return std::make_unique<Paused>(toy_.prepare(values), pause);
    return toy_.prepare(values);
  }

 private:
  class Broken final : public PreparedSweep {
    void evaluate(const PointColumns&, EstimateColumns&) const override { throw std::bad_alloc(); }
    [[nodiscard]] Explanation explain(const PointColumns&) const override { return {}; }
  };
  class Paused final : public PreparedSweep {
   public:
    Paused(std::unique_ptr<PreparedSweep> toy, std::chrono::nanoseconds pause) : toy_(std::move(toy)), pause_(pause) {}
    void evaluate(const PointColumns& points, EstimateColumns& out) const override {
      toy_->evaluate(points, out);
      std::this_thread::sleep_for(pause_ * points.count());
    }
    void lower_bounds(MetricIndex metric, const PointColumns& points, std::span<double> bound) const override {
      toy_->lower_bounds(metric, points, bound);
    }
    [[nodiscard]] Explanation explain(const PointColumns& points) const override { return toy_->explain(points); }

   private:
    std::unique_ptr<PreparedSweep> toy_;
    std::chrono::nanoseconds pause_;
  };
  ToyEstimator toy_;
};

int own_rank() {
  const char* text = std::getenv("OMPI_COMM_WORLD_RANK");
  return text == nullptr ? 0 : std::stoi(text);
}

std::uint32_t number(const std::string& text) {
  return static_cast<std::uint32_t>(std::stoul(text));
}

RunOptions run_options(const std::vector<std::string>& words, DisturbedToy& toy) {
  RunOptions options;
  options.sweep = words.at(0);
  options.directory = words.at(1);
  for (std::size_t i = 2; i < words.size(); ++i) {
    const std::string& option = words[i];
    if (option == "--fresh") {
      options.mode = store::OpenMode::fresh;
      continue;
    }
    const std::string& value = words.at(++i);
    if (option == "--threads") options.threads = number(value);
    if (option == "--part") options.part = parse_part(value).value();
    if (option == "--time-limit") options.time_limit = parse_time_limit(value);
    if (option == "--max-failures") options.allowed_failures = std::stoull(value);
    if (option == "--pause") toy.pause = std::chrono::nanoseconds(number(value));
    if (option == "--break") toy.broken = std::stoi(value) == own_rank();
  }
  return options;
}

SlurmOptions slurm_options(const std::vector<std::string>& words) {
  SlurmOptions options;
  options.sweep = words.at(0);
  options.directory = words.at(1);
  for (std::size_t i = 2; i < words.size(); ++i) {
    const std::string& option = words[i];
    if (option == "--submit") {
      options.submission = Submission::submit;
      continue;
    }
    const std::string& value = words.at(++i);
    if (option == "--ranks") options.ranks = number(value);
    if (option == "--array") options.parts = number(value);
    if (option == "--threads") options.threads = number(value);
    if (option == "--time") options.time = parse_job_time(value);
    if (option == "--partition") options.partition = value;
    if (option == "--after") options.after = value;
    if (option == "--then") options.then.push_back(value);
    if (option == "-o") options.output = value;
  }
  return options;
}

ExitStatus run_command(std::vector<std::string> words) {
  const bool is_job = words.at(0) == "slurm";
  if (words[0] == "status") return run_status({.directory = words.at(1)});
  if (is_job || words[0] == "run") words.erase(words.begin());
  std::erase(words, "--out");
  DisturbedToy toy;
  const std::array<const Estimator*, 1> known = {&toy};
  if (is_job) {
    SlurmOptions options = slurm_options(words);
    options.reading.estimators = known;
    return run_slurm(options);
  }
  RunOptions options = run_options(words, toy);
  options.reading.estimators = known;
  return run_sweep(options);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return static_cast<int>(run_command(std::vector<std::string>(argv + 1, argv + argc)));
  } catch (...) {
    const ErrorReport report = report_of(std::current_exception());
    std::fputs(report.text.c_str(), stderr);
    return static_cast<int>(report.status);
  }
}
