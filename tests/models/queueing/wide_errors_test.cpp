/// Errors of the closed form against the simulation over a wide range of deployments, by region, as
/// docs/models/queueing.md states them.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <vector>

#include "models/queueing/simulation/simulate.hpp"
#include "models/queueing/steady/closed_form_error.hpp"
#include "models/queueing/steady/steady.hpp"
#include "tests/models/queueing/random_deployments.hpp"

BOOST_AUTO_TEST_SUITE(wide_errors_test)

using namespace dfsweep;
using namespace dfsweep::queueing;
using namespace dfsweep::testing;

/// A number of each region that closed_form_error() knows.
constexpr std::size_t regions_of_all = 32;
std::size_t region_of(const Deployment& deployment, double prompt, double output, bool open, double load) {
  const std::size_t demand = !open ? 0 : load < 0.5 ? 1 : load < 0.8 ? 2 : 3;
  return (output > 16 ? 0U : 16U) + 4 * demand + (deployment.attention_ranks > 1 ? 2U : 0U) +
         (prompt > deployment.rules.chunk_tokens ? 1U : 0U);
}

LengthDistribution lengths_with(double mean, std::size_t law, double spread) {
  if (law == 0) return shortened_lengths(mean);
  LengthDistribution lengths;
  lengths.mean = mean;
  lengths.law = law == 1 ? LengthLaw::uniform : LengthLaw::log_normal;
  lengths.spread = law == 2 ? 0.3 + 1.2 * spread : 0.5;
  return lengths;
}

struct WideCase {
  RandomDeployment drawn;
  double prompt = 1.0;  ///< nominal tokens
  bool open = false;
  double load = 0.0;  ///< of a stream, share of the highest rate
};

void draw_demand(WideCase& wide, CaseNumbers& draw) {
  Arrivals& arrivals = wide.drawn.workload.arrivals;
  wide.open = draw.uniform() < 0.5;
  if (!wide.open) {
    constexpr double requests[] = {2, 10, 10, 40};
    arrivals.users = std::floor(draw.between(1, 1000));
    arrivals.requests_per_user = requests[draw.choice(4)];
    if (draw.uniform() < 0.3) wide.drawn.workload.think = Seconds{draw.between(0.01, 30)};
    return;
  }
  arrivals.law = draw.uniform() < 0.3 ? ArrivalLaw::gamma : ArrivalLaw::poisson;
  if (arrivals.law == ArrivalLaw::gamma) arrivals.variation = draw.between(0.3, 3);
  arrivals.requests = 20000;
  wide.load = draw.uniform() < 0.5 ? 0.98 * draw.uniform() : 0.6 + 0.38 * draw.uniform();
}

WideCase wide_case(std::uint64_t index) {
  constexpr std::uint32_t ranks[] = {1, 1, 1, 2, 4, 8};
  constexpr std::uint32_t replicas[] = {1, 1, 1, 2, 4};
  WideCase wide;
  wide.drawn = random_deployment(902, index);
  CaseNumbers draw(903, index);
  Deployment& deployment = wide.drawn.deployment;
  wide.prompt = std::floor(draw.between(64, 32768));
  const double output = std::floor(draw.uniform() < 0.33 ? draw.between(2, 17) : draw.between(17, 4096));
  const std::size_t law = draw.choice(4);
  const double spread = draw.uniform();
  wide.drawn.workload.prompt = lengths_with(wide.prompt, law, spread);
  wide.drawn.workload.output = lengths_with(output, law, spread);
  deployment.cache_tokens = draw.uniform() < 0.6 ? INFINITY : draw.between(3, 300) * (wide.prompt + output);
  deployment.attention_ranks = ranks[draw.choice(6)];
  deployment.replicas = replicas[draw.choice(5)];
  if (draw.uniform() < 0.5) deployment.rules.chunk_tokens = std::floor(draw.between(512, 16384));
  if (draw.uniform() < 0.2) deployment.rules.running_limit = std::floor(draw.between(2, 64));
  draw_demand(wide, draw);
  return wide;
}

/// Errors of the two times of a deployment.
struct SeenErrors {
  std::size_t region = 0;
  double first_token = 0.0;
  double token_time = 0.0;
  ClosedFormError stated;
};

