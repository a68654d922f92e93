/// Prints partition problems with dfsweep's optimum and the seconds it took, one JSON object a line, for
/// mapping_milp.py.
///
///     mapping_cases random       200 of up to 18 kernels in up to 4 partitions, all modes and rules in turn
///     mapping_cases training     the 41-kernel training layer on SN30, 6 partitions
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>

#include "models/dataflow/search/partition_search.hpp"
#include "tests/models/dataflow/search/random_problem.hpp"
#include "tests/support/mapping_study.hpp"

namespace {

using namespace dfsweep;
using namespace dfsweep::dataflow;

std::string number(double value) {
  char text[40];
  return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
}
std::string number_or_null(double value) {
  return std::isfinite(value) ? number(value) : "null";
}

std::string json(const std::string& name, const PartitionProblem& problem, const PartitionSearchResult& result,
                 double seconds) {
  const char* const overlaps[] = {"perfect", "none", "network_exposed"};
  const char* const mixings[] = {"separate", "one_mixed", "free"};
  const char* const rules[] = {"any", "at_most", "exactly"};
  std::string text = "{\"name\":\"" + name + "\",\"overlap\":\"" + overlaps[static_cast<int>(problem.overlap)] +
                     "\",\"mixing\":\"" + mixings[static_cast<int>(problem.mixing)] + "\",\"rule\":\"" +
                     rules[static_cast<int>(problem.count_rule)] + "\",\"count\":" + std::to_string(problem.count) +
                     ",\"sram_capacity\":" + number_or_null(problem.sram_capacity.value()) +
                     ",\"live_capacity\":" + number_or_null(problem.live_capacity.value()) + ",\"kernels\":[";
  for (std::size_t k = 0; k < problem.kernels.size(); ++k) {
    const PartitionKernel& kernel = problem.kernels[k];
    text += (k > 0 ? ",{" : "{") + std::string("\"compute\":") + number(kernel.compute.value()) +
            ",\"network\":" + number(kernel.network.value()) +
            ",\"memory\":" + number((kernel.memory / problem.dram_bandwidth).value()) +
            ",\"sram\":" + number(kernel.sram.value()) +
            ",\"forward\":" + (kernel.pass == Pass::forward ? "true" : "false") + "}";
  }
  text += "],\"edges\":[";
  for (std::size_t e = 0; e < problem.edges.size(); ++e) {
    const PartitionEdge& edge = problem.edges[e];
    text += (e > 0 ? ",{" : "{") + std::string("\"source\":") + std::to_string(edge.source) +
            ",\"destination\":" + std::to_string(edge.destination) +
            ",\"traffic\":" + number((edge.traffic / problem.dram_bandwidth).value()) +
            ",\"live\":" + number(edge.traffic.value()) + ",\"inside\":" + number(edge.sram_inside.value()) +
            ",\"boundary\":" + number(edge.sram_boundary.value()) + "}";
  }
  const bool solved = result.outcome == SearchOutcome::optimal;
  return text + "],\"time\":" + (solved ? number(result.time.value()) : "null") + ",\"seconds\":" + number(seconds) +
         "}";
}

void print(const std::string& name, const PartitionProblem& problem, PartitionSearch& search) {
  double least = 1e300;
  PartitionSearchResult result;
  for (int repetition = 0; repetition < 5; ++repetition) {
    const auto start = std::chrono::steady_clock::now();
    result = search.solve(problem);
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::puts(json(name, problem, result, least).c_str());
}

void random_cases() {
  constexpr std::size_t count = 200;
  std::mt19937_64 random{18};
  PartitionSearch search;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t n = 6 + test::draw(random, 12);
    PartitionProblem problem = test::graph_problem(n, 0, test::shuffled(n, random), n - test::draw(random, n / 2));
    const std::vector<std::size_t> names = test::shuffled(n, random);
    // Edges follow the numbers, so that a backward kernel never feeds a forward one.
    for (std::size_t k = 0; k < n; ++k)
      problem.kernels[k].pass = 3 * k < 2 * n || i % 3 == 0 ? Pass::forward : Pass::backward;
    for (std::size_t j = 1; j < n; ++j)
      for (std::size_t in = 1 + test::draw(random, 1); in > 0; --in) {
        const std::size_t source = j - 1 - test::draw(random, std::min<std::size_t>(j - 1, 4));
        bool known = false;
        for (const PartitionEdge& edge : problem.edges)
          known = known || (edge.source == source && edge.destination == j);
        if (!known) problem.edges.push_back({source, j, {}, {}, {}});
      }
    test::fill_amounts(problem, random, {60, 40, 10, 30, 25, 3, 4}, false);
    problem.overlap = static_cast<Overlap>(i % 3);
    problem.mixing = static_cast<PassMixing>(i / 3 % 3);
    problem.count_rule = i / 9 % 2 == 0 ? CountRule::at_most : CountRule::exactly;
    problem.count = 2 + test::draw(random, 2);
    problem.sram_capacity = Bytes{static_cast<double>(20 * n / problem.count + test::draw(random, 80))};
    if (i / 18 % 2 == 1) problem.live_capacity = Bytes{static_cast<double>(40 + test::draw(random, 120))};
    print("random " + std::to_string(i), problem, search);
  }
}

void training_cases() {
  struct Rules {
    SramAccounting sram;
    PassMixing mixing;
    CountRule count;
  };
  PartitionSearch search;
  for (const testing::NamedSystem& named : testing::paper_systems())
    for (const Overlap overlap : {Overlap::perfect, Overlap::none, Overlap::network_exposed})
      for (const Rules& rules : {Rules{SramAccounting::code, PassMixing::separate, CountRule::at_most},
                                 Rules{SramAccounting::code, PassMixing::one_mixed, CountRule::at_most},
                                 Rules{SramAccounting::code, PassMixing::free, CountRule::at_most},
                                 Rules{SramAccounting::paper, PassMixing::separate, CountRule::exactly}}) {
        if (named.name != "sn30_2d_torus_ddr_pcie" && named.name != "sn30_2d_torus_hbm_nvlink") continue;
        testing::StudyOptions options;
        options.overlap = overlap;
        options.sram = rules.sram;
        options.setting = {2048.0, WeightPlace::dram, rules.mixing, rules.count, 6};
        print(named.name + " " + std::to_string(static_cast<int>(rules.mixing)),
              testing::study_problem(testing::StudyWorkload::gpt3_1t_train, named.system, options), search);
      }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "random") == 0)
    random_cases();
  else if (argc == 2 && std::strcmp(argv[1], "training") == 0)
    training_cases();
  else
    return 2;
  return 0;
}
