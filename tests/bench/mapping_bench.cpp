/// Bench: processor time of the search for the proven best mapping, on one core, beside the target.
///
///     mapping_bench [forward | training | dlrm | layered | scaling | joint]      without an argument: all
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "models/dataflow/search/partition_search.hpp"
#include "tests/bench/clocks.hpp"
#include "tests/support/mapping_study.hpp"

namespace {

using namespace dfsweep;
using namespace dfsweep::dataflow;
using namespace dfsweep::testing;

constexpr Overlap overlaps[] = {Overlap::perfect, Overlap::none, Overlap::network_exposed};
const char* const overlap_names[] = {"perfect", "none", "network_exposed"};
const char* const mixing_names[] = {"separate", "one_mixed", "free"};
const char* const sram_names[] = {"code", "paper", "split"};

struct Timed {
  PartitionSearchResult result;
  double milliseconds = 0.0;
};

/// The least time of a few repetitions, fewer for long searches: enough repetitions to outlast disturbances by another
/// machine on the same processor.
Timed timed(PartitionSearch& search, const PartitionProblem& problem, std::int64_t nodes) {
  Timed best{{}, 1e300};
  double spent = 0.0;
  for (int repetition = 0; repetition < 10 && spent < 500.0; ++repetition) {
    const double start = 1e3 * processor_seconds();
    best.result = search.solve(problem, {.nodes = nodes});
    const double taken = 1e3 * processor_seconds() - start;
    best.milliseconds = std::min(best.milliseconds, taken);
    spent += taken;
  }
  return best;
}

/// Times of the searches on problems of one kind; prints them beside their targets.
class Family {
 public:
  explicit Family(std::string title) : title_(std::move(title)) {}
  void add(const std::string& name, const Timed& timed) {
    if (times_.empty() || timed.milliseconds > *std::max_element(times_.begin(), times_.end())) worst_ = name;
    times_.push_back(timed.milliseconds);
    gaps_.push_back(timed.result.gap);
    infeasible_ += timed.result.outcome == SearchOutcome::infeasible ? 1 : 0;
    limited_ += timed.result.outcome == SearchOutcome::limited ? 1 : 0;
  }
  /// Targets are in milliseconds; without a target, pass 0.
  void print(double median_target, double most_target) {
    std::sort(times_.begin(), times_.end());
    const double median = times_[times_.size() / 2];
    std::printf("%-42s %5zu problems, %4d infeasible; median %8.4f ms%s, most %9.4f ms%s (%s)", title_.c_str(),
                times_.size(), infeasible_, median, text(median, median_target).c_str(), times_.back(),
                text(times_.back(), most_target).c_str(), worst_.c_str());
    if (limited_ > 0) {
      double sum = 0.0;
      for (const double gap : gaps_) sum += gap;
      std::printf("; %d unproven, gap mean %.4f, most %.4f", limited_, sum / static_cast<double>(gaps_.size()),
                  *std::max_element(gaps_.begin(), gaps_.end()));
    }
    std::printf("\n");
    std::fflush(stdout);
  }

 private:
  static std::string text(double figure, double target) {
    if (target == 0.0) return "";
    char number[32];
    std::snprintf(number, sizeof number, "%g", target);
    return std::string(" [target ") + number + (figure <= target ? "]" : ": MISSED]");
  }

