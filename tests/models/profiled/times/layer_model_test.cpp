/// What stands in for missing tables: the nearest layer of several, and all-reduces of another number of devices.
#include "models/profiled/times/layer_model.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "models/profiled/times/network_model.hpp"
#include "tests/support/named_rows.hpp"
#include "tests/support/profile_text.hpp"

BOOST_AUTO_TEST_SUITE(layer_model_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::profiled;

namespace {

LayerProfile profile(const char* device, unsigned degree, double hidden, double heads, double ffn) {
  LayerProfile p;
  p.device = device;
  p.model = "m" + std::to_string(static_cast<int>(hidden));
  p.tensor_parallel = degree;
  p.shape = {.hidden = hidden,
             .heads = heads,
             .key_value_heads = heads,
             .ffn_hidden = ffn,
             .vocabulary = std::numeric_limits<double>::quiet_NaN(),
             .gated_ffn = 1.0};
  p.tokens.rows = {0};
  p.attention.rows = {0};
  p.block_sizes = {16.0};
  return p;
}

const std::vector<LayerProfile> layers{
    profile("a", 1, 4096, 32, 11008), profile("a", 4, 4096, 32, 11008),       profile("a", 1, 8192, 64, 28672),
    profile("b", 2, 4096, 32, 11008), profile("unknown", 2, 4096, 32, 11008),
};

struct NearestCase {
  const char* why;
  const char* device;
  double degree, hidden, heads, ffn;
  Operator op;
  double page;
  int nearest;  ///< index into layers; -1: none
};

const NearestCase nearest_cases[] = {
    {"itself", "a", 4, 4096, 32, 11008, Operator::mlp_up_proj, 16, 1},
    {"degree 8 is nearer to 4 than to 1", "a", 8, 4096, 32, 11008, Operator::mlp_up_proj, 16, 1},
    {"a layer of like width", "a", 1, 7168, 56, 20480, Operator::mlp_up_proj, 16, 2},
    {"another degree rather than another device", "a", 2, 4096, 32, 11008, Operator::mlp_up_proj, 16, 0},
    {"the same on another device rather than one a quarter as wide", "c", 2, 4096, 32, 11008, Operator::add, 16, 3},
    {"attention looks at heads of a device: 32 of 64", "a", 2, 8192, 64, 28672, Operator::attn_decode, 16, 0},
    {"other operators at the width", "a", 2, 8192, 64, 28672, Operator::mlp_up_proj, 16, 2},
    {"no attention with pages of that size", "a", 1, 4096, 32, 11008, Operator::attn_decode, 32, -1},
};

std::string collective_text(const char* workers, const char* time) {
  return "time_stats.all_reduce.median,rank,num_workers,size,collective,devices_per_node,max_devices_per_node\n" +
         std::string(time) + ",0," + workers + ",16384,all_reduce," + workers + ",8\n";
}

}  // namespace

BOOST_DATA_TEST_CASE(the_nearest_layer_stands_in, bdata::make(nearest_cases), c) {
  const LayerSplit wanted{{.layers = 1,
                           .hidden = c.hidden,
                           .heads = c.heads,
                           .head_dim = 128,
                           .key_value_heads = c.heads,
                           .ffn_hidden = c.ffn,
                           .up_products = 2,
                           .vocabulary = 0},
                          c.degree};
  const TableReading reading{.page_tokens = c.page};
  const auto rates_of = [](const std::string& device) {
    return device == "unknown" ? DeviceRates{} : DeviceRates{Throughput{1e14}, Bandwidth{1e12}};
  };
  const LayerProfile* nearest = nearest_layer(layers, c.device, wanted, reading, c.op, rates_of);
  BOOST_TEST((nearest == nullptr ? -1 : static_cast<int>(nearest - layers.data())) == c.nearest);
}

BOOST_AUTO_TEST_CASE(the_shape_of_a_layer_is_that_of_its_table) {
  const ServedModel served{.layers = 2,
                           .hidden = 1024,
                           .heads = 8,
                           .head_dim = 128,
                           .key_value_heads = 8,
                           .ffn_hidden = 4096,
                           .up_products = 1,
                           .vocabulary = 0};
  const LayerSplit split = split_of(layers[2], served);
  BOOST_TEST(split.tensor_parallel == 1.0);
  BOOST_TEST(split.model.hidden == 8192.0);
  BOOST_TEST(split.model.head_dim == 128.0);
  BOOST_TEST(split.model.up_products == 2.0);
}

BOOST_AUTO_TEST_CASE(all_reduces_of_other_numbers_are_scaled_by_their_rings) {
  const ProfileTables tables({profile_table("network/net/all_reduce.csv", collective_text("2", "0.03"))}, "profiles");
  const auto all_reduce = [&](double devices, bool falls_back) {
    const NetworkModel network(tables, {.network = "net",
                                        .hidden = 1024,
                                        .tensor_parallel = devices,
                                        .statistic = Statistic::median,
                                        .method = PredictionMethod::fitted,
                                        .falls_back = falls_back});
    network.prepare();
    return network.all_reduce(8);
  };
  BOOST_TEST(all_reduce(2, false)->time.value() == 0.03e-3, tt::tolerance(1e-12));
  BOOST_TEST((all_reduce(2, true)->coverage == Coverage::measured));
  BOOST_TEST(!all_reduce(8, false).has_value());
  BOOST_TEST(all_reduce(8, true)->time.value() == 0.03e-3 * (7.0 / 8.0) / (1.0 / 2.0), tt::tolerance(1e-12));
  BOOST_TEST((all_reduce(8, true)->coverage == Coverage::analytical));
  BOOST_TEST(!all_reduce(1, true).has_value());  // nothing to sum up
}

BOOST_AUTO_TEST_SUITE_END()
