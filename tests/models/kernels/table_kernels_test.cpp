/// Kernels of small operator tables: sizes computed by hand, what is left out, and times by the formulas of training.
#include "models/kernels/table_kernels.hpp"

#include <boost/test/unit_test.hpp>

#include "models/kernels/layer.hpp"
#include "models/machine/tier_collectives.hpp"
#include "tests/support/profile_text.hpp"
#include "tests/support/training_point.hpp"

BOOST_AUTO_TEST_SUITE(table_kernels_test)

using namespace dfsweep;
using namespace dfsweep::training;

namespace {

const char* const wide_layer =
    "num_tokens,num_tensor_parallel_workers,n_embd,n_head,n_kv_head,n_expanded_embd,vocab_size,use_gated_mlp,"
    "time_stats.attn_pre_proj.median,time_stats.attn_post_proj.median,time_stats.mlp_up_proj.median,"
    "time_stats.mlp_down_proj.median,time_stats.mlp_act.median,time_stats.attn_rope.median,"
    "time_stats.input_layernorm.median,time_stats.post_attention_layernorm.median,time_stats.add.median\n"
    "2048,4,1024,16,2,4096,32768,True,1,2,3,4,0.5,0.25,0.125,0.125,0.0625\n"
    "512,4,1024,16,2,4096,32768,True,1,2,3,4,0.5,0.25,0.125,0.125,0.0625\n"
    "4096,4,1024,16,2,4096,32768,True,1,2,3,4,0.5,0.25,0.125,0.125,\n";

const char* const prompts =
    "time_stats.attn_prefill.median,time_stats.attn_decode.median,n_embd,n_q_head,n_kv_head,block_size,"
    "num_tensor_parallel_workers,batch_size,prefill_chunk_size,kv_cache_size\n"
    "1,,1024,16,2,16,4,1,1024,2048\n"  // a chunk of 1024 behind 2048
    "1,,1024,16,2,16,4,1,512,0\n"      // small
    ",1,1024,16,2,16,4,8,0,512\n";     // decodes

struct Read {
  std::vector<Table> tables;
  ProfileReading reading;
  explicit Read(std::vector<Table> given) : tables(std::move(given)), reading(read_profiles(tables, "profiles")) {
    for (const DataProblem& problem : reading.errors) BOOST_TEST_MESSAGE(problem.problem);
  }
  [[nodiscard]] const LayerProfile& layer() const { return reading.profiles.layers.at(0); }
};

const MatrixProduct& product_of(const KernelTable& table) {
  return std::get<MatrixProduct>(table.kernels.at(0).work);
}

}  // namespace

BOOST_AUTO_TEST_CASE(products_have_the_sizes_of_a_layer) {
  const Read read({profile_table("compute/a/m/mlp.csv", wide_layer)});
  const std::vector<KernelTable> tables = product_tables(read.layer());
  BOOST_TEST_REQUIRE(tables.size() == 4);
  // 16 heads of 64 over 4 devices; 2 key-value heads over 4 devices: one on each, as keys and as values.
  BOOST_TEST(product_of(tables[0]).rows == 2048.0);
  BOOST_TEST(product_of(tables[0]).columns == (4.0 + 2.0) * 64.0);
  BOOST_TEST(product_of(tables[0]).depth == 1024.0);
  BOOST_TEST(product_of(tables[1]).columns == 1024.0);
  BOOST_TEST(product_of(tables[1]).depth == 256.0);
  BOOST_TEST(product_of(tables[2]).columns == 2.0 * 1024.0);  // with a gate
  BOOST_TEST(product_of(tables[3]).depth == 1024.0);
  BOOST_TEST(tables[3].kernels.size() == 3);
  BOOST_TEST(tables[3].kernels[0].measured.value() == 4e-3);
  BOOST_TEST(tables[3].group == "m");
}

BOOST_AUTO_TEST_CASE(prompts_count_their_scores) {
  const Read read({profile_table("compute/a/m/attention.csv", prompts)});
  const auto flop_of = [&](ScoreCount count) {
    const std::vector<KernelTable> tables = attention_tables(read.layer(), count);
    BOOST_TEST_REQUIRE(tables.size() == 1);
    BOOST_TEST_REQUIRE(tables[0].kernels.size() == 1);
    return std::get<ScoreWork>(tables[0].kernels[0].work).flop.value();
  };
  BOOST_TEST(flop_of(ScoreCount::causal) == 4.0 * 256 * 1024 * (2048 + 512));
  BOOST_TEST(flop_of(ScoreCount::square) == 4.0 * 256 * 1024 * (2048 + 1024));
  BOOST_TEST(product_tables(read.layer()).empty());  // the table does not say how wide the feed-forward network is
}

BOOST_AUTO_TEST_CASE(vector_work_is_that_of_rows_with_all_operators) {
  const Read read({profile_table("compute/a/m/mlp.csv", wide_layer)});
  const std::vector<KernelTable> tables = vector_tables(read.layer());
  BOOST_TEST_REQUIRE(tables.size() == 1);
  BOOST_TEST_REQUIRE(tables[0].kernels.size() == 1);  // 512 tokens are few; the last row lacks an addition
  BOOST_TEST(tables[0].kernels[0].measured.value() == (0.5 + 0.25 + 0.25 + 2 * 0.0625) * 1e-3,
             boost::test_tools::tolerance(1e-12));
  BOOST_TEST(tokens_per_device(std::get<VectorWork>(tables[0].kernels[0].work).execution) == 2048.0);
}

BOOST_AUTO_TEST_CASE(exchanges_are_all_reduces_of_a_mebibyte_and_more) {
  const Read read({profile_table("network/n/all_reduce.csv", small_network_text())});
  std::vector<KernelTable> all;
  for (const NetworkProfile& network : read.reading.profiles.networks)
    for (KernelTable& table : exchange_tables(network)) all.push_back(std::move(table));
  BOOST_TEST_REQUIRE(all.size() == 1);
  BOOST_TEST(all[0].kernels.size() == 1);
  BOOST_TEST(std::get<AllReduceWork>(all[0].kernels[0].work).group.ranks == 4.0);
}

BOOST_AUTO_TEST_CASE(times_are_those_of_the_formulas_of_training) {
  const auto point = testing::training_point();
  const Network network = point.network;
  const MatrixProduct product{2048, 4096, 1024};
  BOOST_TEST(kernel_time(product, point.accelerator, network, point.software).value() ==
             product_time(product, MatrixFormat::bits16, point.accelerator, point.software.matrix).value());
  const GroupPlace group{4, 4, 4};
  BOOST_TEST(kernel_time(AllReduceWork{Bytes{1e8}, group}, point.accelerator, network, point.software).value() ==
             all_reduce_time(Bytes{1e8}, group, network, point.software.links).value());
  const VectorWork work{point.architecture, point.execution};
  BOOST_TEST(kernel_time(work, point.accelerator, network, point.software).value() ==
             (elementwise_traffic(point.architecture, point.execution, LayerKind::dense, point.software.elementwise) /
              point.accelerator.memory_bandwidth)
                 .value());
}

BOOST_AUTO_TEST_CASE(no_number_belongs_to_two_classes) {
  std::vector<std::string_view> all;
  for (std::size_t kind = 0; kind < kernel_class_names.size(); ++kind)
    for (const std::string_view number : numbers_of(static_cast<KernelClass>(kind))) {
      BOOST_TEST((std::find(all.begin(), all.end(), number) == all.end()), number);
      all.push_back(number);
    }
  BOOST_TEST(all.size() == 11);
}

BOOST_AUTO_TEST_SUITE_END()
