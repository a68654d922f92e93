/// The partition problem of a point against the terms that the step is made of.
#include "models/dataflow/mapping/partition_setting.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <random>

#include "models/dataflow/mapping/core_choices.hpp"
#include "models/kernels/core_allocation.hpp"
#include "tests/support/mapping_study.hpp"
#include "tests/support/named_rows.hpp"

namespace bdata = boost::unit_test::data;

namespace dfsweep::test {

BOOST_AUTO_TEST_SUITE(partition_setting_test)

using namespace dataflow;

namespace {

struct Case {
  const char* why;
  testing::StudyWorkload workload;
  const char* convention;
  SramAccounting sram;
  Overlap overlap;
  double utilization;
  double num_tile;
  WeightPlace weights;
};

const Case cases[] = {
    {"training as first logged", testing::StudyWorkload::gpt3_1t_train, "dfmodel-g1", SramAccounting::code,
     Overlap::perfect, 0.9, 2048, WeightPlace::dram},
    {"prefill, no overlap, few tiles", testing::StudyWorkload::gpt3_1t_prefill, "dfmodel-g2", SramAccounting::paper,
     Overlap::none, 0.9, 32, WeightPlace::dram},
    {"latencies and weights read", testing::StudyWorkload::gpt3_1t_train, "physical", SramAccounting::split,
     Overlap::network_exposed, 0.9, 2048, WeightPlace::dram},
    {"weights resident", testing::StudyWorkload::gpt3_1t_train, "physical", SramAccounting::split, Overlap::none, 0.9,
     2048, WeightPlace::resident},
    {"cycle model", testing::StudyWorkload::gpt3_1t_prefill, "dfmodel-g2", SramAccounting::code, Overlap::perfect, 0.0,
     8, WeightPlace::dram},
    {"embedding traffic and exchange", testing::StudyWorkload::dlrm, "dfmodel-g1", SramAccounting::code,
     Overlap::perfect, 0.9, 1, WeightPlace::dram},
};

/// An assignment that follows the edges, to `partitions` partitions or fewer.
Assignment random_assignment(const Graph& graph, std::size_t partitions, std::mt19937_64& random) {
  const std::vector<std::size_t> levels = *topological_levels(graph);
  Assignment assignment(graph.kernels.size());
  for (std::size_t level = 0; level < graph.kernels.size(); ++level)
    for (std::size_t k = 0; k < graph.kernels.size(); ++k) {
      if (levels[k] != level) continue;
      for (const Edge& edge : graph.edges)
        if (edge.destination == k) assignment[k] = std::max(assignment[k], assignment[edge.source]);
      if (random() % 4 == 0) assignment[k] = std::min(partitions - 1, assignment[k] + 1);
    }
  return assignment;
}

}  // namespace

BOOST_DATA_TEST_CASE(time_sram_and_live_tensors_are_those_of_the_terms, bdata::make(cases), c) {
  testing::StudySystem system;
  system.device = testing::study_chip("sn30").device;
  if (c.workload == testing::StudyWorkload::dlrm) system.shape = "32x32";
  testing::StudyOptions options;
  options.convention = c.convention;
  options.sram = c.sram;
  options.overlap = c.overlap;
  options.compute_utilization = c.utilization;
  options.setting.num_tile = c.num_tile;
  options.setting.weights = c.weights;
  const testing::StudyPoint point(c.workload, system, options);
  const PartitionProblem problem = point.problem();
  const PassShares shares = pass_shares(point.convention(), point.batches());
  const NetworkRates rates = network_rates(point.layout(), point.inputs());
  const bool cycle_model = c.utilization == 0.0;
  std::mt19937_64 random{5};
  for (int round = 0; round < 20; ++round) {
    const Assignment assignment = random_assignment(point.workload().graph, 8, random);
    Seconds time;
    double live = 0.0;
    KernelSet done = 0;
    for (const std::vector<std::size_t>& kernels : kernels_of_partitions(assignment)) {
      const PartitionTerms terms = point.model().terms(kernels, c.num_tile, cycle_model ? &system.device : nullptr);
      const Bytes weights = c.weights == WeightPlace::resident ? Bytes{} : terms.weights * shares.each;
      const Seconds compute = cycle_model ? terms.cycles / system.device.frequency
                                          : terms.flop / (c.utilization * system.device.peak_flops);
      const Seconds memory = (terms.activations + weights) / Bandwidth{system.dram_bandwidth};
      time += combined(c.overlap, compute, memory, network_seconds(terms.network, rates, shares));
      KernelSet inside = 0;
      for (const std::size_t k : kernels) inside |= KernelSet{1} << k;
      const PartitionUse use = use_of(problem, done, inside);
      const double sram = (c.weights == WeightPlace::resident ? terms.buffers : terms.sram).value();
      BOOST_TEST(use.sram.value() == sram, boost::test_tools::tolerance(1e-12));
      live = std::max(live, use.live.value());
      done |= inside;
    }
    BOOST_TEST(time_of(problem, assignment).value() == time.value(), boost::test_tools::tolerance(1e-12));
    BOOST_TEST(live == point.mapped(assignment).live.value(), boost::test_tools::tolerance(1e-12));
  }
}

BOOST_AUTO_TEST_CASE(core_choices_share_cores_as_the_cycle_model_does) {
  std::mt19937_64 random{6};
  Device device;
  device.cores = 24;
  device.systolic_width = 4;
  device.systolic_height = 2;
  device.frequency = Frequency{1.0};
  const auto draw = [&random](double most) {
    return 1.0 + std::floor(static_cast<double>(random() % 1000) / 1000.0 * most);
  };
  for (int round = 0; round < 200; ++round) {
    std::vector<Kernel> tiles(1 + random() % 5);
    PartitionProblem problem;
    problem.cores = device.cores;
    for (Kernel& tile : tiles) {
      tile.type = random() % 2 == 0 ? KernelType::matrix : KernelType::elementwise;
      tile.m = draw(60);
      tile.n = draw(30);
      if (tile.type == KernelType::matrix) tile.k = draw(9);
      problem.kernels.push_back({});
      problem.kernels.back().choices = core_choices(tile_blocks(tile, device), 3.0, device);
    }
    const double cycles = partition_cycles(tiles, device);
    const PartitionUse use = use_of(problem, 0, (KernelSet{1} << tiles.size()) - 1);
    BOOST_TEST(use.compute.value() == 3.0 * cycles);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep::test