/// Nothing where the closed form has a status, or the simulation refuses requests.
std::optional<SeenErrors> seen_errors(std::uint64_t index) {
  WideCase wide = wide_case(index);
  const RandomDeployment& drawn = wide.drawn;
  Arrivals& arrivals = wide.drawn.workload.arrivals;
  const Demand demand = wide.open ? Demand{DemandKind::share, wide.load} : Demand{DemandKind::users, arrivals.users};
  const MeanRequest request = mean_request(drawn.workload);
  const double output = request.output;
  if (output <= 1.0) return std::nullopt;  // no token follows the first one
  const SteadyLoad form = steady(drawn.deployment, request, demand, drawn.steps);
  if (form.status != SteadyStatus::ok) return std::nullopt;
  arrivals.rate = Frequency{form.request_rate};
  const SimulatedLoad simulated = simulate(drawn.deployment, drawn.workload, drawn.steps);
  if (simulated.requests == 0 || simulated.refused > 0) return std::nullopt;
  const auto error = [](Seconds form_time, double mean) { return std::abs(form_time.value() / mean - 1.0); };
  return SeenErrors{
      region_of(drawn.deployment, wide.prompt, output, wide.open, wide.load),
      error(form.first_token, simulated.first_token.mean), error(form.token_time, simulated.token_time.mean),
      closed_form_error({static_cast<double>(drawn.deployment.attention_ranks),
                         wide.prompt / drawn.deployment.rules.chunk_tokens, output, wide.open ? wide.load : NAN})};
}

BOOST_AUTO_TEST_CASE(the_stated_errors_cover_what_is_seen) {
  struct Count {
    int seen = 0;
    int first_token = 0;  ///< within what is stated
    int token_time = 0;
  };
  std::array<Count, regions_of_all> counts{};
  for (std::uint64_t index = 0; index < 1000; ++index) {
    const std::optional<SeenErrors> errors = seen_errors(index);
    if (!errors) continue;
    Count& count = counts[errors->region];
    ++count.seen;
    count.first_token += errors->first_token <= errors->stated.first_token_most;
    count.token_time += errors->token_time <= errors->stated.token_time_most;
  }
  for (std::size_t region = 0; region < counts.size(); ++region) {
    const Count& count = counts[region];
    // Nine of ten, less what so few draws differ by: four standard deviations, because 64 numbers are compared.
    const double least = 0.9 * count.seen - 4.0 * std::sqrt(0.09 * count.seen);
    BOOST_TEST_MESSAGE("region " << region << ": " << count.seen << " deployments, first tokens within: "
                                 << count.first_token << ", token times within: " << count.token_time);
    BOOST_TEST(count.seen > 0);
    BOOST_TEST(count.first_token >= least);
    BOOST_TEST(count.token_time >= least);
  }
}

boost::test_tools::assertion_result is_long(boost::unit_test::test_unit_id) {
  return std::getenv("DFSWEEP_LONG_TESTS") != nullptr;
}

/// The value that a share of all stay below.
double quantile(std::vector<double> values, double share) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size()));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

/// Prints the rows of the table of docs/models/queueing.md, from deployments that the other test does not draw.
BOOST_AUTO_TEST_CASE(the_stated_errors_are_those_of_many_deployments, *boost::unit_test::precondition(is_long)) {
  struct Region {
    std::vector<double> first_token;
    std::vector<double> token_time;
    ClosedFormError stated;
  };
  std::array<Region, regions_of_all> regions{};
  constexpr std::uint64_t others = 1'000'000;
  for (std::uint64_t index = others; index < others + 20'000; ++index) {
    const std::optional<SeenErrors> errors = seen_errors(index);
    if (!errors) continue;
    Region& region = regions[errors->region];
    region.first_token.push_back(errors->first_token);
    region.token_time.push_back(errors->token_time);
    region.stated = errors->stated;
  }
  for (std::size_t i = 0; i < regions.size(); ++i) {
    const Region& region = regions[i];
    const double found[] = {quantile(region.first_token, 0.5), quantile(region.first_token, 0.9),
                            quantile(region.token_time, 0.5), quantile(region.token_time, 0.9)};
    const double stated[] = {region.stated.first_token, region.stated.first_token_most, region.stated.token_time,
                             region.stated.token_time_most};
    std::printf("region %zu: %zu deployments: %.3f, %.2f | %.3f, %.2f\n", i, region.first_token.size(), found[0],
                found[1], found[2], found[3]);
    for (std::size_t k = 0; k < std::size(found); ++k)
      BOOST_TEST(std::abs(stated[k] - std::max(0.01, found[k])) <= 0.006,
                 "region " << i << ": " << found[k] << ", not " << stated[k]);
  }
}

BOOST_AUTO_TEST_SUITE_END()
