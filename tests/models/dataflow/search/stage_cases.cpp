/// Prints 90 stage problems of up to 18 kernels in up to 5 stages, all overlap modes in turn, with dfsweep's optimum,
/// one JSON object a line, for stage_milp.py. Times in s, `bytes` as the seconds that they take.
#include <charconv>
#include <cstdio>
#include <string>

#include "models/dataflow/search/stage_balance.hpp"
#include "tests/models/dataflow/search/random_problem.hpp"

namespace {

using namespace dfsweep;
using namespace dfsweep::dataflow;

std::string number(double value) {
  char text[40];
  return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
}

std::string json(const StageProblem& problem, const StageSearchResult& result) {
  const char* const overlaps[] = {"perfect", "none", "network_exposed"};
  std::string text = "{\"overlap\":\"" + std::string(overlaps[static_cast<int>(problem.overlap)]) +
                     "\",\"stages\":" + std::to_string(problem.stages) +
                     ",\"latency\":" + number(problem.link_latency.value()) +
                     ",\"capacity\":" + number(problem.capacity.value()) + ",\"kernels\":[";
  for (std::size_t k = 0; k < problem.kernels.size(); ++k) {
    const StageKernel& kernel = problem.kernels[k];
    text += (k > 0 ? ",{" : "{") + std::string("\"compute\":") + number(kernel.compute.value()) +
            ",\"memory\":" + number(kernel.memory.value()) + ",\"network\":" + number(kernel.network.value()) +
            ",\"held\":" + number(kernel.held.value()) + "}";
  }
  text += "],\"edges\":[";
  for (std::size_t e = 0; e < problem.edges.size(); ++e)
    text += (e > 0 ? ",{" : "{") + std::string("\"source\":") + std::to_string(problem.edges[e].source) +
            ",\"destination\":" + std::to_string(problem.edges[e].destination) +
            ",\"sending\":" + number((problem.edges[e].bytes / problem.link_bandwidth).value()) + "}";
  const bool solved = result.outcome == SearchOutcome::optimal;
  return text + "],\"time\":" + (solved ? number(result.time.value()) : "null") + "}";
}

StageProblem random_problem(std::mt19937_64& random, std::size_t number_of_it) {
  const auto amount = [&random](std::size_t last) { return static_cast<double>(test::draw(random, last)); };
  StageProblem problem;
  const std::size_t n = 6 + test::draw(random, 12);
  for (std::size_t k = 0; k < n; ++k)
    problem.kernels.push_back(
        {Seconds{1.0 + amount(60)}, Seconds{amount(40)}, Seconds{amount(40) * amount(1)}, Bytes{amount(9)}});
  for (std::size_t j = 1; j < n; ++j)
    for (std::size_t in = 1 + test::draw(random, 1); in > 0; --in) {
      const std::size_t source = j - 1 - test::draw(random, std::min<std::size_t>(j - 1, 4));
      problem.edges.push_back({source, j, Bytes{1.0 + amount(300)}});
    }
  problem.link_bandwidth = Bandwidth{10.0};
  problem.link_latency = Seconds{amount(2)};
  problem.overlap = static_cast<Overlap>(number_of_it % 3);
  problem.stages = 2 + test::draw(random, 3);
  problem.capacity = Bytes{6.0 * static_cast<double>(n) / static_cast<double>(problem.stages) + amount(30)};
  return problem;
}

}  // namespace

int main() {
  std::mt19937_64 random{21};
  for (std::size_t i = 0; i < 90; ++i) {
    const StageProblem problem = random_problem(random, i);
    std::puts(json(problem, balanced_stages(problem)).c_str());
  }
}
