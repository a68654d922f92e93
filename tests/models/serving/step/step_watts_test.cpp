/// What a decode step moves and computes for the watts of its devices, multiplied by hand.
#include "models/serving/step/step_watts.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/support/serving_replica.hpp"

BOOST_AUTO_TEST_SUITE(step_watts_test)

namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::serving;

namespace {

constexpr double rounding = 1e-12;
constexpr double expert_weights = 4.0 * 8 * 3 * 1024 * 2048;

/// Experts of four layers on two devices.
Replica expert_replica() {
  Replica r = dfsweep::testing::large_replica(2);
  r.model = served(dfsweep::testing::small_experts());
  return r;
}

double kernels(const Replica& r, double sequences) {
  return decode_work<double>(traffic_of(r), costs_of(r), {.sequences = sequences, .context = 100}, Seconds{10e-3})
      .kernels;
}

}  // namespace

struct ExpertCase {
  const char* reason;
  double weight;  ///< bytes
  double counted;
};
const ExpertCase expert_cases[] = {
    {"16 bits are multiplied as they are", 2, 2 * expert_weights / 2},
    {"8 bits are expanded: 2.5 times their bytes", 1, 2.5 * expert_weights / 2},
    {"4 bits and a scale for every 32, likewise", 0.53125, 2.5 * 0.53125 * expert_weights / 2},
};

BOOST_AUTO_TEST_CASE(weights_of_narrow_experts_count_more_than_their_bytes) {
  for (const ExpertCase& c : expert_cases) {
    Replica r = expert_replica();
    r.bytes.weight = c.weight;
    BOOST_TEST_CONTEXT(c.reason) {
      BOOST_TEST(traffic_of(r).experts.value() == c.counted, tt::tolerance(rounding));
    }
  }
}

BOOST_AUTO_TEST_CASE(dense_weights_count_as_their_bytes) {
  Replica r = dfsweep::testing::large_replica();
  const Bytes sixteen = traffic_of(r).weights;
  r.bytes.weight = 1;
  const double networks = 80.0 * 3 * 8192 * 28672;
  BOOST_TEST((sixteen - traffic_of(r).weights).value() == networks / 8, tt::tolerance(rounding));
}

// Four layers of 82 us; a token has two rows of 1024 numbers in each of them, of 0.15 ns.
BOOST_AUTO_TEST_CASE(rows_of_experts_keep_devices_busy) {
  constexpr double layers = 4 * 82e-6;
  constexpr double token = 4 * 2 * 1024 * 0.15e-9;
  BOOST_TEST(kernels(expert_replica(), 32) == (layers + 32 * token) / 10e-3, tt::tolerance(rounding));

  Replica dealt = expert_replica();  // whole experts: a device has half of the rows
  dealt.expert = 2;
  BOOST_TEST(kernels(dealt, 32) == (layers + 16 * token) / 10e-3, tt::tolerance(rounding));

  Replica stages = expert_replica();  // a device has half of the layers, and two groups of 16 sequences
  stages.pipeline = 2;
  BOOST_TEST(kernels(stages, 32) == (layers + 16 * token) / 10e-3, tt::tolerance(rounding));

  BOOST_TEST(kernels(dfsweep::testing::large_replica(), 32) == 80 * 28e-6 / 10e-3, tt::tolerance(rounding));
}

BOOST_AUTO_TEST_SUITE_END()
