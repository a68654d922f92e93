/// What a folder of tables covers, its noise and its holes, on tables small enough to count by hand.
#include "models/measured_tables/coverage.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/support/profile_text.hpp"

BOOST_AUTO_TEST_SUITE(coverage_test)

using namespace dfsweep;

BOOST_AUTO_TEST_CASE(keys_are_counted_and_repeats_compared) {
  const CurveSample samples[] = {{8.0, 2e-3, {}}, {16.0, 1e-3, {}}, {8.0, 4e-3, {}}, {16.0, 1e-3, {}}, {1.0, 5e-3, {}}};
  const MeasuredKeys keys = coverage_of(std::span(samples));
  BOOST_TEST(keys.samples == 5);
  BOOST_TEST(keys.keys == 3);
  BOOST_TEST(keys.repeated_keys == 2);
  // 8: (4 - 2) / 3; 16: 0.
  BOOST_TEST(keys.repeat_spread == (2.0 / 3.0) / 2.0, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(keys.first.lowest == 1.0);
  BOOST_TEST(keys.first.highest == 16.0);
}

BOOST_AUTO_TEST_CASE(keys_of_surfaces_are_pairs) {
  const SurfaceSample samples[] = {{1.0, 64.0, 1e-3, {}}, {1.0, 128.0, 1e-3, {}}, {2.0, 64.0, 1e-3, {}}};
  const MeasuredKeys keys = coverage_of(std::span(samples));
  BOOST_TEST(keys.keys == 3);
  BOOST_TEST(std::isnan(keys.repeat_spread));
  BOOST_TEST(keys.second.highest == 128.0);
}

BOOST_AUTO_TEST_CASE(times_of_zero_agree) {
  const CurveSample samples[] = {{8.0, 0.0, {}}, {8.0, 0.0, {}}};
  BOOST_TEST(coverage_of(std::span(samples)).repeat_spread == 0.0);
}

BOOST_AUTO_TEST_CASE(operators_without_samples_are_left_out) {
  const std::vector<Table> tables{profile_table("compute/a/m/attention.csv", small_attention_text()),
                                  profile_table("compute/a/m/mlp.csv", small_layer_text())};
  const ProfileReading reading = read_profiles(tables, "profiles");
  const std::vector<OperatorCoverage> all = coverage_of(*reading.profiles.find_layer("a", "m", 1));
  BOOST_TEST(all.size() == 11);  // nine over tokens, prefill and decode; nothing is saved to the cache
  BOOST_TEST(coverage_of(*reading.profiles.find_layer("a", "m", 2)).size() == 9);
}

BOOST_AUTO_TEST_CASE(holes_are_what_does_not_fit_together) {
  const std::string network =
      "time_stats.all_reduce.median,num_workers,size,collective,devices_per_node,max_devices_per_node\n"
      "0.02,2,2048,all_reduce,2,8\n0.02,8,2048,all_reduce,8,8\n0.02,4,2048,all_reduce,2,8\n";
  const std::vector<Table> tables{profile_table("compute/a/m/attention.csv", small_attention_text()),
                                  profile_table("compute/a/m/mlp.csv", small_layer_text()),
                                  profile_table("compute/b/m/mlp.csv", small_layer_text()),
                                  profile_table("compute/c/m/attention.csv", small_attention_text()),
                                  profile_table("network/n/all_reduce.csv", network)};
  const ProfileReading reading = read_profiles(tables, "profiles");
  std::string text;
  for (const Hole& hole : holes_of(reading.profiles)) text += hole.place + ": " + hole.missing + "\n";
  BOOST_TEST(text ==
             "a m: no attention rows at degrees 2\n"
             "b m: no attention table: complete batches cannot be predicted\n"
             "c m: no table of token operators: batches cannot be predicted\n"
             "network n: no table of send_recv\n"
             "network n: no all_reduce in a node at degrees 4\n");
}

BOOST_AUTO_TEST_CASE(wide_steps_between_token_counts_are_holes) {
  std::string text = small_layer_text();
  const std::size_t at = text.find("True,8,1");
  text.replace(at, 8, "True,64,1");
  const std::vector<Table> tables{profile_table("compute/a/m/mlp.csv", text)};
  const ProfileReading reading = read_profiles(tables, "profiles");
  const std::vector<Hole> holes = holes_of(reading.profiles);
  BOOST_REQUIRE(holes.size() == 2);
  BOOST_TEST(holes[1].missing == "no token operators between 64 and 4096 tokens");
}

BOOST_AUTO_TEST_SUITE_END()
