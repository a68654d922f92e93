/// Golden: every execution of the Calculon reference tables, its rejection and its 96 figures.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <optional>

#include "models/calculon/formulas/outputs.hpp"
#include "tests/support/calculon_reference.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(training_calculon_test)

namespace {

using namespace dfsweep;
using namespace dfsweep::testing;
using namespace dfsweep::calculon;

const CalculonReference& reference() {
  static const CalculonReference all = calculon_reference(DFSWEEP_GOLDEN_DIR);
  return all;
}

GoldenTable golden(const std::string& file) {
  return GoldenTable(DFSWEEP_GOLDEN_DIR + std::string("/reference/calculon/") + file);
}

struct Evaluation {
  Rejection rejection = Rejection::none;
  std::optional<std::array<double, output_count>> outputs;  ///< also of executions that memory rejects
};

Evaluation evaluate(const ModelShape& model, const System& system, const Execution& execution) {
  Evaluation result;
  result.rejection = rejection_of(model, system, execution);
  if (result.rejection != Rejection::none) return result;
  const BlockSetting setting = block_setting(model, execution);
  const LayerMachine machine = layer_machine(system, execution);
  const BlockSums block = block_sums(setting, machine);
  const OptimizerSums optimizer = optimizer_sums(setting, machine, shards_of(execution));
  const StageShape shape = stage_shape(model, execution);
  const Results results =
      results_of({block, optimizer, system, execution, shape}, useful_flops(setting, shards_of(execution)));
  result.rejection = memory_rejection(results.memory, system);
  result.outputs = outputs(results);
  return result;
}

/// Differences of one output over all rows.
struct Difference {
  double largest = 0.0;
  std::size_t identical = 0;
  std::size_t compared = 0;
  std::string worst;  ///< row

  void add(double expected, double found, const std::string& row) {
    ++compared;
    if (expected == found || (std::isnan(expected) && std::isnan(found))) {
      ++identical;
      return;
    }
    const double relative = std::abs(found - expected) / std::abs(expected);
    if (relative <= largest) return;
    largest = std::isnan(relative) ? std::numeric_limits<double>::infinity() : relative;
    worst = row;
  }
};

struct File {
  const char* file;
  const char* why;
};
const File files[] = {
    {"golden_repo.csv", "validation and example executions of the tool"},
    {"golden_train.csv", "training drawn at random"},
    {"golden_edge.csv", "uneven pipelines, few micro batches, swapped networks"},
    {"golden_infer.csv", "forward only"},
    {"golden_reject.csv", "one broken rule at a time"},
    {"golden_shapes.csv", "every split of a system over the degrees"},
};

}  // namespace

BOOST_AUTO_TEST_CASE(every_execution_has_its_reason_and_its_figures) {
  std::map<std::string_view, Difference> differences;
  std::size_t rows = 0;
  for (const File& file : files) {
    const GoldenTable table = golden(file.file);
    BOOST_TEST_REQUIRE(table.size() > 0U);
    for (std::size_t i = 0; i < table.size(); ++i) {
      const std::string& row = table.text(i, "row_id");
      BOOST_TEST_CONTEXT(file.why << ", " << row) {
        const Evaluation found = evaluate(reference().models.at(table.text(i, "model")),
                                          reference().systems.at(table.text(i, "system")), execution_of(table, i));
        BOOST_TEST(info_of(found.rejection).name == table.text(i, "reason"));
        const bool has_figures = !table.text(i, output_infos.front().name).empty();
        BOOST_TEST(found.outputs.has_value() == has_figures);
        if (!found.outputs || !has_figures) continue;
        ++rows;
        for (std::size_t m = 0; m < output_count; ++m)
          differences[output_infos[m].name].add(table.number(i, output_infos[m].name), (*found.outputs)[m], row);
      }
    }
  }
  std::size_t identical = 0;
  for (const auto& [name, difference] : differences) {
    BOOST_TEST_CONTEXT(name << ", worst in " << difference.worst) {
      BOOST_TEST(difference.largest <= 1e-12);
    }
    if (difference.identical == difference.compared) {
      ++identical;
      continue;
    }
    std::printf("%-40s %zu of %zu differ, by %.1e at most (%s)\n", std::string(name).c_str(),
                difference.compared - difference.identical, difference.compared, difference.largest,
                difference.worst.c_str());
  }
  std::printf("%zu of %zu outputs bit-identical in all %zu rows\n", identical, differences.size(), rows);
  BOOST_TEST(rows > 1500U);
}

BOOST_AUTO_TEST_SUITE_END()
