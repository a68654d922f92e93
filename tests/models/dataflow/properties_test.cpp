/// Laws of the dataflow estimator on random points of its whole accepted domain: faster and larger systems are never
/// slower or less feasible, parts sum to the whole, and best mappings are no worse than named ones.
/// With DFSWEEP_LONG_TESTS=1 in the environment: a hundred times as many points.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <random>
#include <sstream>
#include <vector>

#include "models/dataflow/estimator.hpp"
#include "models/dataflow/points/published.hpp"
#include "tests/support/dataflow_point.hpp"

BOOST_AUTO_TEST_SUITE(properties_test)

using namespace dfsweep;
using namespace dfsweep::dataflow;
using namespace dfsweep::testing;

namespace {

constexpr double rounding = 1e-9;

std::size_t problem_count() {
  const char* const asked = std::getenv("DFSWEEP_LONG_TESTS");
  return asked != nullptr && std::string_view(asked) == "1" ? 60000 : 600;
}

/// Draws points; the same sequence everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double whole(double low, double high) {
    return low + static_cast<double>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }
  double power_of_two(int low, int high) { return std::exp2(whole(low, high)); }
  /// Logarithmically uniform.
  double real(double low, double high) {
    const double at = static_cast<double>(engine_() >> 11) * 0x1p-53;
    return low * std::pow(high / low, at);
  }
  bool chance(double share) { return static_cast<double>(engine_() >> 11) * 0x1p-53 < share; }
  template <class Value>
  Value one_of(std::initializer_list<Value> values) {
    return values.begin()[engine_() % values.size()];
  }

 private:
  std::mt19937_64 engine_;
};

Entry transformer(Random& random) {
  const double heads = random.power_of_two(0, 5);
  const double layers = random.whole(1, 12);
  Entry entry = transformer_entry(heads * random.whole(1, 64), heads, layers, random.whole(1, 4096), 1);
  entry.numbers["key_value_heads"] = random.chance(0.5) ? heads : 1.0;
  entry.numbers["gated_ffn"] = random.whole(0, 1);
  if (random.chance(0.5)) entry.numbers["ffn_hidden"] = random.whole(1, 4096);
  if (random.chance(0.1)) entry.numbers["window"] = random.whole(1, 4096);
  if (random.chance(0.3)) {
    const double experts = random.whole(1, 64);
    entry.numbers["experts"] = experts;
    entry.numbers["experts_per_token"] = random.whole(1, std::min(experts, 8.0));
    entry.numbers["expert_ffn_hidden"] = random.whole(1, 2048);
    entry.numbers["shared_ffn_hidden"] = random.chance(0.5) ? random.whole(0, 2048) : 0;
    entry.numbers["dense_layers"] = random.whole(0, layers);
  }
  return entry;
}

Entry program(Random& random) {
  Entry entry;
  entry.name = "program";
  const int kind = static_cast<int>(random.whole(0, 2));
  entry.texts["kind"] = kind == 0 ? "dlrm" : kind == 1 ? "hpl" : "fft";
  if (kind == 0)
    entry.numbers = {{"tables", random.whole(1, 100)},        {"rows_per_table", random.whole(1, 1e6)},
                     {"embedding_dim", random.whole(1, 256)}, {"pooled_rows", random.whole(1, 64)},
                     {"mlp_layers", random.whole(2, 8)},      {"bottom_layers", random.whole(1, 2)},
                     {"mlp_width", random.whole(1, 2048)},    {"samples_per_chip", random.whole(1, 512)}};
  else if (kind == 1)
    entry.numbers = {
        {"matrix_size", random.whole(512, 100000)}, {"block_size", random.whole(1, 64)}, {"steps", random.whole(1, 8)}};
  else
    entry.numbers = {{"length", std::exp2(2.0 * random.whole(2, 18))}, {"radix", random.power_of_two(1, 5)}};
  return entry;
}

struct Problem {
  DataflowPoint point;
  /// The sharding has the least network time, whatever else it costs, so that other links may give a slower step.
  bool least_network = false;
};

