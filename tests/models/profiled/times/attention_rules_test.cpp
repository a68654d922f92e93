/// Unequal requests on surfaces with simple formulas, by hand.
#include "models/profiled/times/attention_rules.hpp"

#include <boost/test/unit_test.hpp>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(attention_rules_test)

namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::profiled;

namespace {

using Key = std::pair<std::uint32_t, std::uint32_t>;

/// Remembers what it was asked for.
struct Recorder {
  std::vector<Key> keys;
  SurfaceLookup lookup() {
    return [this](std::uint32_t u, std::uint32_t v) {
      keys.emplace_back(u, v);
      return Prediction{Seconds{1.0}, Coverage::measured, 0.0};
    };
  }
};

/// D(b, k) = 10 + b k: a launch, and a cache that is read once.
Prediction linear_decode(std::uint32_t requests, std::uint32_t context) {
  return {Seconds{10.0 + 1.0 * requests * context}, Coverage::measured, 0.5};
}

/// Few requests cannot use the whole bandwidth: as long as four, or as all together.
Prediction serial_decode(std::uint32_t requests, std::uint32_t context) {
  return {Seconds{0.5 * context * (requests < 4 ? 4 : requests)}, Coverage::interpolated, 0.0};
}

/// P(k, c) = 5 + c (k + c / 2).
Prediction physical_prefill(std::uint32_t context, std::uint32_t chunk) {
  return {Seconds{5.0 + chunk * (context + chunk / 2.0)}, context > 100 ? Coverage::extrapolated : Coverage::measured,
          0.1};
}

}  // namespace

// Features that [vidur] itself derives for these batches.
BOOST_AUTO_TEST_CASE(mean_contexts_are_rounded_down_and_then_up_to_64) {
  Recorder asked;
  const std::vector<RequestGroup> one{{1, 1, 1}};
  const std::vector<RequestGroup> skewed{{1, 1, 4000}, {9, 1, 100}};
  const std::vector<RequestGroup> just_above{{1, 1, 64}, {1, 1, 65}};
  for (const auto& groups : {one, skewed, just_above}) (void)decode_at_mean_context(asked.lookup(), groups, 64.0);
  BOOST_TEST((asked.keys == std::vector<Key>{{1, 64}, {10, 512}, {2, 64}}));
}

BOOST_AUTO_TEST_CASE(one_prompt_for_all_has_the_root_of_the_squares) {
  Recorder asked;
  const std::vector<RequestGroup> five{{5, 100, 0}};
  const std::vector<RequestGroup> two{{1, 134, 256}, {1, 121, 0}};
  const std::vector<RequestGroup> behind{{8, 64, 65}};
  for (const auto& groups : {five, two, behind}) (void)prefill_as_one_prompt(asked.lookup(), groups, 64.0);
  BOOST_TEST((asked.keys == std::vector<Key>{{0, 224}, {256, 181}, {8 * 128, 181}}));
}

BOOST_AUTO_TEST_CASE(equal_contexts_are_the_measured_batch_itself) {
  Recorder asked;
  const std::vector<RequestGroup> equal{{7, 1, 333}};
  const std::vector<RequestGroup> written_twice{{3, 1, 333}, {4, 1, 333}};
  (void)decode_by_context(asked.lookup(), equal, 1.0);
  BOOST_TEST((asked.keys == std::vector<Key>{{7, 333}}));
  BOOST_TEST(decode_by_context(linear_decode, written_twice, 1.0).time.value() == 10.0 + 7.0 * 333.0,
             tt::tolerance(1e-14));
}

BOOST_AUTO_TEST_CASE(a_cost_linear_in_the_context_is_that_of_the_sum) {
  const std::vector<RequestGroup> skewed{{1, 1, 4000}, {9, 1, 100}};
  const Prediction p = decode_by_context(linear_decode, skewed, 1.0);
  BOOST_TEST(p.time.value() == 10.0 + 4000.0 + 900.0, tt::tolerance(1e-14));
  BOOST_TEST(p.relative_error == 0.5, tt::tolerance(1e-14));
}

BOOST_AUTO_TEST_CASE(a_long_request_bounds_the_batch) {
  // Shared fairly: (0.5 * 10 * 4000 + 9 * 0.5 * 10 * 100) / 10 = 2450. The long one alone: 0.5 * 4 * 4000.
  const std::vector<RequestGroup> skewed{{1, 1, 4000}, {9, 1, 100}};
  BOOST_TEST(decode_by_context(serial_decode, skewed, 1.0).time.value() == 8000.0);
}

BOOST_AUTO_TEST_CASE(prompts_attend_to_their_own_contexts_and_share_a_launch) {
  // P(200, 10) + 2 P(0, 20) - 2 p, where p = P(0, 1) = 5.5.
  const std::vector<RequestGroup> groups{{1, 10, 200}, {2, 20, 0}};
  const Prediction p = prefill_by_prompt(physical_prefill, groups, 1.0);
  BOOST_TEST(p.time.value() == (5.0 + 10.0 * 205.0) + 2.0 * (5.0 + 200.0) - 2.0 * 5.5, tt::tolerance(1e-14));
  BOOST_TEST((p.coverage == Coverage::extrapolated));
  const std::vector<RequestGroup> single{{1, 10, 50}};
  BOOST_TEST(prefill_by_prompt(physical_prefill, single, 1.0).time.value() == 5.0 + 10.0 * 55.0);
}

BOOST_AUTO_TEST_CASE(absurd_contexts_are_asked_for_as_the_largest) {
  Recorder asked;
  const std::vector<RequestGroup> absurd{{1e6, 1, 1e8}};
  (void)prefill_as_one_prompt(asked.lookup(), absurd, 1.0);
  BOOST_TEST(asked.keys.front().first == 4000000000U);
}

BOOST_AUTO_TEST_SUITE_END()
