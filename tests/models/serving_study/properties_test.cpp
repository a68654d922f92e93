/// Properties of every point of `serving_study` that has an estimate: random points of the accepted domain and their
/// neighbours. DFSWEEP_LONG_TESTS=1 in the environment takes 30 times as many.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>

#include "models/serving_study/estimator.hpp"
#include "models/serving_study/published.hpp"
#include "tests/support/drawn_points.hpp"
#include "tests/support/property_report.hpp"
#include "tests/support/random_values.hpp"

BOOST_AUTO_TEST_SUITE(properties_test)

using namespace dfsweep;
using namespace dfsweep::serving_study;
using testing::PropertyTally;
using testing::RandomValues;

namespace {

using enum Parameter;
using StudyPoint = testing::DrawnPoint<Parameter>;
using StudyPoints = testing::DrawnPoints<Parameter, Metric>;

constexpr double rounding = StudyPoints::rounding;

const Metric times[] = {Metric::time_to_first_token, Metric::time_per_output_token, Metric::request_latency};
const Metric rates[] = {Metric::request_rate, Metric::token_rate, Metric::prefill_rate, Metric::speculative_rate};

Entry study_entry(std::string name, std::map<std::string, double, std::less<>> numbers) {
  Entry e;
  e.name = std::move(name);
  e.numbers = std::move(numbers);
  return e;
}

Entry study_model(const char* name, double layers, double hidden, double heads, double ffn_hidden) {
  Entry e = study_entry(name, {{"layers", layers},
                               {"hidden", hidden},
                               {"heads", heads},
                               {"head_dim", hidden / heads},
                               {"ffn_hidden", ffn_hidden}});
  e.texts["kind"] = "transformer";
  return e;
}

Entry study_topology(const char* name, std::vector<std::string> dimensions) {
  Entry e = study_entry(name, {});
  e.text_lists["dimensions"] = std::move(dimensions);
  return e;
}

struct StudyCatalogue {
  const std::vector<Entry> models{study_model("large", 126, 16384, 128, 53248), study_model("small", 2, 8, 2, 16),
                                  study_model("odd", 47, 2560, 20, 10001)};
  const std::vector<Entry> devices{
      study_entry("chip", {{"peak_flops", 1e15}, {"price", 1e4}, {"power", 500}}),
      study_entry("cores", {{"cores", 1040}, {"systolic_width", 32}, {"systolic_height", 12}, {"frequency", 1.6e9}})};
  const Entry memory = study_entry("dram", {{"bandwidth", 1e12}, {"capacity", 8e10}, {"price_per_bandwidth", 1e-9}});
  const Entry links = study_entry("links", {{"bandwidth", 1e11}, {"latency", 1e-6}});
  const std::vector<Entry> topologies{study_topology("torus", {"ring", "ring"}),
                                      study_topology("clique", {"fully_connected", "ring"}),
                                      study_topology("switch", {"switch", "switch"})};

  [[nodiscard]] StudyPoint random_point(RandomValues& random) const {
    StudyPoint point(serving_study::parameters());
    point.set(model, models[random.one_of<std::size_t>({0, 1, 2})]).set(draft_model, models[1]);
    point.set(device, devices[random.one_of<std::size_t>({0, 1})])
        .set(Parameter::memory, memory)
        .set(interconnect, links);
    if (random.one_in(2)) point.set(topology, topologies[random.one_of<std::size_t>({0, 1, 2})]);
    const double tensor = std::exp2(random.whole(1, 8) - 1);
    point.set(tensor_parallel, tensor).set(pipeline_parallel, random.one_of<double>({1, 1, 2, 3, 8}));
    point.set(batch, random.whole(1, 1e4)).set(prompt_tokens, random.whole(1, 1e5));
    point.set(output_tokens, random.one_in(4) ? 1 : random.whole(1, 1e5)).set(requests, random.whole(1, 1e5));
    point.set(phase, random.one_of({"request", "prefill", "decode"}));
    point.set(precision, random.one_of({"bf16", "fp8", "int4"})).set(overlap, random.one_of({"none", "perfect"}));
    point.set(dram_bandwidth, random.rate(1e10, 1e13)).set(dram_capacity, random.rate(1e8, 1e13));
    point.set(link_bandwidth, random.rate(1e9, 1e12)).set(link_latency, random.one_of({0.0, 1e-6, 1e-3}));
    point.set(all_reduce_passes, random.one_of<double>({1, 2})).set(num_tile, random.whole(1, 20));
    if (random.one_in(3)) choose_speculation(point, random);
    const bool is_cycle_model = point[device].text == "cores" && random.one_in(5);
    point.set(compute_utilization, is_cycle_model ? 0.0 : random.rate(0.01, 1));
    point.set(peak_flops, random.rate(1e12, 1e16));
    return point;
  }