void set_system(DataflowPoint& point, Random& random, bool has_layers) {
  const double dimensions = random.whole(1, 3);
  std::string letters;
  std::string shape;
  for (double d = 0; d < dimensions; ++d) {
    letters += random.one_of({'r', 'f', 's'});
    shape += (shape.empty() ? "" : "x") + std::to_string(static_cast<int>(random.power_of_two(0, 3)));
  }
  point.set("topology", topology_entry(letters)).set("shape", shape);
  point.set("device", device_entry(random.power_of_two(3, 8), random.power_of_two(2, 6), random.power_of_two(0, 4),
                                   random.real(1e8, 2e9), random.real(1e5, 1e10), 1000, 100));
  point.set("memory", memory_entry(random.real(1e10, 1e13), 1e-9, random.real(1e8, 1e14)));
  point.set("interconnect",
            interconnect_entry(random.real(1e8, 1e12), 1e-9, random.chance(0.2) ? 0 : random.real(1e-8, 1e-4)));
  if (random.chance(0.3))
    point.set("outer_interconnect", interconnect_entry(random.real(1e8, 1e12), 1e-9, random.real(1e-8, 1e-4)));
  if (random.chance(0.2)) point.set("high_bandwidth_domain", random.power_of_two(0, 5));
  point.set("global_batch", random.power_of_two(0, 9)).set("micro_batch", has_layers ? random.power_of_two(0, 2) : 1.0);
  if (random.chance(0.2)) point.set("interleaving", random.whole(1, 2));
  if (random.chance(0.1)) point.set("copies", random.whole(1, 3));
}

Problem draw(Random& random) {
  Problem problem;
  DataflowPoint& point = problem.point;
  const bool has_layers = random.chance(0.8);
  point.set("model", has_layers ? transformer(random) : program(random));
  set_system(point, random, has_layers);
  point.set("phase", random.one_of({"train", "prefill"}));
  point.set("convention", random.one_of({"physical", "physical", "dfmodel-g1", "dfmodel-g2", "dfmodel-g3"}));
  point.set("overlap", random.one_of({"perfect", "none", "network_exposed"}));
  point.set("compute_utilization", random.chance(0.2) ? 0.0 : random.real(0.1, 1.0));
  point.set("sram_accounting", random.one_of({"split", "split", "code", "paper"}));
  if (random.chance(0.3)) point.set("precision", random.one_of({"fp32", "fp8"}));
  const char* const mapping = random.one_of({"kernel_by_kernel", "kernel_by_kernel", "single_partition"});
  point.set("mapping", std::string_view(mapping));
  if (random.chance(0.2)) point.set("weight_reload", "by_sram");
  problem.least_network = random.chance(0.15);
  if (problem.least_network) point.set("sharding", "least_time");
  return problem;
}

/// The point as text, for messages.
std::string text_of(const NamedEstimate& e) {
  std::ostringstream text;
  text << e.status;
  for (const auto& [name, value] : e.metrics) text << ' ' << name << '=' << value;
  return text.str();
}

bool is_ok(const NamedEstimate& e) {
  return e.status == "ok";
}

/// Seeds of `count` problems, and of those that were hard.
std::vector<std::size_t> problems(std::size_t count, std::initializer_list<std::size_t> hard) {
  std::vector<std::size_t> seeds(count);
  std::iota(seeds.begin(), seeds.end(), std::size_t{0});
  std::copy_if(hard.begin(), hard.end(), std::back_inserter(seeds),
               [count](std::size_t seed) { return seed >= count; });
  return seeds;
}

