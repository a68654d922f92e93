/// Bench: time to the proven best mapping, search only, on one core.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "models/dataflow/partition_search.hpp"
#include "tests/support/mapping_study.hpp"

namespace {

using namespace dfsweep;
using namespace dfsweep::testing;

const char* const overlap_names[] = {"perfect", "none", "network_exposed"};
const char* const mixing_names[] = {"separate", "one_mixed", "free"};
const char* const sram_names[] = {"code", "paper", "split"};

struct Timed {
  PartitionSearchResult result;
  double milliseconds = 0.0;
};

/// Least of a few repetitions, fewer for long ones.
Timed timed(PartitionSearch& search, const PartitionProblem& problem, std::int64_t node_limit) {
  Timed best{{}, 1e300};
  double spent = 0.0;
  for (int repetition = 0; repetition < 5 && spent < 200.0; ++repetition) {
    const auto start = std::chrono::steady_clock::now();
    best.result = search.solve(problem, {node_limit});
    const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    best.milliseconds = std::min(best.milliseconds, ms);
    spent += ms;
  }
  return best;
}

class Family {
 public:
  void add(const std::string& name, const Timed& timed) {
    times_.push_back(timed.milliseconds);
    const SearchOutcome outcome = timed.result.outcome;
    if (outcome == SearchOutcome::infeasible) ++infeasible_;
    if (outcome == SearchOutcome::limited || outcome == SearchOutcome::unresolved) ++limited_;
    if (timed.milliseconds >= *std::max_element(times_.begin(), times_.end())) {
      worst_ = name;
      nodes_ = timed.result.nodes;
      states_ = timed.result.states;
    }
  }
  void print(const std::string& title) {
    std::sort(times_.begin(), times_.end());
    std::printf(
        "%-44s n=%4zu infeasible %3d limited %3d  median %9.4f ms  max %9.4f ms  (%s: %lld nodes, %lld states)\n",
        title.c_str(), times_.size(), infeasible_, limited_, times_[times_.size() / 2], times_.back(), worst_.c_str(),
        static_cast<long long>(nodes_), static_cast<long long>(states_));
    std::fflush(stdout);
  }

 private:
  std::vector<double> times_;
  int infeasible_ = 0;
  int limited_ = 0;
  std::string worst_;
  std::int64_t nodes_ = 0;
  std::int64_t states_ = 0;
};

constexpr std::int64_t node_limit = 20'000'000;

void study(StudyWorkload workload, const char* name, PartitionSearch& search) {
  for (const SramAccounting sram : {SramAccounting::code, SramAccounting::paper, SramAccounting::split})
    for (const PassMixing mixing : {PassMixing::separate, PassMixing::one_mixed, PassMixing::free})
      for (const Overlap overlap : {Overlap::perfect, Overlap::none, Overlap::network_exposed}) {
        Family family;
        for (const NamedSystem& named : paper_systems()) {
          StudyOptions options;
          options.sram = sram;
          options.overlap = overlap;
          options.setting.mixing = mixing;
          options.setting.num_tile = workload == StudyWorkload::dlrm ? 1.0 : 2048.0;
          StudySystem system = named.system;
          if (workload == StudyWorkload::dlrm)
            system.shape = system.topology == "rrr" ? "8x8x16" : system.topology[1] == 's' ? "8x128" : "32x32";
          family.add(named.name, timed(search, study_problem(workload, system, options), node_limit));
        }
        family.print(std::string(name) + " " + sram_names[static_cast<int>(sram)] + " " +
                     mixing_names[static_cast<int>(mixing)] + " " + overlap_names[static_cast<int>(overlap)]);
      }
}

void layered(std::size_t width, std::uint64_t seeds, PartitionSearch& search) {
  for (const Overlap overlap : {Overlap::perfect, Overlap::none, Overlap::network_exposed}) {
    Family family;
    for (const double fraction : {0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.8})
      for (const double bandwidth : {0.5, 1.0, 2.0, 4.0})
        for (std::uint64_t seed = 1; seed <= seeds; ++seed)
          family.add("fraction " + std::to_string(fraction) + " bandwidth " + std::to_string(bandwidth) + " seed " +
                         std::to_string(seed),
                     timed(search, layered_problem(64, width, fraction, bandwidth, overlap, seed), node_limit));
    family.print("layered 64 kernels, width " + std::to_string(width) + " " + overlap_names[static_cast<int>(overlap)]);
  }
}

/// How time grows with kernels and width; beyond width 4 with a node limit and the gap that it leaves.
void scaling(PartitionSearch& search) {
  std::printf("%-8s %-8s %10s %10s %8s %10s\n", "kernels", "width", "median ms", "max ms", "limited", "worst gap");
  for (const std::size_t width : std::initializer_list<std::size_t>{1, 2, 3, 4, 6, 8})
    for (std::size_t kernels = 8; kernels <= 64; kernels += 8) {
      std::vector<double> times;
      int limited = 0;
      double gap = 0.0;
      for (const Overlap overlap : {Overlap::perfect, Overlap::none, Overlap::network_exposed})
        for (const double fraction : {0.1, 0.3})
          for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            const Timed one = timed(search, layered_problem(kernels, width, fraction, 1.0, overlap, seed), 1'000'000);
            times.push_back(one.milliseconds);
            limited += one.result.outcome == SearchOutcome::limited ? 1 : 0;
            gap = std::max(gap, one.result.gap);
          }
      std::sort(times.begin(), times.end());
      std::printf("%-8zu %-8zu %10.4f %10.4f %8d %10.2e\n", kernels, width, times[times.size() / 2], times.back(),
                  limited, gap);
      std::fflush(stdout);
    }
}

