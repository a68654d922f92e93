/// Sharding and mapping chosen together against a look at all shardings.
#include "models/dataflow/mapping/joint_mapping.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/support/mapping_study.hpp"

namespace dfsweep::test {

BOOST_AUTO_TEST_SUITE(joint_mapping_test)

using namespace dataflow;

namespace {

std::vector<std::vector<ShardDimension>> all_shardings(const Graph& graph) {
  std::vector<std::vector<ShardDimension>> shardings(1);
  for (std::size_t k = 0; k < graph.kernels.size(); ++k) {
    std::vector<std::vector<ShardDimension>> longer;
    for (const std::vector<ShardDimension>& sharding : shardings)
      for (const ShardDimension dimension : sharding_choices(graph, k, SinkSharding::sharded)) {
        longer.push_back(sharding);
        longer.back().push_back(dimension);
      }
    shardings = std::move(longer);
  }
  return shardings;
}

}  // namespace

BOOST_AUTO_TEST_CASE(equals_the_best_of_all_shardings_of_the_forward_layer) {
  const std::vector<std::vector<ShardDimension>> shardings =
      all_shardings(testing::study_graph(testing::StudyWorkload::gpt3_1t_prefill));
  BOOST_TEST(shardings.size() == 2048U);
  int round = 0;
  for (const testing::NamedSystem& named : testing::paper_systems()) {
    if (named.system.topology == "rrr" || ++round % 5 != 0) continue;
    testing::StudyOptions options;
    options.convention = round % 2 == 0 ? "physical" : "dfmodel-g1";
    options.sram = round % 3 == 0 ? SramAccounting::paper : SramAccounting::split;
    options.overlap = static_cast<Overlap>(round / 5 % 3);
    options.setting.num_tile = 2048.0;
    const testing::StudyPoint first(testing::StudyWorkload::gpt3_1t_prefill, named.system, options);
    const JointMapping joint = first.joint();
    BOOST_REQUIRE(joint.mapping.outcome == SearchOutcome::optimal);
    double least = std::numeric_limits<double>::infinity();
    options.sharding = testing::StudyOptions::Sharding::given;
    for (const std::vector<ShardDimension>& sharding : shardings) {
      options.given_sharding = sharding;
      const BestMapping one =
          testing::StudyPoint(testing::StudyWorkload::gpt3_1t_prefill, named.system, options).best();
      if (!one.assignment.empty()) least = std::min(least, one.time.value());
    }
    BOOST_TEST_MESSAGE(named.name << ": " << joint.shardings << " shardings looked at");
    BOOST_TEST(joint.mapping.time.value() == least, boost::test_tools::tolerance(1e-11));
  }
}

BOOST_AUTO_TEST_CASE(training_layers_are_proven_where_network_and_traffic_are_weighed_against_each_other) {
  for (const testing::NamedSystem& named : testing::paper_systems()) {
    if (named.name != "h100_2d_torus_ddr_pcie" && named.name != "sn30_dgx_1_hbm_nvlink") continue;
    for (const Overlap overlap : {Overlap::perfect, Overlap::none, Overlap::network_exposed}) {
      testing::StudyOptions options;
      options.convention = "physical";
      options.sram = SramAccounting::split;
      options.overlap = overlap;
      options.setting.num_tile = 2048.0;
      const testing::StudyPoint point(testing::StudyWorkload::gpt3_1t_train, named.system, options);
      const JointMapping joint = point.joint();
      BOOST_TEST((joint.mapping.outcome == SearchOutcome::optimal));
      BOOST_TEST(joint.mapping.time.value() <= point.best().time.value());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_limit_leaves_a_bound_that_holds) {
  testing::StudyOptions options;
  options.sram = SramAccounting::split;
  options.setting.num_tile = 2048.0;
  const testing::NamedSystem system = testing::paper_systems().front();
  const testing::StudyPoint point(testing::StudyWorkload::gpt3_1t_prefill, system.system, options);
  const double best = point.joint().mapping.time.value();
  const auto check = [best](const JointMapping& limited) {
    BOOST_TEST(limited.mapping.time.value() >= best);
    BOOST_TEST(limited.mapping.time.value() * (1.0 - limited.mapping.gap) <= best * (1.0 + 1e-12));
  };
  for (const std::int64_t shardings : {1, 20, 60}) check(point.joint({.shardings = shardings}));
  for (const std::int64_t nodes : {1, 10, 100, 1000, 10'000}) check(point.joint({.nodes = nodes}));
  // Partitions are counted over all shardings: few of them leave most shardings untried.
  BOOST_TEST(point.joint({.nodes = 100}).shardings < point.joint().shardings);
  BOOST_TEST((point.joint({.nodes = 100}).mapping.outcome == SearchOutcome::limited));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep::test