  std::string title_;
  std::vector<double> times_;
  std::vector<double> gaps_;
  std::string worst_;
  int infeasible_ = 0;
  int limited_ = 0;
};

constexpr std::int64_t default_nodes = 20'000'000;

/// All systems of the paper in all overlap modes under one set of rules.
void add_study(StudyWorkload workload, SramAccounting sram, PassMixing mixing, double utilization,
               PartitionSearch& search, std::initializer_list<Family*> families) {
  for (const Overlap overlap : overlaps)
    for (const NamedSystem& named : paper_systems()) {
      StudyOptions options;
      options.sram = sram;
      options.overlap = overlap;
      options.compute_utilization = utilization;
      options.setting.mixing = mixing;
      options.setting.num_tile = workload == StudyWorkload::dlrm ? 1.0 : 2048.0;
      StudySystem system = named.system;
      if (workload == StudyWorkload::dlrm)
        system.shape = system.topology == "rrr" ? "8x8x16" : system.topology[1] == 's' ? "8x128" : "32x32";
      const Timed one = timed(search, study_problem(workload, system, options), default_nodes);
      const std::string name = named.name + " " + sram_names[static_cast<int>(sram)] + " " +
                               mixing_names[static_cast<int>(mixing)] + " " + overlap_names[static_cast<int>(overlap)];
      for (Family* family : families) family->add(name, one);
    }
}

void forward(PartitionSearch& search) {
  Family family("forward layer");
  Family cycles("forward layer, cycle model");
  for (const SramAccounting sram : {SramAccounting::code, SramAccounting::paper, SramAccounting::split}) {
    add_study(StudyWorkload::gpt3_1t_prefill, sram, PassMixing::separate, 0.9, search, {&family});
    add_study(StudyWorkload::gpt3_1t_prefill, sram, PassMixing::separate, 0.0, search, {&cycles});
  }
  family.print(0.0, 0.05);
  cycles.print(0.0, 0.0);
}

void training(PartitionSearch& search) {
  for (const double utilization : {0.9, 0.0}) {
    const std::string title = utilization > 0.0 ? "training layer" : "training layer, cycle model";
    Family all(title + ", all rules");
    Family ordered(title + ", passes in order");
    Family free(title + ", free");
    Family split(title + ", split");
    for (const SramAccounting sram : {SramAccounting::code, SramAccounting::paper, SramAccounting::split})
      for (const PassMixing mixing : {PassMixing::separate, PassMixing::one_mixed, PassMixing::free}) {
        const bool is_split = sram == SramAccounting::split;
        Family& family = is_split ? split : mixing == PassMixing::free ? free : ordered;
        add_study(StudyWorkload::gpt3_1t_train, sram, mixing, utilization, search, {&family, &all});
      }
    const bool aimed_at = utilization > 0.0;
    all.print(aimed_at ? 0.1 : 0.0, 0.0);
    ordered.print(0.0, aimed_at ? 2.0 : 0.0);
    free.print(0.0, aimed_at ? 5.0 : 0.0);
    split.print(0.0, aimed_at ? 25.0 : 0.0);
  }
}

void dlrm(PartitionSearch& search) {
  for (const double utilization : {0.9, 0.0})
    for (const PassMixing mixing : {PassMixing::separate, PassMixing::one_mixed, PassMixing::free}) {
      Family family(std::string("DLRM ") + mixing_names[static_cast<int>(mixing)] +
                    (utilization > 0.0 ? "" : ", cycle model"));
      for (const SramAccounting sram : {SramAccounting::code, SramAccounting::paper, SramAccounting::split})
        add_study(StudyWorkload::dlrm, sram, mixing, utilization, search, {&family});
      family.print(0.0, 50.0);
    }
}

void layered(PartitionSearch& search) {
  for (const std::size_t width : std::initializer_list<std::size_t>{2, 3, 4, 5, 6, 8}) {
    Family family("layered, 64 kernels, width " + std::to_string(width));
    const bool is_wide = width > 4;
    for (const Overlap overlap : overlaps)
      for (const double fraction : {0.05, 0.1, 0.2, 0.3, 0.5, 0.8})
        for (const double bandwidth : is_wide ? std::vector<double>{1.0} : std::vector<double>{0.5, 1.0, 2.0, 4.0})
          for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            char name[80];
            std::snprintf(name, sizeof name, "%s, fraction %g, bandwidth %g, seed %llu",
                          overlap_names[static_cast<int>(overlap)], fraction, bandwidth,
                          static_cast<unsigned long long>(seed));
            family.add(name,
                       timed(search, layered_problem(64, width, fraction, bandwidth, overlap, seed), default_nodes));
          }
    family.print(0.0, width == 3 ? 100.0 : width == 4 ? 1000.0 : 0.0);
  }
}

