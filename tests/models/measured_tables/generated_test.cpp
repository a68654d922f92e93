/// Generated tables: their times by hand, and that they read like measured ones.
#include "models/measured_tables/generated.hpp"

#include <boost/test/unit_test.hpp>

#include "models/measured_tables/coverage.hpp"
#include "models/measured_tables/profiles.hpp"

BOOST_AUTO_TEST_SUITE(generated_test)

using namespace dfsweep;

namespace {

const ServedModel small{.layers = 2,
                        .hidden = 1024,
                        .heads = 16,
                        .head_dim = 64,
                        .key_value_heads = 4,
                        .ffn_hidden = 4096,
                        .up_products = 2,
                        .vocabulary = 32000};

/// 100 TFLOP/s and 1 TB/s; 128 tokens, 8 requests, degrees 1 and 2.
GeneratedLayer small_layer() {
  return {.model = small,
          .rates = {Throughput{100e12}, Bandwidth{1e12}},
          .degrees = {1, 2},
          .most_tokens = 128.0,
          .most_requests = 8.0};
}

constexpr GeneratedNoise none{0.0, 1};

struct Generated {
  explicit Generated(const GeneratedNoise& noise)
      : tables{generated_attention_table(small_layer(), noise), generated_token_table(small_layer(), noise),
               generated_all_reduce_table(network, noise), generated_send_recv_table(network, noise)} {
    tables[0].path = "compute/chip/small/attention.csv";
    tables[1].path = "compute/chip/small/mlp.csv";
    tables[2].path = "network/net/all_reduce.csv";
    tables[3].path = "network/net/send_recv.csv";
    const NamedRates rates[] = {{"chip", {Throughput{100e12}, Bandwidth{1e12}}}};
    reading = read_profiles(tables, "profiles", rates);
  }
  static constexpr GeneratedNetwork network{Bandwidth{100e9}, Seconds{1e-6}, 4, 1048576.0};
  std::vector<Table> tables;
  ProfileReading reading;
};

double time_at(const std::vector<CurveSample>& samples, double x) {
  for (const CurveSample& sample : samples)
    if (sample.x == x) return sample.seconds;
  return -1.0;
}

}  // namespace

BOOST_AUTO_TEST_CASE(without_noise_times_are_those_of_the_formulas) {
  const Generated generated(none);
  const ProfileSet& set = generated.reading.profiles;
  const LayerProfile& layer = *set.find_layer("chip", "small", 1);
  const double rounding = 0.5001e-7;
  // Up: 2 * 128 * 1024 * 8192 FLOP at 70 % of the peak; the launch takes 4 us.
  const auto up = layer.curve(Operator::mlp_up_proj, Statistic::median, EmptyCell::unmeasured);
  BOOST_TEST(std::abs(time_at(up, 128.0) - (4e-6 + 2147483648.0 / 70e12)) < rounding);
  // One token is a tile of 64 all the same: 1.07 GFLOP, 15.3 us, less than the weights of 16.8 MB take at 80 %.
  BOOST_TEST(std::abs(time_at(up, 1.0) - (4e-6 + 2.0 * (1024 + 1024.0 * 8192 + 8192) / 0.8e12)) < rounding);
  // Two devices: two steps of 1 us and half of the bytes, after one launch.
  const auto sum = set.find_network("net", Operator::all_reduce, 2, 2)->curve(Statistic::max);
  BOOST_TEST(std::abs(time_at(sum, 1048576.0) - (4e-6 + 2.0 * (1e-6 + 524288.0 / 100e9))) < rounding);
  const auto far = set.find_network("net", Operator::send_recv, 2, 1)->curve(Statistic::mean);
  BOOST_TEST(std::abs(time_at(far, 1048576.0) - (5e-6 + 1048576.0 / 10e9)) < rounding);
}

BOOST_AUTO_TEST_CASE(tables_read_like_measured_ones) {
  const Generated generated({0.02, 7});
  BOOST_TEST(generated.reading.errors.size() == 0);
  BOOST_TEST(generated.reading.warnings.size() == 0);
  const ProfileSet& set = generated.reading.profiles;
  BOOST_TEST(set.layers.size() == 2);
  for (const Statistic statistic : {Statistic::min, Statistic::mean, Statistic::max})
    BOOST_TEST(!set.layers[0].surface(Operator::attn_decode, statistic, 16.0).empty());
  BOOST_TEST(holes_of(set).empty());
}

BOOST_AUTO_TEST_CASE(noise_scatters_as_much_as_asked_for) {
  const Generated quiet(none);
  const Generated noisy({0.02, 7});
  const auto times = [](const Generated& generated) {
    return generated.reading.profiles.find_layer("chip", "small", 1)
        ->surface(Operator::attn_prefill, Statistic::max, 16.0);
  };
  const auto exact = times(quiet);
  const auto scattered = times(noisy);
  BOOST_REQUIRE(exact.size() == scattered.size());
  double sum = 0.0;
  for (std::size_t i = 0; i < exact.size(); ++i) sum += scattered[i].seconds / exact[i].seconds - 1.0;
  // The largest of five normal numbers is 1.16 standard deviations above the mean on average.
  BOOST_TEST(sum / static_cast<double>(exact.size()) > 0.5 * 0.02);
  BOOST_TEST(sum / static_cast<double>(exact.size()) < 2.0 * 0.02);
}

BOOST_AUTO_TEST_CASE(the_same_seed_gives_the_same_table) {
  const auto numbers = [](std::uint64_t seed) {
    return generated_token_table(small_layer(), {0.01, seed}).columns[0].numbers;
  };
  BOOST_TEST((numbers(3) == numbers(3)));
  BOOST_TEST((numbers(3) != numbers(4)));
}

BOOST_AUTO_TEST_SUITE_END()
