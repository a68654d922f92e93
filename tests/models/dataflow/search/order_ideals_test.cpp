/// The partition search against a shortest path over all order ideals of the graph: every partition that may follow
/// every finished set, each at the cost that defines it, without bounds, symmetry or dominance.
///
/// DFSWEEP_LONG_TESTS=1 in the environment adds the whole study: the training and the forward layer on the paper's 80
/// systems under all rules. It says how many problems it compared.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "models/dataflow/search/partition_search.hpp"
#include "tests/support/least_times.hpp"
#include "tests/support/mapping_study.hpp"

namespace dfsweep::test {

BOOST_AUTO_TEST_SUITE(order_ideals_test)

using namespace dataflow;

namespace {

using testing::StudyWorkload;

constexpr StudyWorkload training = StudyWorkload::gpt3_1t_train;
constexpr StudyWorkload prefill = StudyWorkload::gpt3_1t_prefill;
constexpr Overlap overlaps[] = {Overlap::perfect, Overlap::none, Overlap::network_exposed};

/// What comparing came to.
struct Tally {
  int problems = 0;
  int infeasible = 0;
  double worst = 0.0;  ///< relative difference

  void add(const Tally& other) {
    problems += other.problems;
    infeasible += other.infeasible;
    worst = std::max(worst, other.worst);
  }
  void print(const std::string& title) const {
    std::printf("%s: %d problems compared, %d of them without a mapping, greatest relative difference %.1e\n",
                title.c_str(), problems, infeasible, worst);
    std::fflush(stdout);
  }
};

/// The search beside the slow one.
class Comparison {
 public:
  /// `where` names the cell if they differ.
  void compare(const PartitionProblem& problem, double expected, const std::string& where) {
    const PartitionSearchResult result = search_.solve(problem);
    ++tally_.problems;
    BOOST_TEST_CONTEXT(where << ", overlap " << static_cast<int>(problem.overlap) << ", mixing "
                             << static_cast<int>(problem.mixing)) {
      BOOST_TEST_REQUIRE(((result.outcome == SearchOutcome::optimal) == std::isfinite(expected)));
      if (!std::isfinite(expected)) {
        BOOST_TEST(static_cast<bool>(result.outcome == SearchOutcome::infeasible));
        ++tally_.infeasible;
        return;
      }
      BOOST_TEST(is_feasible(problem, result.assignment));
      BOOST_TEST(time_of(problem, result.assignment).value() == result.time.value());
      BOOST_TEST(result.time.value() == expected, boost::test_tools::tolerance(1e-12));
      tally_.worst = std::max(tally_.worst, std::abs(result.time.value() / expected - 1.0));
    }
  }
  /// In all overlap modes, under the phase order of the problem and the stricter ones.
  void compare_all(PartitionProblem problem, testing::LeastTimesOfGraph& slow, const std::string& where) {
    const testing::LeastTimes expected = slow.solve(problem);
    const PassMixing loosest = problem.mixing;
    for (const PassMixing mixing : {PassMixing::separate, PassMixing::one_mixed, PassMixing::free})
      for (const Overlap overlap : overlaps) {
        if (mixing > loosest) continue;
        problem.mixing = mixing;
        problem.overlap = overlap;
        compare(problem, expected[static_cast<std::size_t>(mixing)][static_cast<std::size_t>(overlap)], where);
      }
  }
  [[nodiscard]] const Tally& tally() const { return tally_; }