/// How time grows with kernels and width, as the table that mapping_plot.py draws.
void scaling(PartitionSearch& search) {
  std::printf("kernels width median_ms max_ms unproven worst_gap\n");
  for (std::size_t width = 1; width <= 6; ++width)
    for (std::size_t kernels = 8; kernels <= 64; kernels += 8) {
      std::vector<double> times;
      int limited = 0;
      double gap = 0.0;
      for (const Overlap overlap : overlaps)
        for (const double fraction : {0.1, 0.3})
          for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            const Timed one =
                timed(search, layered_problem(kernels, width, fraction, 1.0, overlap, seed), default_nodes);
            times.push_back(one.milliseconds);
            limited += one.result.outcome == SearchOutcome::limited ? 1 : 0;
            gap = std::max(gap, one.result.gap);
          }
      std::sort(times.begin(), times.end());
      std::printf("%zu %zu %.5f %.5f %d %.4f\n", kernels, width, times[times.size() / 2], times.back(), limited, gap);
      std::fflush(stdout);
    }
}

/// How much better mappings are when sharding and partitions are chosen together and not one after the other, and the
/// time that this takes.
void joint(StudyWorkload workload, const char* name, const char* convention) {
  for (const Overlap overlap : overlaps) {
    double over_bytes = 0.0;
    double over_time = 0.0;
    double worst_gap = 0.0;
    int unproven = 0;
    int better = 0;
    std::vector<double> times;
    for (const NamedSystem& named : paper_systems()) {
      if (named.system.topology == "rrr") continue;  // same as the 2D torus without data parallelism
      StudyOptions options;
      options.convention = convention;
      options.sram = SramAccounting::split;
      options.overlap = overlap;
      options.setting.num_tile = 2048.0;
      const double bytes_first = StudyPoint(workload, named.system, options).best().time.value();
      options.sharding = StudyOptions::Sharding::least_time;
      const StudyPoint point(workload, named.system, options);
      const double time_first = point.best().time.value();
      const double start = 1e3 * processor_seconds();
      const JointMapping found = point.joint();
      times.push_back(1e3 * processor_seconds() - start);
      const double least = found.mapping.time.value();
      better += least < std::min(bytes_first, time_first) * (1.0 - 1e-9) ? 1 : 0;
      over_bytes = std::max(over_bytes, bytes_first / least - 1.0);
      over_time = std::max(over_time, time_first / least - 1.0);
      worst_gap = std::max(worst_gap, found.mapping.gap);
      unproven += found.mapping.outcome == SearchOutcome::limited ? 1 : 0;
    }
    std::sort(times.begin(), times.end());
    std::printf(
        "joint, %s, %s, %s: better on %d of %zu; at most %.1f %% over least bytes, %.1f %% over least time; median "
        "%.2f ms, most %.2f ms; %d unproven, gap at most %.1e\n",
        name, convention, overlap_names[static_cast<int>(overlap)], better, times.size(), 100.0 * over_bytes,
        100.0 * over_time, times[times.size() / 2], times.back(), unproven, worst_gap);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  PartitionSearch search;
  const std::string which = argc > 1 ? argv[1] : "";
  const auto asked = [&which](const char* name) { return which.empty() || which == name; };
  if (asked("forward")) forward(search);
  if (asked("training")) training(search);
  if (asked("dlrm")) dlrm(search);
  if (asked("layered")) layered(search);
  if (asked("scaling")) scaling(search);
  if (asked("joint"))
    for (const char* convention : {"dfmodel-g1", "physical"}) {
      joint(StudyWorkload::gpt3_1t_prefill, "forward layer", convention);
      joint(StudyWorkload::gpt3_1t_train, "training layer", convention);
    }
  return 0;
}
