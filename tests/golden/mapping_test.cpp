/// Golden: the dataflow mappings that DFModel's solver found against the proven optimum of the same problem, as a
/// table.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdio>

#include "tests/support/dataflow_point.hpp"
#include "tests/support/dfmodel_rows.hpp"

BOOST_AUTO_TEST_SUITE(mapping_test)

namespace {

using dfsweep::Entry;
using namespace dfsweep::testing;

using Row = DfmodelRow;

std::vector<Row> rows_of(const std::string& file) {
  return dfmodel_rows(DFSWEEP_GOLDEN_DIR, file);
}

constexpr double giga = 1e9;

DataflowPoint training_point(const Row& row) {
  DataflowPoint point;
  point.set("model", transformer_entry(25600, 160, 128, 2048, 3072))
      .set("device", device_entry(number(row, "cores"), number(row, "systolic_w"), number(row, "systolic_h"),
                                  number(row, "freq_ghz") * giga, number(row, "sram_bytes"), 0, 0))
      .set("memory", memory_entry(number(row, "dram_gbs") * giga, 0))
      .set("topology", topology_entry(topology_letters(row.at("topology"))))
      .set("interconnect", interconnect_entry(number(row, "link_x_gbs") * giga, 0))
      .set("outer_interconnect", interconnect_entry(number(row, "link_other_gbs") * giga, 0))
      .set("tensor_parallel", number(row, "TP"))
      .set("pipeline_parallel", number(row, "PP"))
      .set("data_parallel", number(row, "DP"))
      .set("overlap", row.at("overlap_mode"))
      .set("compute_utilization", number(row, "compute_util_input"))
      .set("convention", "dfmodel-g1");
  return point;
}

DataflowPoint prefill_point(const Row& row, const Entry& device, double dram, double link, double utilization,
                            const std::string& convention) {
  DataflowPoint point;
  point.set("model", transformer_entry(12288, 96, 96, 2048, 2304))
      .set("phase", "prefill")
      .set("device", device)
      .set("memory", memory_entry(dram, 0))
      .set("topology", topology_entry(topology_letters(row.at("topology"))))
      .set("interconnect", interconnect_entry(link, 0))
      .set("tensor_parallel", number(row, "TP"))
      .set("pipeline_parallel", number(row, "PP"))
      .set("data_parallel", number(row, "DP"))
      .set("overlap", row.at("overlap_mode"))
      .set("compute_utilization", utilization)
      .set("convention", convention);
  return point;
}

/// Step time of the best mapping; infinite if no mapping is feasible.
double best(DataflowPoint point, const std::string& order, double most, const std::string& sram) {
  point.set("mapping", "best").set("phase_order", order).set("max_partitions", most).set("sram_accounting", sram);
  const NamedEstimate result = point.evaluate();
  if (result.status != "ok") return HUGE_VAL;
  BOOST_TEST(result["optimality_gap"] == 0.0);
  return result["step_time"];
}

void print_row(const std::string& id, double logged, double given, const DataflowPoint& point, double most) {
  std::printf("%-38s %12.6f %12.6f", id.c_str(), logged, given);
  for (const char* sram : {"code", "split", "paper"})
    std::printf(" | %s %11.6f %11.6f %11.6f %11.6f", sram, best(point, "separate", most, sram),
                best(point, "separate", 0, sram), best(point, "one_mixed", 0, sram), best(point, "free", 0, sram));
  std::printf("\n");
}

}  // namespace

BOOST_AUTO_TEST_CASE(sn30_training) {
  std::map<std::string, std::string> assignments;
  for (const Row& row : rows_of("partitions.csv"))
    assignments[row.at("row_id")] = row.at("assignment_of_kernels_1_to_n");
  std::printf(
      "row, logged s, given partition s | accounting: separate with the logged count at most, then count free: "
      "separate, one_mixed, free\n");
  for (const Row& row : rows_of("llm_gpt3_1t_dse.csv")) {
    if (row.at("accelerator") != "sn30" || number(row, "compute_util_input") == 0.0) continue;
    const std::string& id = row.at("row_id");
    const DataflowPoint point = training_point(row);
    double given = std::nan("");
    if (assignments.count(id) > 0) {
      DataflowPoint fixed = point;
      const NamedEstimate result = fixed.set("mapping", assignment_entry(assignments[id])).evaluate();
      BOOST_REQUIRE(result.status == "ok");
      given = result["step_time"];
    }
    const double logged = number(row, "iteration_time_s");
    const double most = number(row, "num_partitions");
    print_row(id, logged, given, point, most);
    const double ours = best(point, "separate", most, "code");
    BOOST_CHECK_MESSAGE(ours <= logged * (1.0 + 1e-6), id << ": logged " << logged << ", ours " << ours);
    BOOST_CHECK(best(point, "separate", 0, "code") <= ours);
    BOOST_CHECK(best(point, "one_mixed", 0, "code") <= ours);
    BOOST_CHECK(best(point, "free", 0, "code") <= best(point, "one_mixed", 0, "code"));
  }
}

BOOST_AUTO_TEST_CASE(sn10_prefill) {
  for (const Row& row : rows_of("gpt3_175b_sn10_mapping.csv")) {
    const bool perfect = row.at("overlap_mode") == "perfect";
    const Entry device = device_entry(number(row, "cores"), number(row, "systolic_w"), number(row, "systolic_h"),
                                      number(row, "freq_ghz") * giga, number(row, "sram_bytes"), 0, 0);
    const DataflowPoint point =
        prefill_point(row, device, number(row, "dram_gbs") * giga, number(row, "link_gbs") * giga,
                      number(row, "compute_util_input"), perfect ? "dfmodel-g1" : "dfmodel-g2");
    print_row(row.at("row_id"), number(row, "iteration_time_s"), std::nan(""), point, 4);
    if (row.at("mapping") != "dataflow") continue;
    const double logged = number(row, "iteration_time_s");
    BOOST_CHECK_MESSAGE(best(point, "free", 4, "code") <= logged * (1.0 + 1e-6), row.at("row_id"));
  }
}

BOOST_AUTO_TEST_CASE(sram_and_dram_prefill) {
  for (const Row& row : rows_of("gpt3_175b_sram_dram.csv")) {
    const Entry device = device_entry(640, 32, 6, 1.25e9, number(row, "sram_mb_nominal") * 1048576.0, 0, 0);
    const DataflowPoint point =
        prefill_point(row, device, number(row, "dram_gbs") * giga, number(row, "link_gbs") * giga, 0.0, "dfmodel-g2");
    print_row(row.at("row_id"), number(row, "iteration_time_s"), std::nan(""), point, 4);
  }
}

BOOST_AUTO_TEST_SUITE_END()
