/// The estimator: points by parameter names, their statuses, and what a run costs.
#include "models/training/walk/prepared_sweep.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "models/training/estimator.hpp"
#include "models/training/points/decoded_values.hpp"
#include "models/training/step/estimate.hpp"
#include "tests/support/estimator_sweep.hpp"
#include "tests/support/named_rows.hpp"
#include "tests/support/training_point.hpp"

BOOST_AUTO_TEST_SUITE(prepared_sweep_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::training;

namespace {

Entry model() {
  Entry entry;
  entry.name = "small";
  entry.texts["kind"] = "transformer";
  entry.numbers = {{"layers", 8},     {"hidden", 4096},       {"heads", 32},
                   {"head_dim", 128}, {"key_value_heads", 8}, {"ffn_hidden", 14336},
                   {"gated_ffn", 1},  {"vocabulary", 32000},  {"sequence_length", 4096}};
  return entry;
}

Entry system() {
  Entry entry;
  entry.name = "two nodes";
  entry.numbers = {
      {"peak_flops", 1e15},     {"peak_flops_8bit", 2e15},   {"memory_bandwidth", 4e12}, {"memory_capacity", 80e9},
      {"host_bandwidth", 50e9}, {"host_capacity", 200e9},    {"node_devices", 8},        {"node_bandwidth", 400e9},
      {"node_latency", 1e-6},   {"network_bandwidth", 50e9}, {"network_latency", 5e-6},  {"power", 1000},
      {"price", 30000}};
  return entry;
}

/// The point that tests share, by parameters.
testing::EstimatorSweep sweep() {
  testing::EstimatorSweep s(make_training_estimator);
  s.set("model", model()).set("system", system()).set("device_count", 16).set("tensor_parallel", 2);
  s.set("global_batch", 32).set("optimizer_sharding", 1).set("tensor_overlap", "ring");
  return s;
}

struct StatusCase {
  const char* why;
  const char* parameter;
  double value;
  const char* status;
};

const StatusCase status_cases[] = {
    {"as it is", "micro_batch", 1, "ok"},
    {"degrees exceed the devices", "pipeline_parallel", 16, "data_parallel_too_small"},
    {"degrees that do not multiply", "data_parallel", 4, "degrees_do_not_multiply"},
    {"32 heads over three", "tensor_parallel", 3, "degrees_do_not_multiply"},
    {"chunks without stages", "interleaving", 2, "interleaving_with_one_stage"},
    {"more sequences at once than a replica has", "micro_batch", 8, "batch_too_small"},
    {"experts of a model that has none", "expert_parallel", 2, "degrees_do_not_divide"},
    {"an expert of a model that has none", "expert_tensor_parallel", 2, "degrees_do_not_divide"},
    {"a batch of a million tokens at once", "sequence_length", 1048576, "out_of_memory"},
};

}  // namespace

BOOST_DATA_TEST_CASE(points_have_a_status, bdata::make(status_cases)) {
  BOOST_TEST(sweep().set(sample.parameter, sample.value).evaluate().status == sample.status);
}

// Embedding and output layer may have stages of their own: eight layers fill at most ten.
BOOST_AUTO_TEST_CASE(stages_are_layers_and_both_ends) {
  const auto with = [](double stages) {
    return sweep().set("device_count", stages).set("pipeline_parallel", stages).set("tensor_parallel", 1).evaluate();
  };
  BOOST_TEST(with(10).status == "ok");
  BOOST_TEST(with(11).status == "too_many_stages");
}

BOOST_AUTO_TEST_CASE(a_point_is_the_estimate_of_its_step) {
  const testing::NamedEstimate found = sweep().evaluate();
  const StepEstimate expected = estimate_step(testing::training_point());
  const double step = expected.time.total().value();
  BOOST_TEST(found["step_time"] == step, tt::tolerance(1e-12));
  BOOST_TEST(found["memory_used"] == expected.memory.device.total().value(), tt::tolerance(1e-12));
  BOOST_TEST(found["model_flops_utilization"] == expected.model_flops_utilization_causal, tt::tolerance(1e-12));
  BOOST_TEST(found["token_rate"] == 32 * 4096 / step, tt::tolerance(1e-12));
  BOOST_TEST(found["system_cost"] == 16 * 30000.0);
  BOOST_TEST(std::isnan(found["train_cost"]));
  double parts = 0;
  for (const char* part : {"forward_time", "backward_time", "optimizer_time", "recompute_time", "bubble_time",
                           "tensor_comm_time", "pipeline_comm_time", "data_comm_time", "offload_time",
                           "expert_comm_time", "context_comm_time", "host_time", "imbalance_time", "straggler_time"})
    parts += found[part];
  BOOST_TEST(parts == step, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_forward_pass_is_a_step_without_what_follows_it) {
  testing::EstimatorSweep forward = sweep();
  forward.set("phase", "forward").set("train_tokens", 1e12);
  const testing::NamedEstimate found = forward.evaluate();
  const testing::NamedEstimate trained = sweep().evaluate();
  BOOST_TEST(found.status == "ok");
  BOOST_TEST(found["forward_time"] == trained["forward_time"]);
  for (const char* none : {"backward_time", "recompute_time", "optimizer_time", "data_comm_time", "offload_used"})
    BOOST_TEST(found[none] == 0);
  BOOST_TEST(found["tensor_comm_time"] == trained["tensor_comm_time"] / 2, tt::tolerance(1e-12));
  BOOST_TEST(found["memory_used"] < trained["memory_used"] / 2);
  // fully sharded weights are kept in 16 bits, as nothing updates them: an eighth of the replicas' 2 bytes
  const double whole = found["memory_used"];
  const double sharded = forward.set("optimizer_sharding", 3).evaluate()["memory_used"];
  BOOST_TEST(sharded < whole);
  BOOST_TEST(forward.evaluate()["data_comm_time"] > 0);  // gathers
}

BOOST_AUTO_TEST_CASE(a_run_costs_its_devices_and_hours) {
  const testing::NamedEstimate found = sweep().set("train_tokens", 1e12).set("device_hour_price", 2).evaluate();
  const double seconds = 1e12 / found["token_rate"];
  BOOST_TEST(found["time_to_train"] == seconds, tt::tolerance(1e-12));
  BOOST_TEST(found["train_days"] == seconds / 86400, tt::tolerance(1e-12));
  BOOST_TEST(found["train_cost"] == 16 * 2 * seconds / 3600, tt::tolerance(1e-12));
  BOOST_TEST(found["cost_per_million_tokens"] * 1e6 == found["train_cost"], tt::tolerance(1e-12));
  BOOST_TEST(found["train_energy"] == found["system_average_power"] * seconds, tt::tolerance(1e-12));
}

struct LawCase {
  const char* why;
  const char* learning_rate_exponent;
  const char* batch_exponent;
  double size;
};

// A layer has 4096 x (2 x 4096 + 2 x 1024) parameters of attention and 3 x 4096 x 14336 of its network: 218103808.
const LawCase law_cases[] = {
    {"eight layers, without embedding and output layer", "lr_lnN", "batch_lnN", 1744830464.0},
    {"all of them are active", "lr_lnNa", "batch_lnNa", 1744830464.0},
    {"tokens of the run", "lr_lnD", "batch_lnD", 1e10},
    // A token takes 3 x (2 x (8 layers + 32000 x 4096 of the output layer) + 2 x 8 x 2048 x 32 x 256 of attention)
    // FLOP.
    {"FLOP of the run, output layer included", "lr_lnC", "batch_lnC", 12060721152.0 * 1e10},
};

BOOST_DATA_TEST_CASE(a_law_tells_optimum_and_excess, bdata::make(law_cases)) {
  Entry law;
  law.name = "parabola";
  law.numbers = {{"lr_intercept", std::log(1e-3)},
                 {sample.learning_rate_exponent, -0.5},
                 {"batch_intercept", std::log(262144.0)},
                 {sample.batch_exponent, 0.25},
                 {"curvature_xx", 0.02},
                 {"curvature_xy", 0.005},
                 {"curvature_yy", 0.01}};
  const double best_rate = 1e-3 / std::sqrt(sample.size);
  const double best_batch = 262144 * std::pow(sample.size, 0.25);
  const testing::NamedEstimate found =
      sweep().set("law", law).set("train_tokens", 1e10).set("learning_rate", 2 * best_rate).evaluate();
  BOOST_TEST(found["optimal_learning_rate"] == best_rate, tt::tolerance(1e-12));
  BOOST_TEST(found["optimal_batch_tokens"] == best_batch, tt::tolerance(1e-12));
  // half of the quadratic form at ln 2 and the batch of a step, 32 x 4096 tokens
  const double x = std::log(2.0);
  const double y = std::log(131072 / best_batch);
  BOOST_TEST(found["loss_excess"] == std::expm1(0.5 * (0.02 * x * x + 2 * 0.005 * x * y + 0.01 * y * y)),
             tt::tolerance(1e-10));
}

BOOST_AUTO_TEST_CASE(state_bytes_are_three_numbers) {
  BOOST_TEST(state_bytes_of("2/4/12")->optimizer == 12);
  BOOST_TEST(state_bytes_of("4/0.5/8")->gradient == 0.5);
  for (const char* wrong : {"", "2", "2/4", "2/4/12/1", "2/-1/3", "a/b/c", "2/4/"})
    BOOST_TEST(!state_bytes_of(wrong), wrong);
}

BOOST_AUTO_TEST_CASE(unknown_words_have_a_status) {
  BOOST_TEST(sweep().set("precision", "fp32").evaluate().status == "no_number_format");
  BOOST_TEST(sweep().set("precision", "fp4").evaluate().status == "ok");
  BOOST_TEST(sweep().set("recompute", "other").evaluate().status == "unknown_recompute");
  BOOST_TEST(sweep().set("tensor_overlap", "other").evaluate().status == "unknown_tensor_overlap");
}

BOOST_AUTO_TEST_CASE(a_sequence_needs_a_length) {
  Entry unknown = model();
  unknown.numbers.erase("sequence_length");
  BOOST_TEST(sweep().set("model", unknown).evaluate().status == "no_sequence_length");
  BOOST_TEST(sweep().set("model", unknown).set("sequence_length", 4096).evaluate().status == "ok");
}

BOOST_AUTO_TEST_CASE(an_output_layer_needs_a_vocabulary) {
  Entry unknown = model();
  unknown.numbers.erase("vocabulary");
  BOOST_TEST(sweep().set("model", unknown).evaluate().status == "no_vocabulary");
}

BOOST_AUTO_TEST_CASE(linear_and_sparse_attention_are_not_modelled) {
  Entry linear = model();
  for (const char* field :
       {"linear_layers", "linear_key_heads", "linear_key_dim", "linear_value_heads", "linear_value_dim"})
    linear.numbers[field] = 1;
  BOOST_TEST(sweep().set("model", linear).evaluate().status == "unknown_attention");
  Entry sparse = model();
  for (const char* field : {"index_heads", "index_head_dim", "index_positions"}) sparse.numbers[field] = 1;
  BOOST_TEST(sweep().set("model", sparse).evaluate().status == "unknown_attention");
}

BOOST_AUTO_TEST_CASE(a_device_with_its_memory_and_links_is_a_system) {
  Entry device;
  device.numbers = {{"peak_flops", 1e15}, {"sram_capacity", 50e6}, {"price", 20000}, {"power", 800}};
  Entry memory;
  memory.numbers = {
      {"bandwidth", 4e12}, {"capacity", 80e9}, {"price_per_bandwidth", 1e-9}, {"power_per_bandwidth", 1e-11}};
  Entry inside;
  inside.numbers = {{"bandwidth", 400e9}, {"latency", 1e-6}};
  Entry across;
  across.numbers = {{"bandwidth", 50e9}, {"latency", 5e-6}};
  testing::EstimatorSweep built = sweep();
  built.set_absent("system").set("device", device).set("memory", memory).set("interconnect", inside);
  built.set("outer_interconnect", across);
  const testing::NamedEstimate named = sweep().evaluate();
  const testing::NamedEstimate found = built.evaluate();
  BOOST_TEST(found.status == "ok");
  for (const char* metric : {"step_time", "memory_used", "data_comm_time"}) BOOST_TEST(found[metric] == named[metric]);
  // Links and switches of 400 and 50 GB/s at the usual 26 USD and 0.0624 W for each GB/s.
  BOOST_TEST(found["system_cost"] == 16 * (20000 + 4000.0 + 450 * 26), tt::tolerance(1e-12));
  BOOST_TEST(found["system_power"] == 16 * (800 + 40.0 + 450 * 0.0624), tt::tolerance(1e-12));
  BOOST_TEST((found["price_source"] == 1 && found["power_source"] == 1));
  // Replaced figures are those of the point.
  BOOST_TEST(built.set("peak_flops", 2e15).evaluate()["step_time"] < found["step_time"]);
  BOOST_TEST(built.set("dram_capacity", 1e9).evaluate().status == "out_of_memory");
}

BOOST_AUTO_TEST_CASE(a_point_without_hardware_says_what_is_missing) {
  testing::EstimatorSweep bare = sweep();
  bare.set_absent("system");
  const std::vector<ValueProblem> problems = make_training_estimator()->problems_of(bare.values());
  BOOST_TEST(problems.size() == 3u);  // device, memory and interconnect
  for (const ValueProblem& problem : problems) BOOST_TEST(problem.problem.ends_with("is missing"), problem.problem);
}

BOOST_AUTO_TEST_CASE(too_large_points_say_by_how_much) {
  testing::EstimatorSweep large = sweep();
  large.set("sequence_length", 1048576);
  const testing::NamedEstimate found = large.evaluate();
  BOOST_TEST(found["shortfall"] == found["memory_used"] / 80e9, tt::tolerance(1e-12));
  BOOST_TEST(found["shortfall"] > 1);
  const std::string reason = large.reason();
  BOOST_TEST(reason.starts_with("a device needs "), reason);
  BOOST_TEST(reason.find(" of 80 GB of its memory, ") != std::string::npos, reason);
  BOOST_TEST(std::isnan(sweep().evaluate()["shortfall"]));
  BOOST_TEST(sweep().reason() == "");
}

/// L = 1.5 + 400 N^-0.34 + 400 D^-0.28 about the optimum of the parabola.
Entry law_of_the_loss() {
  Entry law;
  law.name = "loss";
  law.numbers = {{"lr_intercept", std::log(1e-3)}, {"batch_intercept", std::log(1e5)},
                 {"curvature_xx", 0.02},           {"curvature_xy", -0.005},
                 {"curvature_yy", 0.02},           {"loss_floor", 1.5},
                 {"loss_lnA", std::log(400.0)},    {"loss_alpha", 0.34},
                 {"loss_lnB", std::log(400.0)},    {"loss_beta", 0.28}};
  law.lists = {{"range_N", {1e8, 1e10}}, {"range_Na", {1e8, 1e10}}, {"range_D", {1e9, 1e12}}};
  return law;
}

BOOST_AUTO_TEST_CASE(a_target_is_reached_later_with_failures_and_never_below_the_floor) {
  const Entry law = law_of_the_loss();
  const auto point = [&law] {
    testing::EstimatorSweep with_target = sweep();
    with_target.set("law", law).set("target_loss", 2.5).set("device_hour_price", 2);
    return with_target;
  };
  const testing::NamedEstimate found = point().evaluate();
  BOOST_TEST(found["time_to_target"] == found["steps_to_target"] * found["step_time"], tt::tolerance(1e-12));
  BOOST_TEST(found["cost_to_target"] == 16 * 2 * found["time_to_target"] / 3600, tt::tolerance(1e-12));
  const testing::NamedEstimate failing = point().set("device_hours_per_interruption", 1000).evaluate();
  BOOST_TEST(failing["time_to_target"] * failing["useful_share"] == found["time_to_target"], tt::tolerance(1e-12));
  BOOST_TEST(sweep().set("law", law).set("target_loss", 1.4).evaluate().status == "target_out_of_reach");
  BOOST_TEST(sweep().set("target_loss", 2.5).evaluate().status == "target_unknown");
}

BOOST_AUTO_TEST_CASE(an_explanation_shows_time_losses_memory_places_and_layers) {
  const Explanation all = sweep().explain();
  const char* const titles[] = {"where the time goes",         "from the peak rate to what is achieved",
                                "memory of a device",          "which ranks share a node",
                                "price and power of a device", "layers on one device"};
  BOOST_REQUIRE(all.sections.size() == std::size(titles));
  for (std::size_t i = 0; i < std::size(titles); ++i) BOOST_TEST(all.sections[i].title == titles[i]);
  BOOST_TEST(all.sections[3].table.rows.size() == 7u);  // a line for every kind of group
}

BOOST_AUTO_TEST_SUITE_END()