 private:
  void choose_speculation(StudyPoint& point, RandomValues& random) const {
    point.set(speculation, random.one_of({"sequence", "tree"}));
    point.set(draft_window, random.whole(1, 11) - 1).set(acceptance, random.one_of({0.0, 0.5, 1.0}));
    point.set(acceptance_rule, random.one_of({"exact", "linear"}));
  }
};

void check_alone(const StudyPoints& points, std::size_t i, PropertyTally& tally) {
  const auto metric = [&](Metric m) { return points.metric(i, m); };
  const auto tell = [&](const char* property, bool holds, double found = absent) {
    tally.check(property, holds, [&] { return fmt::format("{} with{}", found, points.point(i).text()); });
  };
  if (!is_given(metric(Metric::request_latency))) return;
  for (const Metric m : all_of<Metric>)
    if (is_given(metric(m)))
      tell("metrics are finite and not negative", std::isfinite(metric(m)) && metric(m) >= 0, metric(m));
  for (const Metric m : times) tell("times are positive", metric(m) > 0, metric(m));
  tell("no more than the peak", metric(Metric::model_flops_utilization) <= rounding,
       metric(Metric::model_flops_utilization));
  const double later = (points.point(i).number(output_tokens) - 1) * metric(Metric::time_per_output_token);
  const double latency = metric(Metric::time_to_first_token) + later;
  tell("a request is its first token and the others",
       std::abs(latency - metric(Metric::request_latency)) <= 1e-9 * latency, latency);
  const double used = metric(Metric::weight_memory) + metric(Metric::cache_memory);
  tell("weights and cache are the memory", std::abs(used - metric(Metric::memory_used)) <= 1e-9 * used, used);
  const bool fits = metric(Metric::memory_used) <= points.point(i).number(dram_capacity);
  tell("what runs fits", (points.status(i) == index_of(Status::ok)) == fits, metric(Metric::memory_used));
  tell("a stage serves its sequences while a token passes all of them",
       metric(Metric::token_rate) * metric(Metric::time_per_output_token) * rounding >=
           points.point(i).number(batch) * points.point(i).number(pipeline_parallel));
}

void add_faster(StudyPoints& points, const StudyPoint& base, std::size_t b) {
  for (const Parameter p : {dram_bandwidth, peak_flops, link_bandwidth})
    for (const double factor : {1.01, 2.0, 1000.0}) {
      if (base.is_open(p)) continue;
      const std::size_t fast = points.add(StudyPoint(base).set(p, base.number(p) * factor));
      const std::string why = "faster: " + std::string(serving_study::parameters()[index_of(p)].name);
      for (const Metric m : times) points.expect_less(why, fast, b, m);
      for (const Metric m : rates) points.expect_less(why, b, fast, m);
      points.expect_runs("runs where it is faster", b, fast);
    }
  const std::size_t roomy = points.add(StudyPoint(base).set(dram_capacity, base.number(dram_capacity) * 2));
  points.expect_runs("runs with more memory", b, roomy);
  for (const Metric m : times) points.expect_less("memory changes no time", b, roomy, m);
  for (const Metric m : times) points.expect_less("memory changes no time", roomy, b, m);
}

void add_more(StudyPoints& points, const StudyPoint& base, std::size_t b) {
  for (const Parameter p : {prompt_tokens, batch}) {
    const bool is_cycle_model = base.number(compute_utilization) == 0;
    for (const double more : {base.number(p) + 1, base.number(p) * 2}) {
      const std::size_t larger = points.add(StudyPoint(base).set(p, more));
      points.expect_less("more work", b, larger, Metric::memory_used);
      if (is_cycle_model) continue;  // whole tiles of arrays
      for (const Metric m : times) points.expect_less("more work", b, larger, m);
      for (const Metric m : {Metric::token_rate, Metric::request_rate})
        if (p == prompt_tokens) points.expect_less("more work", larger, b, m);
    }
  }
  const std::size_t longer = points.add(StudyPoint(base).set(output_tokens, base.number(output_tokens) + 1));
  points.expect_less("longer answers", b, longer, Metric::request_latency);
  points.expect_less("longer answers", longer, b, Metric::request_rate);
  for (const Parameter degree : {tensor_parallel, pipeline_parallel}) {
    const std::size_t twice = points.add(StudyPoint(base).set(degree, base.number(degree) * 2));
    const std::string why = degree == tensor_parallel ? "twice the tensor group" : "twice the stages";
    for (const Metric m : {Metric::token_rate, Metric::request_rate}) points.expect_less(why, twice, b, m, 2);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_study_has_the_properties_of_serving) {
  const bool is_long = std::getenv("DFSWEEP_LONG_TESTS") != nullptr;
  const StudyCatalogue catalogue;
  const std::unique_ptr<Estimator> estimator = make_serving_study_estimator();
  PropertyTally tally;
  RandomValues random(43);
  std::size_t count = 0;
  for (int round = 0; round < (is_long ? 300 : 10); ++round) {
    StudyPoints points;
    for (int i = 0; i < 100; ++i) {
      const StudyPoint base = catalogue.random_point(random);
      const std::size_t b = points.add(base);
      add_faster(points, base, b);
      add_more(points, base, b);
    }
    points.estimate(*estimator);
    points.compare(tally);
    for (std::size_t i = 0; i < points.size(); ++i) check_alone(points, i, tally);
    count += points.size();
  }
  testing::report(tally, count, 35);
}

BOOST_AUTO_TEST_SUITE_END()