/// Metrics of an estimate are finite and not negative; parts sum to the whole under the overlap.
void check_alone(const NamedEstimate& e, const std::string& overlap) {
  if (!is_ok(e)) return;
  BOOST_TEST_CONTEXT(text_of(e)) {
    for (const MetricInfo& info : dataflow::metrics()) {
      const double value = e[info.name];
      BOOST_TEST(!std::isinf(value));
      BOOST_TEST(!(value < 0.0));
    }
    for (const char* name : {"step_time", "utilization", "achieved_flops", "compute_time", "memory_time",
                             "network_time", "bubble_time", "partitions", "memory_used", "network_latency"})
      BOOST_TEST(!std::isnan(e[name]));
    BOOST_TEST(e["step_time"] > 0.0);
    BOOST_TEST(e["utilization"] <= 1.0 + rounding);
    const double sum = e["compute_time"] + e["memory_time"] + e["network_time"] + e["bubble_time"];
    const double step = e["step_time"];
    BOOST_TEST(step <= sum * (1 + rounding));
    for (const char* part : {"compute_time", "memory_time", "bubble_time"})
      BOOST_TEST(e[part] <= step * (1 + rounding));
    // Where stages share a graph, perfect overlap also covers collectives with the transfers between stages.
    const bool shares_graph = std::isnan(e["memory_intensity"]) && e["memory_time"] > 0.0;
    if (overlap != "perfect" || !shares_graph) BOOST_TEST(e["network_time"] <= step * (1 + rounding));
    if (overlap == "none") BOOST_TEST(std::abs(step / sum - 1.0) <= rounding);
    const double network = e["network_serialization"] + e["network_latency"];
    BOOST_TEST(std::abs(network - e["network_time"]) <= rounding * e["network_time"]);
  }
}

/// The parameters whose growth never hurts.
constexpr const char* improvements[] = {"dram_bandwidth", "dram_capacity",        "peak_flops",
                                        "link_bandwidth", "outer_link_bandwidth", "sram_capacity"};

std::string value_text(const SweepValues& values, Parameter p) {
  return values[p].values.front().text;
}

double start_of(const char* name, Random& random) {
  const std::string_view parameter = name;
  if (parameter == "dram_bandwidth") return random.real(1e10, 1e13);
  if (parameter == "dram_capacity") return random.real(1e7, 1e14);
  if (parameter == "peak_flops") return random.real(1e12, 1e16);
  return parameter == "sram_capacity" ? random.real(1e4, 1e10) : random.real(1e8, 1e12);
}

/// Estimates of the same point with ascending values of a parameter never get worse.
std::size_t check_improvement(const DataflowPoint& base, const char* name, Random& random) {
  const double start = start_of(name, random);
  std::vector<double> values;
  for (const double factor : {1.0, 1.01, 2.0, 100.0}) values.push_back(start * factor);
  DataflowPoint point = base;
  point.axis(name, values);
  const auto prepared = make_dataflow_estimator()->prepare(point.values());
  const Estimates all = point.estimates(*prepared, values.size());
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (all.status[i - 1] != status_ok) continue;
    BOOST_TEST_CONTEXT(name << " from " << values[i - 1] << " to " << values[i]) {
      BOOST_TEST(int{all.status[i]} == int{status_ok});
      if (all.status[i] != status_ok) continue;
      BOOST_TEST(all[Metric::utilization][i] <= 1.0 + rounding);
      const double gap = all[Metric::optimality_gap][i] > 0.0 ? all[Metric::optimality_gap][i] : 0.0;
      BOOST_TEST(all[Metric::step_time][i] * (1 - gap) <= all[Metric::step_time][i - 1] * (1 + rounding));
    }
  }
  return values.size();
}

}  // namespace

BOOST_AUTO_TEST_CASE(faster_systems_are_never_slower) {
  std::size_t tried = 0;
  std::size_t ok = 0;
  // In faster systems the fastest stages do not fit: in the DRAM of a chip, and in its cores.
  for (const std::size_t i : problems(problem_count(), {22540, 26932})) {
    Random random(i);
    const Problem problem = draw(random);
    BOOST_TEST_CONTEXT("problem " << i) {
      const NamedEstimate base = problem.point.evaluate();
      check_alone(base, value_text(problem.point.values(), Parameter::overlap));
      ok += is_ok(base) ? 1 : 0;
      for (const char* name : improvements)
        if (!problem.least_network || std::string_view(name).find("link") == std::string_view::npos)
          tried += check_improvement(problem.point, name, random);
      if (is_ok(base) && !problem.least_network) {
        DataflowPoint quiet = problem.point;
        const NamedEstimate faster = quiet.set("link_latency", 0).evaluate();
        BOOST_TEST(is_ok(faster));
        const double gap = faster["optimality_gap"] > 0.0 ? faster["optimality_gap"] : 0.0;
        BOOST_TEST(faster["step_time"] * (1 - gap) <= base["step_time"] * (1 + rounding));
      }
    }
  }
  BOOST_TEST(ok > problem_count() / 5);
  BOOST_TEST_MESSAGE(tried << " points, " << ok << " of the first ones ok");
}

