/// Golden: the logged runs of DFModel against the dataflow estimator, row by row, with the tolerance of its trust
/// grade.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdio>

#include "tests/support/dataflow_point.hpp"
#include "tests/support/dfmodel_rows.hpp"

BOOST_AUTO_TEST_SUITE(dataflow_test)

namespace {

using dfsweep::Entry;
using namespace dfsweep::testing;

using Row = DfmodelRow;

std::vector<Row> rows_of(const std::string& file) {
  return dfmodel_rows(DFSWEEP_GOLDEN_DIR, file);
}

constexpr double giga = 1e9;

Entry device_of(const Row& row, double price, double power) {
  return device_entry(number(row, "cores"), number(row, "systolic_w"), number(row, "systolic_h"),
                      number(row, "freq_ghz") * giga, row.count("sram_bytes") ? number(row, "sram_bytes") : 1e12, price,
                      power);
}

double dram_power(const std::string& technology) {
  return (technology == "ddr" ? 0.16248 : 0.05624) / giga;
}
double link_power(const std::string& technology) {
  return (technology == "pcie" ? 0.052 : 0.0104) / giga;
}

/// Largest relative difference in time, utilization, cost and power, printed; infinite where the point is not ok.
struct Difference {
  double time = HUGE_VAL;
  double utilization = HUGE_VAL;
  double cost = HUGE_VAL;
  double power = HUGE_VAL;
  double largest() const { return std::max({time, utilization, cost, power}); }
};

Difference compare(const Row& row, const DataflowPoint& point, const std::string& time_column) {
  const NamedEstimate result = point.evaluate();
  const auto relative = [&](const char* metric, const std::string& column) {
    const double expected = number(row, column);
    return std::abs(result[metric] - expected) / expected;
  };
  Difference d;
  if (result.status == "ok")
    d = {relative("step_time", time_column), relative("utilization", "system_flops_utilization"),
         relative("system_cost", "system_cost_usd"), relative("system_power", "system_power_w")};
  std::printf("%-48s %-13s time %.1e  utilization %.1e  cost %.1e  power %.1e\n", row.at("row_id").c_str(),
              result.status.c_str(), d.time, d.utilization, d.cost, d.power);
  return d;
}

DataflowPoint gpt3_1t_point(const Row& row) {
  DataflowPoint point;
  point.set("model", transformer_entry(25600, 160, 128, 2048, 3072))
      .set("device", device_of(row, number(row, "accelerator_price"), number(row, "accelerator_power")))
      .set("memory", memory_entry(number(row, "dram_gbs") * giga, dram_power(row.at("memory_tech"))))
      .set("topology", topology_entry(topology_letters(row.at("topology"))))
      .set("interconnect", interconnect_entry(number(row, "link_x_gbs") * giga, link_power(row.at("net_tech"))))
      .set("outer_interconnect", interconnect_entry(number(row, "link_other_gbs") * giga, 0.052 / giga))
      .set("tensor_parallel", number(row, "TP"))
      .set("pipeline_parallel", number(row, "PP"))
      .set("data_parallel", number(row, "DP"))
      .set("overlap", row.at("overlap_mode"))
      .set("compute_utilization", number(row, "compute_util_input"))
      .set("convention", "dfmodel-g1");
  return point;
}

}  // namespace

BOOST_AUTO_TEST_CASE(gpt3_1t_systems) {
  std::map<std::string, std::string> assignments;
  for (const Row& row : rows_of("partitions.csv"))
    assignments[row.at("row_id")] = row.at("assignment_of_kernels_1_to_n");
  for (const Row& row : rows_of("llm_gpt3_1t_dse.csv")) {
    DataflowPoint point = gpt3_1t_point(row);
    const std::string& id = row.at("row_id");
    const bool dataflow = row.at("execution_style") == "DATAFLOW";
    const bool given = assignments.count(id) > 0;
    if (given)
      point.set("mapping", assignment_entry(assignments[id]));
    else if (dataflow && row.at("num_partitions") == "1")
      point.set("mapping", "single_partition");
    else if (dataflow)
      continue;  // its partition was not logged
    const Difference d = compare(row, point, "iteration_time_s");
    BOOST_CHECK_LT(std::max(d.cost, d.power), 1e-6);
    const bool reported_only = id == "gpt1t_tpu_dgx_1_hbm_nvlink_none" || number(row, "compute_util_input") == 0.0;
    if (!reported_only) BOOST_CHECK_LT(d.largest(), 1e-3);
  }
}

BOOST_AUTO_TEST_CASE(gpt3_1t_flop_of_an_iteration) {
  const Row row = rows_of("llm_gpt3_1t_dse.csv").at(8);
  const NamedEstimate result = gpt3_1t_point(row).evaluate();
  BOOST_TEST(result["achieved_flops"] * result["step_time"] == 3.850722404619780e19,
             boost::test_tools::tolerance(1e-15));
}

