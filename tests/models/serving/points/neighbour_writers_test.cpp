/// Whatever instructions a processor has, neighbours have the same bits.
#include <boost/test/unit_test.hpp>

#include <vector>

#include "tests/support/serving_neighbours.hpp"
#include "tests/support/serving_sweep.hpp"

BOOST_AUTO_TEST_SUITE(neighbour_writers_test)

using namespace dfsweep;
using namespace dfsweep::serving;
using testing::Estimates;
using testing::EstimatorSweep;

namespace {

/// The figures that `write(out)` gives `count` points; others are NaN.
template <class Write>
Estimates written_by(const Write& write, std::size_t count) {
  const std::vector<double> absent_column(count, absent);
  Estimates found{std::vector<std::uint8_t>(count), {count_of<Metric>, absent_column}};
  std::vector<std::span<double>> columns(found.metrics.begin(), found.metrics.end());
  const FigureColumns out(EstimateColumns{found.status, columns});
  FigureColumns::Points points(out, 0);
  write(points);
  return found;
}

/// Compares what `write(writer, out)` gives `count` points by all instructions.
template <class Write>
void compare_writers(const Write& write, std::size_t count) {
  const std::span<const NeighbourWriter> writers = neighbour_writers();
  const auto by = [&](const NeighbourWriter& writer) {
    return written_by([&](FigureColumns::Points& out) { write(writer, out); }, count);
  };
  const Estimates first = by(writers.front());
  for (const double latency : first[Metric::request_latency]) BOOST_TEST(latency > 0.0);
  for (const NeighbourWriter& writer : writers.subspan(1)) {
    const Estimates other = by(writer);
    BOOST_TEST((other.status == first.status));
    for (const Metric metric : all_of<Metric>)
      BOOST_TEST(testing::are_same(other[metric], first[metric]), metrics()[index_of(metric)].name);
  }
}

/// Writes neighbours of the only point of the sweep in all ways: with other batches where it has one, else with traffic
/// of other sizes, of which none saturates it.
void check(const EstimatorSweep& sweep, const std::vector<double>& sizes) {
  const SweepValues values = sweep.values();
  const DecodedValues decoded = decode_values(values);
  const PointCodes codes(values, PointColumns({}, 1));
  const PointValues v(decoded.numbers, codes, 0);
  testing::ServingNeighbours neighbours(decoded, v);
  BOOST_REQUIRE(neighbours.are_served());
  if (is_given(v.number(Parameter::batch))) {
    const GivenBatches all = neighbours.of_batches(sizes);
    compare_writers([&](const auto& writer, auto& out) { writer.batches(all, out); }, sizes.size());
  } else {
    const Neighbours all = neighbours.of_sizes(sizes);
    compare_writers([&](const auto& writer, auto& out) { writer.neighbours(all, all.deployment.steps, out); },
                    sizes.size());
  }
}

EstimatorSweep with_limits() {
  EstimatorSweep sweep = testing::serving_sweep();
  sweep.set("time_per_output_token_limit", 0.01).set("service_years", 3);
  return sweep;
}
EstimatorSweep with_experts() {
  Entry model = testing::serving_decoder("experts", 24, 2048);
  model.numbers["experts"] = 64;
  model.numbers["experts_per_token"] = 4;
  model.numbers["expert_ffn_hidden"] = 1024;
  EstimatorSweep sweep = testing::serving_sweep();
  sweep.set("model", model).set("tensor_parallel", 4);
  return sweep;
}
EstimatorSweep with_drafts() {
  EstimatorSweep sweep = testing::serving_sweep();
  sweep.set("speculation", "sequence").set("draft_model", testing::serving_decoder("one", 8, 1024));
  return sweep;
}
EstimatorSweep with_stages() {
  EstimatorSweep sweep = testing::serving_sweep();
  sweep.set("pipeline_parallel", 2).set("device_count", 8);
  return sweep;
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_instructions_give_the_same_bits) {
  const std::vector<double> users = {1, 2, 3, 4, 7, 8, 16, 33, 64, 100, 256, 1000, 5000};  // the last group has one
  const std::vector<double> batches = {1, 2, 3, 5, 8, 16, 33, 64, 100, 1e6, 1.0};          // 1e6 do not fit
  const std::vector<double> shares = {0.001, 0.01, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99};
  for (const auto& deployment : {with_limits, with_experts, with_drafts, with_stages}) {
    for (const double output : {2.0, 300.0}) {
      check(deployment().set("output_tokens", output).set("concurrency", 1), users);
      check(deployment().set("output_tokens", output).set("load", 0.5), shares);
      check(deployment().set("output_tokens", output).set("batch", 2), batches);
      check(deployment().set("output_tokens", output).set("batch", 2).set("batching", "static"), batches);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
