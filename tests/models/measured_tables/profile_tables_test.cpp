/// ProfileTables: what sweeps of the same tables share is made once, and is what read_profiles and the tables alone
/// give.
#include "models/measured_tables/profile_tables.hpp"

#include <boost/test/unit_test.hpp>

#include "models/measured_tables/predictors/make_curve.hpp"
#include "tests/support/profile_text.hpp"

BOOST_AUTO_TEST_SUITE(profile_tables_test)

using namespace dfsweep;

namespace {

constexpr const char* layer_path = "x/compute/a100/lab/small/mlp.csv";
constexpr const char* other_path = "x/compute/h100/lab/small/mlp.csv";

std::vector<Table> small_tables() {
  return {profile_table("x/compute/a100/lab/small/attention.csv", small_attention_text()),
          profile_table(layer_path, small_layer_text()),
          profile_table(other_path, small_layer_text()),
          profile_table("x/network/net/all_reduce.csv", small_network_text()),
          profile_table("x/cpu_overhead/a100/cpu_overheads.csv", small_processor_text()),
          profile_table("elsewhere.csv", "n\n1\n")};
}

bool is_any(const std::string&) {
  return true;
}

}  // namespace

BOOST_AUTO_TEST_CASE(predictors_are_made_once_for_a_reading) {
  const ProfileTables tables(small_tables(), "profiles");
  BOOST_TEST(tables.fits() == 0U);  // nothing is fitted before a sweep needs it
  const LayerProfile& layer = *tables.profiles().find_layer("a100", "lab/small", 1);
  const TableReading median;
  const LayerPredictors& first = tables.predictors_of(layer, median);
  BOOST_TEST(&tables.predictors_of(layer, median) == &first);
  BOOST_TEST(tables.fits() == 1U);
  TableReading mean;
  mean.statistic = Statistic::mean;
  BOOST_TEST(&tables.predictors_of(layer, mean) != &first);
  TableReading forest;
  forest.method = PredictionMethod::forest;
  BOOST_TEST(&tables.predictors_of(layer, forest) != &first);
  const LayerProfile& degree_2 = *tables.profiles().find_layer("a100", "lab/small", 2);
  BOOST_TEST(&tables.predictors_of(degree_2, median) != &first);
  BOOST_TEST(tables.fits() == 4U);
  // No table has pages of 32 or of 64 tokens: both read the same rows, none.
  TableReading pages;
  pages.page_tokens = 32.0;
  const LayerPredictors& unmeasured = tables.predictors_of(layer, pages);
  pages.page_tokens = 64.0;
  BOOST_TEST(&tables.predictors_of(layer, pages) == &unmeasured);
  BOOST_TEST(&unmeasured != &first);
  unmeasured.prepare();
  BOOST_TEST(unmeasured.decode() == nullptr);
}

BOOST_AUTO_TEST_CASE(curves_are_made_once_and_are_those_of_the_samples) {
  const ProfileTables tables(small_tables(), "profiles");
  const NetworkProfile& network = *tables.profiles().find_network("net", Operator::all_reduce, 2, 2);
  const auto of_hidden = [&](double hidden) {
    return tables.collective_curve(network, Statistic::median, PredictionMethod::fitted, hidden);
  };
  const auto curve = of_hidden(1024.0);
  BOOST_TEST_REQUIRE(curve != nullptr);
  BOOST_TEST(of_hidden(1024.0).get() == curve.get());
  BOOST_TEST(of_hidden(512.0).get() != curve.get());  // other bytes for each token
  BOOST_TEST(tables.fits() == 2U);
  std::vector<CurvePoint> points;  // two bytes a number
  for (const CurveSample& sample : network.curve(Statistic::median))
    points.push_back({sample.x / 2048.0, sample.seconds});
  const Curve alone = make_curve(points, PredictionMethod::fitted);
  for (const std::uint32_t tokens : {0U, 1U, 2U, 7U, 5000U})
    BOOST_TEST(curve->predict(tokens).time.value() == alone.predict(tokens).time.value());
  const LayerProfile& layer = *tables.profiles().find_layer("a100", "lab/small", 1);
  const auto of_head = [&] {
    return tables.head_curve(layer, Operator::lm_head, Statistic::median, PredictionMethod::fitted);
  };
  BOOST_TEST(of_head().get() == of_head().get());
  const ProcessorProfile& processor = tables.profiles().processors.front();
  const auto of_processor = [&](Operator op) {
    return tables.processor_curve(processor, op, Statistic::median, PredictionMethod::fitted);
  };
  BOOST_TEST(of_processor(Operator::schedule).get() == of_processor(Operator::schedule).get());
  BOOST_TEST(of_processor(Operator::schedule).get() != of_processor(Operator::sampler_e2e).get());
}

BOOST_AUTO_TEST_CASE(findings_are_those_of_read_profiles) {
  const std::vector<Table> alone = small_tables();
  const ProfileTables tables(small_tables(), "profiles");
  // Rates of a device that is ten thousand times slower, and of one that is as fast as the tables say.
  const NamedRates slow{"a100", {Throughput{312e8}, Bandwidth{2e8}}};
  const NamedRates own{"a100", {Throughput{312e12}, Bandwidth{2e12}}};
  std::size_t most = 0;
  for (const auto& devices :
       {std::vector<NamedRates>{}, std::vector<NamedRates>{own}, std::vector<NamedRates>{slow}, std::vector{own}}) {
    const ProfileReading expected = read_profiles(alone, "profiles", devices);
    const TableFindings found = tables.findings(devices, is_any);
    BOOST_TEST_REQUIRE(found.errors.size() == expected.errors.size());
    BOOST_TEST_REQUIRE(found.warnings.size() == expected.warnings.size());
    for (std::size_t i = 0; i < found.errors.size(); ++i) {
      BOOST_TEST(found.errors[i].reason == expected.errors[i].reason);
      BOOST_TEST(found.errors[i].path == expected.errors[i].path);
    }
    most = std::max(most, found.errors.size());
  }
  BOOST_TEST(most > 0U);  // times that the slow device cannot reach
  const TableFindings of_h100 =
      tables.findings(std::vector{slow}, [](const std::string& path) { return path == other_path; });
  BOOST_TEST(of_h100.errors.empty());  // those of the other folder are left out
}

BOOST_AUTO_TEST_SUITE_END()