 private:
  PartitionSearch search_;
  Tally tally_;
};

struct Cell {
  StudyWorkload workload;
  const char* system;
  SramAccounting sram;
  PassMixing mixing;
  double utilization;  ///< 0: cycle model
  double num_tile;
  const char* why;
};

const Cell cells[] = {
    {training, "sn30_2d_torus_ddr_pcie", SramAccounting::code, PassMixing::separate, 0.9, 2048, "as logged"},
    {training, "sn30_3d_torus_hbm_nvlink", SramAccounting::code, PassMixing::one_mixed, 0.9, 2048, "passes meet once"},
    {training, "sn30_dragonfly_ddr_nvlink", SramAccounting::split, PassMixing::separate, 0.9, 2048,
     "weights in pieces"},
    {training, "h100_dgx_1_ddr_pcie", SramAccounting::split, PassMixing::one_mixed, 0.9, 2048,
     "most kernels are alone"},
    {training, "h100_2d_torus_hbm_pcie", SramAccounting::split, PassMixing::free, 0.9, 2048, "hardest for the bounds"},
    {training, "tpu_v4_3d_torus_ddr_nvlink", SramAccounting::split, PassMixing::separate, 0.9, 64, "large tiles"},
    {training, "tpu_v4_2d_torus_ddr_pcie", SramAccounting::split, PassMixing::one_mixed, 0.0, 512,
     "cores are shared out"},
    {prefill, "sn30_dgx_2_hbm_pcie", SramAccounting::split, PassMixing::separate, 0.0, 128, "many small cores"},
    {prefill, "h100_2d_torus_ddr_pcie", SramAccounting::paper, PassMixing::separate, 0.9, 16, "tensors on chip only"},
};

/// A setting in which the whole study is compared.
struct Study {
  const char* convention;
  WeightPlace weights;
  double utilization;  ///< 0: cycle model
  double num_tile;
  double live_share;  ///< DRAM for the tensors between partitions, as a share of all of them; 0: as the systems have it
};
const Study studies[] = {
    {"dfmodel-g1", WeightPlace::dram, 0.9, 2048, 0.0},   {"dfmodel-g1", WeightPlace::dram, 0.9, 64, 0.0},
    {"dfmodel-g1", WeightPlace::dram, 0.9, 1, 0.0},      {"dfmodel-g1", WeightPlace::dram, 0.0, 2048, 0.0},
    {"dfmodel-g1", WeightPlace::dram, 0.0, 64, 0.0},     {"dfmodel-g1", WeightPlace::dram, 0.0, 1, 0.0},
    {"dfmodel-g1", WeightPlace::dram, 0.9, 2048, 0.2},   {"dfmodel-g1", WeightPlace::dram, 0.0, 2048, 0.15},
    {"physical", WeightPlace::dram, 0.9, 2048, 0.0},     {"physical", WeightPlace::dram, 0.0, 2048, 0.0},
    {"physical", WeightPlace::resident, 0.9, 2048, 0.0}, {"physical", WeightPlace::resident, 0.0, 2048, 0.0},
};

std::string title_of(const Study& study, StudyWorkload workload) {
  char text[160];
  std::snprintf(text, sizeof text, "%s layer, %s, %s%s, %g tiles%s", workload == training ? "training" : "forward",
                study.convention, study.utilization == 0.0 ? "cycle model" : "compute utilization given",
                study.weights == WeightPlace::resident ? ", weights resident" : "", study.num_tile,
                study.live_share > 0.0 ? ", little DRAM" : "");
  return text;
}

/// The slow search for a workload, and every rule for SRAM on every system.
Tally compare_study(const Study& study, StudyWorkload workload) {
  Comparison comparison;
  testing::StudyOptions options;
  options.convention = study.convention;
  const Convention& convention = convention_named(study.convention);
  options.sink = workload == training ? convention.training_sink : convention.prefill_sink;
  options.compute_utilization = study.utilization;
  options.setting.weights = study.weights;
  options.setting.num_tile = study.num_tile;
  options.setting.mixing = PassMixing::free;
  const std::vector<testing::NamedSystem> systems = testing::paper_systems();
  testing::LeastTimesOfGraph slow(testing::study_problem(workload, systems[0].system, options));
  for (const testing::NamedSystem& named : systems)
    for (const SramAccounting sram : {SramAccounting::code, SramAccounting::paper, SramAccounting::split}) {
      options.sram = sram;
      PartitionProblem problem = testing::study_problem(workload, named.system, options);
      if (study.live_share > 0.0) {
        problem.live_capacity = {};
        for (const PartitionEdge& edge : problem.edges) problem.live_capacity += study.live_share * edge.traffic;
      }
      comparison.compare_all(problem, slow, named.name + ", sram " + std::to_string(static_cast<int>(sram)));
    }
  return comparison.tally();
}

boost::test_tools::assertion_result long_tests_are_wanted(boost::unit_test::test_unit_id) {
  const char* wanted = std::getenv("DFSWEEP_LONG_TESTS");
  boost::test_tools::assertion_result result(wanted != nullptr && std::string_view(wanted) == "1");
  result.message() << "DFSWEEP_LONG_TESTS is not 1";
  return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(equals_the_shortest_path_over_all_order_ideals) {
  Comparison comparison;
  for (const Cell& cell : cells)
    for (const testing::NamedSystem& named : testing::paper_systems()) {
      if (named.name != cell.system) continue;
      testing::StudyOptions options;
      options.sram = cell.sram;
      options.compute_utilization = cell.utilization;
      options.setting.mixing = cell.mixing;
      options.setting.num_tile = cell.num_tile;
      const PartitionProblem problem = testing::study_problem(cell.workload, named.system, options);
      testing::LeastTimesOfGraph slow(problem);
      comparison.compare_all(problem, slow, named.name + ": " + cell.why);
    }
  comparison.tally().print("chosen cells");
}

BOOST_AUTO_TEST_CASE(equals_it_on_the_whole_study, *boost::unit_test::precondition(long_tests_are_wanted)) {
  Tally all;
  for (const Study& study : studies)
    for (const StudyWorkload workload : {training, prefill}) {
      const Tally tally = compare_study(study, workload);
      tally.print(title_of(study, workload));
      all.add(tally);
    }
  all.print("all");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep::test