BOOST_AUTO_TEST_CASE(twice_the_replicas_are_at_most_twice_as_fast) {
  std::size_t compared = 0;
  for (std::size_t i = 0; i < problem_count(); ++i) {
    Random random(1'000'000 + i);
    DataflowPoint point = draw(random).point;
    point.set("model", transformer(random)).set_absent("shape").set("topology", topology_entry("rrr"));
    point.set("tensor_parallel", random.power_of_two(0, 3)).set("pipeline_parallel", random.power_of_two(0, 1));
    const double replicas = random.power_of_two(0, 3);
    const NamedEstimate one = point.set("data_parallel", replicas).evaluate();
    const NamedEstimate two = point.set("data_parallel", 2 * replicas).evaluate();
    if (!is_ok(one) || !is_ok(two)) continue;
    ++compared;
    // Stages that were not proven to be the best may be slower than they need be.
    const double gap = one["optimality_gap"] > 0.0 ? one["optimality_gap"] : 0.0;
    BOOST_TEST_CONTEXT("problem " << i << ": " << text_of(one) << " and " << text_of(two))
    BOOST_TEST(2 * two["step_time"] >= one["step_time"] * (1 - gap) * (1 - rounding));
  }
  BOOST_TEST(compared > problem_count() / 20);
}

/// The search is exact, so no named mapping is faster, and more of anything never hurts.
BOOST_AUTO_TEST_CASE(best_mappings_are_no_worse_than_named_ones) {
  std::size_t compared = 0;
  // Weights of layers with experts that fit in the SRAM only in the mean; stages that fit only in tiles.
  for (const std::size_t i : problems(problem_count() / 6, {945, 2038, 3540, 3757})) {
    Random random(2'000'000 + i);
    DataflowPoint point = draw(random).point;
    point.set("phase", random.chance(0.8) ? "prefill" : "train").set("weight_reload", "none");
    if (random.chance(0.3)) point.set("sharding", "joint");
    const auto with = [&point](const char* mapping) {
      DataflowPoint at = point;
      return at.set("mapping", std::string_view(mapping)).evaluate();
    };
    const NamedEstimate best = with("best");
    BOOST_TEST_CONTEXT("problem " << i << ": " << text_of(best)) {
      check_alone(best, value_text(point.values(), Parameter::overlap));
      const double gap = best["optimality_gap"] > 0.0 ? best["optimality_gap"] : 0.0;
      for (const char* mapping : {"kernel_by_kernel", "single_partition"}) {
        const NamedEstimate named = with(mapping);
        if (!is_ok(named)) continue;
        ++compared;
        BOOST_TEST(is_ok(best));
        if (is_ok(best)) BOOST_TEST(best["step_time"] * (1 - gap) <= named["step_time"] * (1 + rounding));
      }
      point.set("mapping", "best");
      if (i % 4 == 0) check_improvement(point, improvements[i / 4 % std::size(improvements)], random);
    }
  }
  BOOST_TEST(compared > problem_count() / 30);
}

/// Loading weights again never saves time.
BOOST_AUTO_TEST_CASE(reloads_never_help) {
  std::size_t slower = 0;
  for (std::size_t i = 0; i < problem_count(); ++i) {
    Random random(3'000'000 + i);
    DataflowPoint point = draw(random).point;
    point.set("sram_capacity", random.real(1e4, 1e8)).set("convention", "physical");
    const NamedEstimate once = point.set("weight_reload", "none").evaluate();
    const NamedEstimate again = point.set("weight_reload", "by_sram").evaluate();
    if (!is_ok(again)) continue;
    BOOST_TEST(is_ok(once));
    BOOST_TEST(again["step_time"] >= once["step_time"] * (1 - rounding));
    slower += again["step_time"] > once["step_time"] ? 1 : 0;
  }
  BOOST_TEST(slower > 0u);
}

BOOST_AUTO_TEST_SUITE_END()
