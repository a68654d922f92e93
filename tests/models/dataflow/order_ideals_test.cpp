/// The partition search against a shortest path over all order ideals of the graph: every partition that may follow every
/// finished set, each at the cost that defines it, without bounds, symmetry or dominance.
#include <boost/test/unit_test.hpp>
#include <bit>
#include <cmath>
#include <limits>
#include <map>

#include "models/dataflow/partition_search.hpp"
#include "tests/support/mapping_study.hpp"

namespace dfsweep::test {

namespace {

using testing::StudyWorkload;

constexpr KernelSet bit(std::size_t k) {
  return KernelSet{1} << k;
}

/// Pre: every edge leads to a kernel of higher number; any number of partitions.
class AllIdeals {
 public:
  explicit AllIdeals(const PartitionProblem& problem) : problem_(problem), awaits_(problem.kernels.size(), 0) {
    for (const PartitionEdge& edge : problem.edges) awaits_[edge.destination] |= bit(edge.source);
    for (std::size_t k = 0; k < awaits_.size(); ++k)
      if (problem.kernels[k].pass == Pass::forward) forward_ |= bit(k);
    if (problem.mixing == PassMixing::free) return;
    for (std::size_t k = 0; k < awaits_.size(); ++k)
      if ((forward_ & bit(k)) == 0) awaits_[k] |= forward_;
  }

  /// Seconds of the best mapping, infinite where there is none.
  double least() const {
    std::vector<std::map<KernelSet, double>> reached(awaits_.size() + 1);  // by the number of finished kernels
    reached[0][0] = 0.0;
    for (std::size_t size = 0; size < awaits_.size(); ++size)
      for (const auto& step : reached[size])
        grow(step.first, 0, 0, [&](KernelSet inside, const PartitionUse& use) {
          if (use.live > problem_.live_capacity || !std::isfinite(use.time.value())) return;
          const KernelSet done = step.first | inside;
          const double time = step.second + use.time.value();
          const auto [known, is_new] = reached[static_cast<std::size_t>(std::popcount(done))].emplace(done, time);
          if (!is_new) known->second = std::min(known->second, time);
        });
    return reached.back().empty() ? std::numeric_limits<double>::infinity() : reached.back().begin()->second;
  }

 private:
  /// Calls visit(partition, use) for every partition after `done` that holds `inside` and kernels from `from` on, and that
  /// fits. What does not fit is not grown: of two kernels and more none needs less SRAM than a part of it.
  template <class Visit>
  void grow(KernelSet done, KernelSet inside, std::size_t from, const Visit& visit) const {
    for (std::size_t k = from; k < awaits_.size(); ++k) {
      if (((done | inside) & bit(k)) != 0 || (awaits_[k] & ~(done | inside)) != 0) continue;
      const KernelSet grown = inside | bit(k);
      const bool mixed = (grown & forward_) != 0 && (grown & ~forward_) != 0;
      if (mixed && problem_.mixing == PassMixing::separate) continue;
      const PartitionUse use = use_of(problem_, done, grown);
      if (use.sram <= problem_.sram_capacity)
        visit(grown, use);
      else if (inside != 0)
        continue;
      grow(done, grown, k + 1, visit);
    }
  }

  const PartitionProblem& problem_;
  std::vector<KernelSet> awaits_;
  KernelSet forward_ = 0;
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

constexpr StudyWorkload training = StudyWorkload::gpt3_1t_train;
constexpr StudyWorkload prefill = StudyWorkload::gpt3_1t_prefill;
const Cell cells[] = {
    {training, "sn30_2d_torus_ddr_pcie", SramAccounting::code, PassMixing::separate, 0.9, 2048, "as logged"},
    {training, "sn30_3d_torus_hbm_nvlink", SramAccounting::code, PassMixing::one_mixed, 0.9, 2048, "passes meet once"},
    {training, "sn30_dragonfly_ddr_nvlink", SramAccounting::split, PassMixing::separate, 0.9, 2048, "weights in pieces"},
    {training, "h100_dgx_1_ddr_pcie", SramAccounting::split, PassMixing::one_mixed, 0.9, 2048, "most kernels are alone"},
    {training, "h100_2d_torus_hbm_pcie", SramAccounting::split, PassMixing::free, 0.9, 2048, "hardest for the bounds"},
    {training, "tpu_v4_3d_torus_ddr_nvlink", SramAccounting::split, PassMixing::separate, 0.9, 64, "large tiles"},
    {training, "tpu_v4_2d_torus_ddr_pcie", SramAccounting::split, PassMixing::one_mixed, 0.0, 512, "cores are shared out"},
    {prefill, "sn30_dgx_2_hbm_pcie", SramAccounting::split, PassMixing::separate, 0.0, 128, "many small cores"},
    {prefill, "h100_2d_torus_ddr_pcie", SramAccounting::paper, PassMixing::separate, 0.9, 16, "tensors on chip only"},
};

}  // namespace

BOOST_AUTO_TEST_CASE(equals_the_shortest_path_over_all_order_ideals) {
  PartitionSearch search;
  for (const Cell& cell : cells)
    for (const Overlap overlap : {Overlap::perfect, Overlap::none, Overlap::network_exposed})
      for (const testing::NamedSystem& named : testing::paper_systems()) {
        if (named.name != cell.system) continue;
        testing::StudyOptions options;
        options.sram = cell.sram;
        options.overlap = overlap;
        options.compute_utilization = cell.utilization;
        options.setting.mixing = cell.mixing;
        options.setting.num_tile = cell.num_tile;
        const PartitionProblem problem = testing::study_problem(cell.workload, named.system, options);
        const double expected = AllIdeals(problem).least();
        const PartitionSearchResult result = search.solve(problem);
        BOOST_TEST_CONTEXT(named.name << ": " << cell.why << ", overlap " << static_cast<int>(overlap)) {
          BOOST_REQUIRE((result.outcome == SearchOutcome::optimal) == std::isfinite(expected));
          if (std::isfinite(expected)) BOOST_TEST(result.time.value() == expected, boost::test_tools::tolerance(1e-12));
        }
      }
}

}  // namespace dfsweep::test