BOOST_AUTO_TEST_CASE(sn10_mappings) {
  for (const Row& row : rows_of("gpt3_175b_sn10_mapping.csv")) {
    const bool perfect = row.at("overlap_mode") == "perfect";
    DataflowPoint point;
    point.set("model", transformer_entry(12288, 96, 96, 2048, 2304))
        .set("phase", "prefill")
        .set("device", device_of(row, 16522.25023, 444.7061955))
        .set("memory", memory_entry(number(row, "dram_gbs") * giga, 0.16248 / giga))
        .set("topology", topology_entry(topology_letters(row.at("topology"))))
        .set("interconnect", interconnect_entry(number(row, "link_gbs") * giga, 0.052 / giga))
        .set("tensor_parallel", number(row, "TP"))
        .set("pipeline_parallel", number(row, "PP"))
        .set("data_parallel", number(row, "DP"))
        .set("overlap", row.at("overlap_mode"))
        .set("compute_utilization", number(row, "compute_util_input"))
        .set("convention", std::string(perfect ? "dfmodel-g1" : "dfmodel-g2"));
    if (row.at("mapping") == "vendor")
      point.set("mapping", assignment_entry("0 0 0 0 0 1 1 1 1 1 1 1 1 2 3 3 3 3"));
    else if (row.at("mapping") != "kbk")
      continue;
    const Difference d = compare(row, point, "iteration_time_s");
    if (perfect) BOOST_CHECK_LT(d.largest(), 1e-6);
  }
}

BOOST_AUTO_TEST_CASE(rail_only_sweep) {
  for (const Row& row : rows_of("rail_only_h100_sweep.csv")) {
    DataflowPoint point;
    point.set("model", transformer_entry(25600, 160, 128, 2048, 4096))
        .set("device", device_entry(1056, 16, 16, 1.837e9, 118489090, 16522.25023, 444.7061955))
        .set("memory", memory_entry(number(row, "dram_gbs") * giga, 0.16248 / giga))
        .set("topology", topology_entry("sss"))
        .set("interconnect", interconnect_entry(number(row, "link_x_gbs") * giga, 0.052 / giga))
        .set("outer_interconnect", interconnect_entry(number(row, "link_y_gbs") * giga, 0.052 / giga))
        .set("tensor_parallel", number(row, "TP"))
        .set("pipeline_parallel", number(row, "PP"))
        .set("data_parallel", number(row, "DP"))
        .set("high_bandwidth_domain", number(row, "high_bandwidth_domain_size"))
        .set("overlap", row.at("overlap_mode"))
        .set("compute_utilization", number(row, "compute_util_input"))
        .set("convention", "dfmodel-g2");
    BOOST_CHECK_LT(compare(row, point, "iteration_time_s").largest(), 1e-6);
  }
}

namespace {

/// DLRM, HPL and FFT: one technology on all links; H100 was priced in two ways.
void check_whole_machine(const std::string& file, Entry (*model_of)(const Row&), double word_bytes) {
  for (const Row& row : rows_of(file)) {
    const std::string& chip = row.at("accelerator");
    const std::map<std::string, std::pair<double, double>> prices{{"h100", {33000, 750}},
                                                                  {"tpu", {4474.816901, 170.6308815}},
                                                                  {"sn30", {16522.25023, 444.7061955}},
                                                                  {"wse-2", {3025964.118, 20298.12258}}};
    DataflowPoint point;
    point.set("model", model_of(row))
        .set("device", device_of(row, prices.at(chip).first, prices.at(chip).second))
        .set("memory", memory_entry(number(row, "dram_gbs") * giga, dram_power(row.at("memory_tech"))))
        .set("topology", topology_entry(topology_letters(row.at("topology"))))
        .set("shape", row.at("dims"))
        .set("interconnect",
             interconnect_entry(number(row, "link_gbs_all_dims") * giga, link_power(row.at("net_tech"))))
        .set("overlap", row.at("overlap_mode"))
        .set("compute_utilization", number(row, "compute_util_input"))
        .set("convention", "dfmodel-g1");
    if (word_bytes == 4.0) point.set("precision", "fp32");
    if (row.at("num_partitions") == "1") point.set("mapping", "single_partition");
    Difference d = compare(row, point, "total_time_s");
    if (chip == "h100" && d.cost > 1e-6) {
      point.set("device_price", 20000).set("device_power", 511.577);
      d = compare(row, point, "total_time_s");
    }
    BOOST_CHECK_LT(d.largest(), 1e-6);
  }
}

Entry dlrm_entry(const Row&) {
  Entry entry;
  entry.name = "dlrm";
  entry.texts["kind"] = "dlrm";
  entry.numbers = {{"tables", 600},      {"rows_per_table", 14211469}, {"embedding_dim", 93},
                   {"pooled_rows", 30},  {"mlp_layers", 20},           {"bottom_layers", 10},
                   {"mlp_width", 13500}, {"samples_per_chip", 128},    {"global_batch", 128e6}};
  return entry;
}

Entry hpl_entry(const Row& row) {
  Entry entry;
  entry.name = "hpl";
  entry.texts["kind"] = "hpl";
  const bool wafer = row.at("accelerator") == "wse-2";
  entry.numbers = {
      {"matrix_size", wafer ? 5242880.0 : 1048576.0}, {"block_size", wafer ? 81920.0 : 2048.0}, {"steps", 64}};
  return entry;
}

Entry fft_entry(const Row&) {
  Entry entry;
  entry.name = "fft";
  entry.texts["kind"] = "fft";
  entry.numbers = {{"length", 1099511627776.0}, {"radix", 32}};
  return entry;
}

}  // namespace

BOOST_AUTO_TEST_CASE(dlrm_systems) {
  check_whole_machine("dlrm_793b_dse.csv", dlrm_entry, 4.0);
}
BOOST_AUTO_TEST_CASE(hpl_systems) {
  check_whole_machine("hpl_dse.csv", hpl_entry, 2.0);
}
BOOST_AUTO_TEST_CASE(fft_systems) {
  check_whole_machine("fft_1t_dse.csv", fft_entry, 2.0);
}

BOOST_AUTO_TEST_SUITE_END()
