/// Sharding: the published optimum of a GPT layer, the layout table, and the exact choice against brute force.
#include "models/dataflow/parallelism/sharding.hpp"

#include <boost/test/unit_test.hpp>
#include <random>

#include "models/dataflow/workload/transformer.hpp"

BOOST_AUTO_TEST_SUITE(sharding_test)

namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::dataflow;
using enum ShardDimension;

namespace {

Graph gpt_layer() {
  return transformer_training({.hidden = 25600,
                               .heads = 160,
                               .head_dim = 160,
                               .key_value_heads = 160,
                               .ffn_hidden = 102400,
                               .feed_forward = FeedForward::plain,
                               .sequence_length = 2048});
}

/// The first of the cheapest shardings in the order of preference, by trying all.
std::vector<ShardDimension> cheapest_of_all(const Graph& graph, double chips, const ShardingPrices& prices,
                                            SinkSharding sink) {
  std::vector<std::vector<ShardDimension>> choices;
  for (std::size_t k = 0; k < graph.kernels.size(); ++k) choices.push_back(sharding_choices(graph, k, sink));
  std::vector<std::size_t> at(choices.size(), 0);
  std::vector<ShardDimension> best;
  double least = 0.0;
  for (bool more = true; more;) {
    std::vector<ShardDimension> sharding;
    for (std::size_t k = 0; k < at.size(); ++k) sharding.push_back(choices[k][at[k]]);
    const double price = sharding_price(graph, sharding, chips, 2.0, prices);
    if (best.empty() || price < least) {
      best = sharding;
      least = price;
    }
    more = false;
    for (std::size_t k = at.size(); k-- > 0 && !more;) {
      more = ++at[k] < choices[k].size();
      if (!more) at[k] = 0;
    }
  }
  return best;
}

Graph random_graph(std::mt19937& random, std::size_t kernels) {
  const auto below = [&random](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
  const double sizes[] = {1, 4, 8, 12};
  Graph graph;
  for (std::size_t k = 0; k < kernels; ++k) {
    Kernel kernel{.name = "k" + std::to_string(k), .m = sizes[below(4)], .n = sizes[below(4)]};
    if (below(3) > 0) {
      kernel.type = KernelType::matrix;
      kernel.k = sizes[below(4)];
      if (below(2) == 0)
        kernel.weight_words = kernel.m * kernel.k;
      else if (below(3) == 0)
        kernel.gradient_words = kernel.m * kernel.n;
    }
    if (below(5) == 0) kernel.outer = 4;
    if (below(3) == 0) kernel.tiling = Tiling::n;
    for (std::size_t source = 0; source < k; ++source)
      if (below(3) == 0) graph.edges.push_back({source, k});
    graph.kernels.push_back(kernel);
  }
  return graph;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_gpt_layer_needs_four_all_reduces) {
  const Graph graph = gpt_layer();
  const auto sharding = best_sharding(graph, 8, 2.0, {}, SinkSharding::sharded);
  BOOST_REQUIRE(sharding.has_value());
  const std::vector<ShardDimension> expected{none,  none, outer, outer, outer, outer, outer, outer, outer,
                                             k,     none, none,  none,  m,     m,     k,     none,  m,  // forward
                                             none,  none, m,     m,     k,     none,  none,  m,     outer,
                                             outer, k,    outer, outer, outer, outer, outer, outer,  // backward
                                             m,     m,    m,     m,     m,     m};                   // updates
  for (std::size_t i = 0; i < expected.size(); ++i)
    BOOST_TEST_CONTEXT(graph.kernels[i].name) BOOST_TEST(((*sharding)[i] == expected[i]));
  BOOST_TEST(sharding_price(graph, *sharding, 8, 2.0, {}) == 4 * 25600.0 * 2048 * 2);
}

BOOST_AUTO_TEST_CASE(sinks_are_replicated_where_that_is_wanted) {
  const auto sharding = best_sharding(gpt_layer(), 8, 2.0, {}, SinkSharding::replicated);
  BOOST_TEST(((*sharding)[17] == none));
}

BOOST_AUTO_TEST_CASE(exact_choice_equals_brute_force) {
  std::mt19937 random(7);
  ShardingPrices times{.counted = ShardingPrices::Counted::shard_of_source, .of = {}};
  times.of[Collective::all_reduce] = {1.75, 16};
  times.of[Collective::all_gather] = {0.875, 8};
  times.of[Collective::all_to_all] = {0.5, 4};
  for (int trial = 0; trial < 150; ++trial) {
    const Graph graph = random_graph(random, 2 + static_cast<std::size_t>(trial % 5));
    for (const ShardingPrices& prices : {ShardingPrices{}, times})
      for (const SinkSharding sink : {SinkSharding::sharded, SinkSharding::replicated}) {
        const auto chosen = best_sharding(graph, 4, 2.0, prices, sink);
        BOOST_REQUIRE(chosen.has_value());
        BOOST_TEST((*chosen == cheapest_of_all(graph, 4, prices, sink)));
      }
  }
}

BOOST_AUTO_TEST_CASE(a_graph_that_is_too_entangled_is_refused) {
  Graph graph;  // 24 kernels with 3 choices each, all feeding one
  for (std::size_t i = 0; i < 24; ++i) {
    graph.kernels.push_back({.name = "k" + std::to_string(i), .type = KernelType::matrix, .m = 4, .k = 4, .n = 4});
    if (i > 0) graph.edges.push_back({i - 1, i});
  }
  for (std::size_t i = 0; i + 1 < 23; ++i) graph.edges.push_back({i, 23});
  BOOST_TEST(!best_sharding(graph, 4, 2.0, {}, SinkSharding::sharded).has_value());
}

BOOST_AUTO_TEST_CASE(layouts_wanted_by_consumers) {
  const Kernel tensor{.name = "source", .m = 8, .n = 16};
  const Kernel weighted{.name = "w", .type = KernelType::matrix, .m = 4, .k = 8, .n = 16, .weight_words = 32};
  const Kernel second{.name = "s", .type = KernelType::matrix, .m = 8, .k = 16, .n = 4};  // source is its (m x k)
  const Kernel update{.name = "u", .type = KernelType::matrix, .m = 8, .k = 16, .n = 8, .gradient_words = 64};
  const Kernel simple{.name = "e", .m = 8, .n = 16};
  using enum TensorLayout;
  struct {
    const Kernel& consumer;
    TensorLayout outer_, m_, k_, n_, none_;
  } rows[] = {{weighted, split_rows, replicated, split_rows, split_columns, replicated},
              {second, split_rows, split_rows, split_columns, replicated, replicated},
              {update, split_rows, split_rows, split_columns, split_rows, replicated},
              {simple, split_rows, split_rows, replicated, split_columns, replicated}};
  for (const auto& row : rows) {
    BOOST_TEST((wanted_layout(tensor, row.consumer, outer) == row.outer_));
    BOOST_TEST((wanted_layout(tensor, row.consumer, m) == row.m_));
    BOOST_TEST((wanted_layout(tensor, row.consumer, k) == row.k_));
    BOOST_TEST((wanted_layout(tensor, row.consumer, n) == row.n_));
    BOOST_TEST((wanted_layout(tensor, row.consumer, none) == row.none_));
  }
}

BOOST_AUTO_TEST_CASE(conversions) {
  using enum TensorLayout;
  for (const TensorLayout to : {split_rows, split_columns, replicated})
    BOOST_TEST((conversion_between(replicated, to) == Conversion::none));
  BOOST_TEST((conversion_between(split_rows, split_rows) == Conversion::none));
  BOOST_TEST((conversion_between(split_rows, replicated) == Conversion::all_gather));
  BOOST_TEST((conversion_between(split_columns, replicated) == Conversion::all_gather));
  BOOST_TEST((conversion_between(split_rows, split_columns) == Conversion::all_to_all));
  BOOST_TEST((conversion_between(split_columns, split_rows) == Conversion::all_to_all));
}

BOOST_AUTO_TEST_CASE(shards_are_rounded_up) {
  const Kernel whole{.name = "w", .type = KernelType::matrix, .m = 10, .k = 6, .n = 7, .weight_words = 60};
  BOOST_TEST(shard_of(whole, m, 4).m == 3.0);
  BOOST_TEST(shard_of(whole, m, 4).weight_words == 18.0);
  BOOST_TEST(shard_of(whole, k, 4).k == 2.0);
  BOOST_TEST(shard_of(whole, k, 4).weight_words == 20.0, tt::tolerance(1e-15));
  BOOST_TEST(shard_of(whole, n, 4).n == 2.0);
  BOOST_TEST(shard_of(whole, n, 4).weight_words == 60.0);
  BOOST_TEST(flop_of(shard_of(whole, none, 4)) == flop_of(whole));
}

BOOST_AUTO_TEST_SUITE_END()
