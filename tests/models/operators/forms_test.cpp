/// Closed forms: times by hand, and what must hold for all shapes.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>

#include "models/operators/attention_forms.hpp"
#include "models/operators/exchange_form.hpp"
#include "models/operators/expert_form.hpp"
#include "models/operators/family.hpp"
#include "models/operators/product_form.hpp"
#include "models/statistics/random.hpp"

BOOST_AUTO_TEST_SUITE(forms_test)

using namespace dfsweep;
using namespace dfsweep::operators;

namespace {

const auto near = boost::test_tools::tolerance(1e-12);

/// Whole peak and bandwidth, no half rows: the formula by hand stays short.
const ProductNumbers plain{.share = 1.0,
                           .half_rows = 0.0,
                           .memory_share = 1.0,
                           .launch = 1.0,
                           .walk = 0.25,
                           .split = 2.0,
                           .exposed = 0.0,
                           .cast = 0.5};
/// Longest blocks that all wait for, results that take three times as long to write, and rows that take four numbers
/// more to quantise.
const ProductNumbers slow{.share = 1.0,
                          .half_rows = 0.0,
                          .memory_share = 1.0,
                          .launch = 1.0,
                          .walk = 0.25,
                          .split = 2.0,
                          .exposed = 2.0,
                          .written = 3.0,
                          .cast = 0.5,
                          .cast_row = 4.0};

double product(const ProductShape& shape, double peak, double bandwidth, const ProductNumbers& numbers = plain) {
  return product_time(shape, {Throughput{peak}, Bandwidth{bandwidth}}, numbers).value();
}

/// A random size between 1 and 2^13, a whole power of two or not.
double size_at(const CounterRandom& random, std::uint64_t k) {
  return std::floor(std::exp2(13.0 * random.uniform(k)));
}

Keys random_keys(Family family, const CounterRandom& random, std::uint64_t first) {
  Keys keys{};
  const std::span<const KeyInfo> infos = info_of(family).keys;
  for (std::size_t k = 0; k < infos.size(); ++k) keys[k] = size_at(random, first + k);
  if (family == Family::prompts || family == Family::decoding) keys[3] *= keys[4];  // whole groups of query heads
  if (family == Family::decoding || family == Family::latent_decoding) keys[1] = 1.0;
  if (family >= Family::library_exchanges) keys[0] += 1.0;  // alone nothing is exchanged
  if (family == Family::experts) {
    keys[4] = keys[3] + keys[4];  // more experts than a token visits
    keys[7] = random.uniform(first);
  }
  return keys;
}

TableSetting usual_setting() {
  TableSetting setting;
  setting.rates = {Throughput{1e15}, Bandwidth{3e12}};
  setting.link = Bandwidth{450e9};
  setting.network = Bandwidth{50e9};
  return setting;
}

double time_of(Family family, const Keys& keys, const TableSetting& setting) {
  return form_time(family, keys, setting, start_of(family, setting)).value();
}

/// Keys that are work: more of them never take less time.
bool is_work(Family family, std::string_view key) {
  if (key == "tensor_parallel" || key == "expert_parallel" || key == "experts" || key == "multiprocessors")
    return false;
  // More key heads are smaller groups of query heads, which kernels serve faster.
  if (family == Family::decoding) return key != "tokens" && key != "key_value_heads";
  if (family == Family::latent_decoding) return key != "tokens";
  if (family == Family::prompts) return key != "key_value_heads";
  return true;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_product_is_launch_walk_overlap_and_cast) {
  // m 2, n 3, k 4: 48 FLOP at 8 FLOP/s are 6 s; 2 (8 + 12 + 6) = 52 bytes at 6.5 B/s are 8 s. Walk 0.25 x 4 = 1 s:
  // together the root of 1 + 36 + 64. Cast 0.5 x 2 x 8 / 6.5 s.
  BOOST_TEST(product({2, 3, 4}, 8, 6.5) == 1 + std::sqrt(101.0) + 8 / 6.5, near);
  // Depths of 100 s are split in 32 pieces.
  BOOST_TEST(product({2, 3, 400}, 1e30, 1e30) == 1 + 2 + 100.0 / 32, near);
  // 2 (8 + 12 + 3 x 6) = 76 bytes at 9.5 B/s are 8 s. Cast 0.5 x 2 x 2 (4 + 4) / 9.5 s.
  BOOST_TEST(product({2, 3, 4}, 8, 9.5, slow) == 1 + 1 + 10 + 16 / 9.5, near);
  BOOST_TEST(product_work({2, 3, 4, 1.0, 0.5}).bytes.value() == 8 + 0.5 * 12 + 2 * 6);
}

BOOST_AUTO_TEST_CASE(pairs_are_those_under_the_window) {
  BOOST_TEST(seen_pairs({.tokens = 4}) == 1 + 2 + 3 + 4);
  BOOST_TEST(seen_pairs({.tokens = 4, .context = 10}) == 11 + 12 + 13 + 14);
  BOOST_TEST(seen_pairs({.tokens = 4, .window = 2}) == 1 + 2 + 2 + 2);
  BOOST_TEST(seen_pairs({.tokens = 4, .context = 1, .window = 3}) == 2 + 3 + 3 + 3);
  BOOST_TEST(seen_pairs({.tokens = 4, .context = 9, .window = 3}) == 12);
}

BOOST_AUTO_TEST_CASE(experts_are_visited_by_tokens) {
  ExpertShape shape{.tokens = 1, .experts_per_token = 2, .experts = 8, .expert_parallel = 2};
  BOOST_TEST(balanced_rows(shape) == 1.0);
  BOOST_TEST(visited_experts(shape) == std::sqrt(2.0), near);  // one row and the one that every fullest device has
  shape.tokens = 1e4;
  BOOST_TEST(visited_experts(shape) == 4.0, near);  // all that the device holds
  shape.tokens = 4;
  shape.unevenness = 1;
  BOOST_TEST(visited_experts(shape) == 4.0 * (1.0 - std::pow(0.75, std::sqrt(17.0))), near);
  shape.expert_parallel = 16;  // half an expert for each device: the fullest has one
  BOOST_TEST(visited_experts(shape) == 1.0, near);
}

BOOST_AUTO_TEST_CASE(exchanges_take_the_faster_way) {
  const ExchangeNumbers numbers{
      .launch = 1, .hop = 2, .one_share = 1, .two_share = 1, .first = 0, .own = 0, .filling = 0};
  BOOST_TEST(exchange_time({1, 100, 2}, Bandwidth{1}, numbers).value() == 0.0);
  // Two devices: both ways move 100 bytes, so the time is 100 / 2^(1/4).
  BOOST_TEST(exchange_time({2, 100, 2}, Bandwidth{1}, numbers).value() == 3 + 100 / std::pow(2.0, 0.25), near);
  // Eight: one 700 s, two 175 s.
  const double both = std::pow(std::pow(700.0, -4) + std::pow(175.0, -4), -0.25);
  BOOST_TEST(exchange_time({8, 100, 2}, Bandwidth{1}, numbers).value() == 7 + both, near);
}

BOOST_AUTO_TEST_CASE(large_buffers_change_the_protocol) {
  const ExchangeNumbers numbers{
      .launch = 1, .hop = 2, .one_share = 1e-9, .two_share = 1, .first = 5, .change = 10, .own = 0, .filling = 0};
  // Eight devices: 16 bytes are passed in 28 s, 160 bytes in 280 s; the link carries 20 bytes in the 10 s of a change.
  const double small = 5 / (1 + std::pow(20.0 / 16, 4)) + 14;
  const double large = 5 / (1 + std::pow(20.0 / 160, 4)) + 140;
  BOOST_TEST(exchange_time({8, 16, 2}, Bandwidth{2}, numbers).value() == 7 + small, near);
  BOOST_TEST(exchange_time({8, 160, 2}, Bandwidth{2}, numbers).value() == 7 + large, near);
}

BOOST_AUTO_TEST_CASE(tokens_go_once_to_a_device) {
  BOOST_TEST(sent_copies({.devices = 1}) == 0.0);
  BOOST_TEST(sent_copies({.devices = 2, .experts_per_token = 2}) == 1.0 - 0.25, near);
  BOOST_TEST(sent_copies({.devices = 4, .experts_per_token = 8, .copies = 8}) == 6.0, near);
}

BOOST_AUTO_TEST_CASE(more_work_is_never_faster_and_no_form_jumps) {
  const CounterRandom random(11);
  const TableSetting setting = usual_setting();
  for (std::size_t f = 0; f < family_count; ++f) {
    const Family family = family_at(f);
    for (std::uint64_t point = 0; point < 300; ++point) {
      const Keys keys = random_keys(family, random, 100 * point);
      const double time = time_of(family, keys, setting);
      const std::span<const KeyInfo> infos = info_of(family).keys;
      for (std::size_t k = 0; k < infos.size(); ++k) {
        if (!is_work(family, infos[k].name)) continue;
        Keys more = keys;
        more[k] *= 1.0 + 1e-7;
        const double slightly = time_of(family, more, setting);
        BOOST_TEST_INFO(info_of(family).name << " " << infos[k].name << " " << keys[k]);
        BOOST_TEST((slightly >= time * (1.0 - 1e-14) && slightly <= time * (1.0 + 1e-5)));
        more[k] = keys[k] * 2.0;
        BOOST_TEST_INFO(info_of(family).name << " " << infos[k].name << " " << keys[k]);
        BOOST_TEST(time_of(family, more, setting) >= time * (1.0 - 1e-14));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(faster_devices_are_never_slower) {
  const CounterRandom random(12);
  for (std::size_t f = 0; f < family_count; ++f) {
    const Family family = family_at(f);
    for (std::uint64_t point = 0; point < 300; ++point) {
      const Keys keys = random_keys(family, random, 100 * point);
      const TableSetting setting = usual_setting();
      const double time = time_of(family, keys, setting);
      TableSetting faster = setting;
      faster.rates.peak = 2.0 * setting.rates.peak;
      BOOST_TEST(time_of(family, keys, faster) <= time);
      faster = setting;
      faster.rates.bandwidth = 2.0 * setting.rates.bandwidth;
      BOOST_TEST(time_of(family, keys, faster) <= time);
      faster = setting;
      faster.link = 2.0 * setting.link;
      faster.network = 2.0 * setting.network;
      BOOST_TEST(time_of(family, keys, faster) <= time);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
