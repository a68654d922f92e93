/// Golden: complete searches of the Calculon tool: how many executions each rule rejects, sums over the others, the
/// best.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <map>

#include "models/calculon/estimator.hpp"
#include "models/calculon/points/published.hpp"
#include "tests/support/calculon_reference.hpp"
#include "tests/support/calculon_search.hpp"
#include "tests/support/estimator_sweep.hpp"

BOOST_AUTO_TEST_SUITE(training_search_test)

namespace {

using namespace dfsweep;
using namespace dfsweep::testing;
namespace tt = boost::test_tools;

constexpr std::size_t top = 10;

/// What a search sums up.
struct Found {
  std::map<std::string, std::size_t> statuses;
  std::size_t executions = 0;
  double sample_rate = 0.0;
  double total_time = 0.0;
  double memory = 0.0;
  double worst = 0.0;
  std::vector<std::pair<double, std::size_t>> best;  ///< rate, place in the order; ties: the earliest first
};

void add(Found& found, double rate, double time, double memory) {
  found.sample_rate += rate;
  found.total_time += time;
  found.memory += memory;
  found.worst = found.best.empty() ? rate : std::min(found.worst, rate);
  const auto place =
      std::find_if(found.best.begin(), found.best.end(), [&](const auto& candidate) { return rate > candidate.first; });
  if (place == found.best.end() && found.best.size() == top) return;
  found.best.insert(place, {rate, found.executions});
  if (found.best.size() > top) found.best.pop_back();
}

Found search(const CalculonSearchSpace& space) {
  using calculon::Metric;
  const std::unique_ptr<Estimator> estimator = calculon::make_calculon_estimator();
  const std::unique_ptr<PreparedSweep> prepared = estimator->prepare(space.values());
  std::vector<std::vector<double>> columns(estimator->metrics().size(), std::vector<double>(4096));
  std::vector<std::span<double>> spans(columns.begin(), columns.end());
  std::vector<std::uint8_t> status(4096);
  Found found;
  space.each_block([&](const PointColumns& points) {
    EstimateColumns out{std::span(status).first(points.count()), spans};
    prepared->evaluate(points, out);
    for (std::size_t i = 0; i < points.count(); ++i, ++found.executions) {
      ++found.statuses[std::string(estimator->statuses()[status[i]].name)];
      if (status[i] != status_ok) continue;
      const auto metric = [&](Metric m) { return columns[index_of(m)][i]; };
      add(found, metric(Metric::sample_rate), metric(Metric::step_time), metric(Metric::memory_used));
    }
  });
  return found;
}

std::string precision_of(const std::string& datatype) {
  return datatype == "float8" ? "fp8" : datatype == "bfloat16" ? "bf16" : "fp16";
}

}  // namespace

BOOST_AUTO_TEST_CASE(searches_find_what_the_tool_finds) {
  const CalculonReference reference = calculon_reference(DFSWEEP_GOLDEN_DIR);
  const std::string folder = std::string(DFSWEEP_GOLDEN_DIR) + "/reference/calculon/";
  const GoldenTable searches(folder + "golden_search.csv");
  const GoldenTable tops(folder + "golden_search_top.csv");
  const std::string prefix = "bad_";
  BOOST_TEST_REQUIRE(searches.size() > 0U);
  for (std::size_t row = 0; row < searches.size(); ++row) {
    const std::string& id = searches.text(row, "search_id");
    BOOST_TEST_CONTEXT(id) {
      const CalculonSearchSpace space({model_entry_of(reference.models.at(searches.text(row, "model"))),
                                       system_entry_of(reference.systems.at(searches.text(row, "system"))),
                                       searches.number(row, "num_procs"), searches.number(row, "max_batch_size"),
                                       precision_of(searches.text(row, "datatype"))});
      Found found = search(space);
      const auto whole = [&](const std::string& column) {
        return static_cast<std::size_t>(searches.number(row, column));
      };
      BOOST_TEST(found.executions == whole("total"));
      BOOST_TEST(found.statuses["ok"] == whole("good"));
      for (const std::string& column : searches.columns())
        if (column.starts_with(prefix)) BOOST_TEST(found.statuses[column.substr(prefix.size())] == whole(column));
      BOOST_TEST(found.sample_rate == searches.number(row, "sum_sample_rate"), tt::tolerance(1e-10));
      BOOST_TEST(found.total_time == searches.number(row, "sum_total_time"), tt::tolerance(1e-10));
      BOOST_TEST(found.memory == searches.number(row, "sum_mem_tier1"), tt::tolerance(1e-10));
      BOOST_TEST(found.worst == searches.number(row, "worst_sample_rate"), tt::tolerance(1e-12));
      for (std::size_t i = 0; i < tops.size(); ++i) {
        if (tops.text(i, "search_id") != id) continue;
        const auto rank = static_cast<std::size_t>(tops.number(i, "rank")) - 1;
        BOOST_TEST_REQUIRE(rank < found.best.size());
        BOOST_TEST(found.best[rank].first == tops.number(i, "sample_rate"), tt::tolerance(1e-12));
        BOOST_TEST(found.best[rank].second == static_cast<std::size_t>(tops.number(i, "enumeration_index")));
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