/// What choosing sharding and partitions together gains over one after the other, and what it takes.
void joint(StudyWorkload workload, const char* name, const char* convention) {
  for (const Overlap overlap : {Overlap::perfect, Overlap::none, Overlap::network_exposed}) {
    double over_bytes = 0.0;
    double over_time = 0.0;
    double worst_gap = 0.0;
    int unproven = 0;
    std::string where;
    std::vector<double> times;
    int better = 0;
    for (const NamedSystem& named : paper_systems()) {
      if (named.system.topology == "rrr") continue;  // as the 2D torus without data parallelism
      StudyOptions options;
      options.convention = convention;
      options.sram = SramAccounting::split;
      options.overlap = overlap;
      options.setting.num_tile = 2048.0;
      const double bytes_first = StudyPoint(workload, named.system, options).best().time.value();
      options.sharding = StudyOptions::Sharding::least_time;
      const StudyPoint point(workload, named.system, options);
      const double time_first = point.best().time.value();
      const auto start = std::chrono::steady_clock::now();
      const JointMapping found = point.joint();
      times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
      const double least = found.mapping.time.value();
      better += least < std::min(bytes_first, time_first) * (1.0 - 1e-9) ? 1 : 0;
      if (bytes_first / least - 1.0 > over_bytes) where = named.name;
      over_bytes = std::max(over_bytes, bytes_first / least - 1.0);
      over_time = std::max(over_time, time_first / least - 1.0);
      worst_gap = std::max(worst_gap, found.mapping.gap);
      unproven += found.mapping.outcome == SearchOutcome::limited ? 1 : 0;
    }
    std::sort(times.begin(), times.end());
    std::printf(
        "%-14s %-10s %-16s better on %d of %zu; at most %5.1f %% over least bytes (%s), %5.1f %% over least time; "
        "median %.2f ms, max %.2f ms, %d unproven, gap %.1e\n",
        name, convention, overlap_names[static_cast<int>(overlap)], better, times.size(), 100.0 * over_bytes,
        where.c_str(), 100.0 * over_time, times[times.size() / 2], times.back(), unproven, worst_gap);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  PartitionSearch search;
  const std::string which = argc > 1 ? argv[1] : "";
  if (which.empty() || which == "forward") study(StudyWorkload::gpt3_1t_prefill, "forward layer", search);
  if (which.empty() || which == "train") study(StudyWorkload::gpt3_1t_train, "training layer", search);
  if (which.empty() || which == "dlrm") study(StudyWorkload::dlrm, "DLRM", search);
  if (which.empty() || which == "layered")
    for (const std::size_t width : std::initializer_list<std::size_t>{2, 3, 4}) layered(width, 3, search);
  if (which.empty() || which == "scaling") scaling(search);
  if (which.empty() || which == "joint")
    for (const char* convention : {"dfmodel-g1", "physical"}) {
      joint(StudyWorkload::gpt3_1t_prefill, "forward layer", convention);
      joint(StudyWorkload::gpt3_1t_train, "training layer", convention);
    }
  return 0;
}
