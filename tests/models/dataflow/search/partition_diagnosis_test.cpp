/// Diagnoses of infeasible problems: the constraint that excludes all mappings, and the shortfall.
#include <boost/test/unit_test.hpp>

#include "models/dataflow/search/partition_diagnosis.hpp"

namespace dfsweep::test {

BOOST_AUTO_TEST_SUITE(partition_diagnosis_test)

using namespace dataflow;

namespace {

/// a -> b -> c, forward, forward, backward; 10, 20, 30 bytes of SRAM; tensors of 4 and 6 bytes, 1 byte of SRAM at each
/// end, 3 bytes where both ends are inside.
PartitionProblem chain() {
  PartitionProblem problem;
  problem.kernels.resize(3);
  for (std::size_t k = 0; k < 3; ++k) {
    PartitionKernel& kernel = problem.kernels[k];
    kernel.compute = Seconds{1.0};
    kernel.sram = Bytes{10.0 * static_cast<double>(k + 1)};
    kernel.sram_alone = kernel.sram + Bytes{k == 1 ? 2.0 : 1.0};
  }
  problem.kernels[2].pass = Pass::backward;
  problem.edges = {{0, 1, Bytes{4.0}, Bytes{3.0}, Bytes{1.0}}, {1, 2, Bytes{6.0}, Bytes{3.0}, Bytes{1.0}}};
  return problem;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_feasible_problem_lacks_nothing) {
  BOOST_TEST((diagnosis_of(chain()).binding == BindingConstraint::none));
}

BOOST_AUTO_TEST_CASE(a_kernel_that_fits_nowhere_is_named) {
  PartitionProblem problem = chain();
  problem.sram_capacity = Bytes{25.0};
  const Infeasibility found = diagnosis_of(problem);
  BOOST_TEST((found == Infeasibility{BindingConstraint::sram, 25.0, 31.0, 2, true}));
  BOOST_TEST(text_of(found, "FFN") == "FFN alone needs 31 B of SRAM, 6 B more than available");
}

BOOST_AUTO_TEST_CASE(few_partitions_need_more_sram) {
  PartitionProblem problem = chain();
  problem.count_rule = CountRule::at_most;
  problem.count = 2;
  problem.sram_capacity = Bytes{33.0};  // {a, b} takes 10 + 20 + 3 + 1
  const Infeasibility found = diagnosis_of(problem);
  BOOST_TEST((found == Infeasibility{BindingConstraint::sram, 33.0, 34.0, 2, false}));
  BOOST_TEST(text_of(found, "") == "the partitions need 34 B of SRAM, 1 B more than available");
}

BOOST_AUTO_TEST_CASE(tensors_between_partitions_need_dram) {
  PartitionProblem problem = chain();
  problem.live_capacity = Bytes{5.0};  // b -> c crosses, since the passes are apart
  const Infeasibility found = diagnosis_of(problem);
  BOOST_TEST((found == Infeasibility{BindingConstraint::live, 5.0, 6.0, 0, false}));
  BOOST_TEST(text_of(found, "") == "tensors between partitions need 6 B of DRAM, 1 B more than left for them");
}

BOOST_AUTO_TEST_CASE(a_count_that_is_out_of_reach_names_the_nearest) {
  PartitionProblem problem = chain();
  problem.count_rule = CountRule::exactly;
  problem.count = 7;
  const Infeasibility found = diagnosis_of(problem);
  BOOST_TEST((found == Infeasibility{BindingConstraint::count, 7.0, 3.0, 0, false}));
  BOOST_TEST(text_of(found, "") == "7 partitions are requested, the nearest possible number is 3");
}

BOOST_AUTO_TEST_CASE(one_partition_cannot_keep_the_passes_apart) {
  PartitionProblem problem = chain();
  problem.count_rule = CountRule::exactly;
  problem.count = 1;
  BOOST_TEST((diagnosis_of(problem) == Infeasibility{BindingConstraint::count, 1.0, 2.0, 0, false}));
  problem.count_rule = CountRule::any;
  problem.live_capacity = Bytes{0.0};
  problem.sram_capacity = Bytes{66.0};
  BOOST_TEST((diagnosis_of(problem).binding == BindingConstraint::live));
}

BOOST_AUTO_TEST_CASE(both_capacities_can_be_too_small) {
  PartitionProblem problem = chain();
  problem.live_capacity = Bytes{5.0};
  problem.sram_capacity = Bytes{25.0};
  const Infeasibility found = diagnosis_of(problem);
  BOOST_TEST((found == Infeasibility{BindingConstraint::capacities, 25.0, 31.0, 2, true, 5.0, 6.0}));
  BOOST_TEST(text_of(found, "FFN") ==
             "FFN alone needs 31 B of SRAM, 6 B more than available; tensors between partitions need 6 B of DRAM, 1 B "
             "more than left for them");
}

BOOST_AUTO_TEST_CASE(constraints_can_bind_together) {
  PartitionProblem problem = chain();
  problem.live_capacity = Bytes{5.0};
  problem.count_rule = CountRule::exactly;
  problem.count = 7;
  BOOST_TEST((diagnosis_of(problem).binding == BindingConstraint::together));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep::test
