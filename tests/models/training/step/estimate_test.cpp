/// Estimate of a step: a hand-computed step, and properties that hold whatever the numbers.
#include "models/training/step/estimate.hpp"
#include "models/kernels/layer.hpp"

#include <algorithm>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <vector>

#include "models/training/step/stage_time.hpp"
#include "tests/support/named_rows.hpp"
#include "tests/support/training_point.hpp"

BOOST_AUTO_TEST_SUITE(estimate_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::training;

namespace {

double step(const TrainingPoint& point) {
  return estimate_step(point).time.total().value();
}

/// Points that differ in every kind of parallelism, sharding, recomputation and schedule.
std::vector<TrainingPoint> varied_points() {
  std::vector<TrainingPoint> points;
  for (const Sharding sharding : {Sharding::none, Sharding::optimizer, Sharding::parameters})
    for (const double pipeline : {1.0, 4.0})
      for (const double experts : {0.0, 8.0})
        for (const double context : {1.0, 2.0}) {
          TrainingPoint point = testing::training_point();
          if (experts > 0) point.architecture = testing::small_expert_decoder();
          Execution& e = point.execution;
          e.parallel.expert = experts > 0 ? 4 : 1;
          e.parallel.context = context;
          e.parallel.pipeline = pipeline;
          e.sharding = sharding;
          points.push_back(point);
        }
  return points;
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_ideal_step_is_work_over_rate) {
  TrainingPoint point = testing::training_point();
  point.software = testing::ideal_software();
  point.accelerator.memory_bandwidth = Bandwidth{1e30};
  point.execution.parallel.tensor = 1;
  point.execution.parallel.data = 1;
  const StepEstimate estimate = estimate_step(point);
  // flash attention: 1 + 2.5 times its forward pass instead of 1 + 2; nothing else is repeated
  const Flop scores{2.0 * 8 * 2048 * 32 * 256};
  const Flop executed =
      32 * 4096 * (training_flop_per_token(point.architecture, 4096, AttentionCount::causal) + 0.5 * scores);
  BOOST_TEST(estimate.executed_flop.value() == executed.value(), tt::tolerance(1e-12));
  BOOST_TEST(estimate.time.total().value() == executed.value() / 1e15, tt::tolerance(1e-9));
  BOOST_TEST(estimate.hardware_flops_utilization == 1.0, tt::tolerance(1e-9));
  BOOST_TEST(estimate.model_flops_utilization_causal < 1.0);
}

BOOST_AUTO_TEST_CASE(an_ideal_forward_pass_is_a_third_of_the_work) {
  TrainingPoint point = testing::training_point();
  point.software = testing::ideal_software();
  point.accelerator.memory_bandwidth = Bandwidth{1e30};
  point.execution.parallel.tensor = 1;
  point.execution.parallel.data = 1;
  point.execution.phase = Phase::forward;
  const StepEstimate one = estimate_step(point);
  const Flop all = 32 * 4096 * forward_flop_per_token(point.architecture, 4096, AttentionCount::causal);
  BOOST_TEST(one.executed_flop.value() == all.value(), tt::tolerance(1e-12));
  BOOST_TEST(one.time.total().value() == all.value() / 1e15, tt::tolerance(1e-9));
  BOOST_TEST(one.model_flops_utilization_causal == 1.0, tt::tolerance(1e-9));
  // four stages: 32 micro-batches of a quarter each, and three of them to fill the pipeline before the last stage,
  // which has more than a quarter; whatever the schedule
  point.execution.parallel.pipeline = 4;
  for (const Schedule schedule : {Schedule::one_forward_one_backward, Schedule::zero_bubble, Schedule::dual_pipe}) {
    point.execution.schedule = schedule;
    const TimeBreakdown t = estimate_step(point).time;
    BOOST_TEST(t.forward.value() == all.value() / 1e15 / 4, tt::tolerance(1e-9));
    BOOST_TEST((t.bubble + t.imbalance / 32).value() == (all / Throughput{4e15} + t.stage_exchange).value() * 3 / 32,
               tt::tolerance(1e-9));
  }
}

BOOST_AUTO_TEST_CASE(a_forward_pass_keeps_recomputes_and_exchanges_nothing_for_backward) {
  for (TrainingPoint point : varied_points()) {
    const StepEstimate trained = estimate_step(point);
    point.execution.phase = Phase::forward;
    const StepEstimate forward = estimate_step(point);
    BOOST_TEST(forward.time.total().value() < trained.time.total().value());
    BOOST_TEST(forward.time.forward.value() == trained.time.forward.value(), tt::tolerance(1e-12));
    BOOST_TEST(forward.time.tensor_exchange.value() == trained.time.tensor_exchange.value() / 2, tt::tolerance(1e-12));
    BOOST_TEST(forward.time.stage_exchange.value() == trained.time.stage_exchange.value() / 2, tt::tolerance(1e-12));
    for (const Seconds none : {forward.time.backward, forward.time.recompute, forward.time.optimizer})
      BOOST_TEST(none.value() == 0);
    const bool gathers = point.execution.sharding == Sharding::parameters;
    BOOST_TEST((forward.time.data_exchange.value() > 0) == gathers);
    const Footprint& kept = forward.memory.device;
    BOOST_TEST((kept.gradients + kept.optimizer + forward.memory.host.total()).value() == 0);
    BOOST_TEST(kept.activations.value() ==
               layer_activations(point.architecture, point.execution, Recompute::none, point.software).value());
    point.execution.recompute = Recompute::full;  // nothing to repeat
    BOOST_TEST(step(point) == forward.time.total().value());
  }
}

namespace {

/// Four stages of a dual pipe, 32 micro-batches, experts over four ranks of two nodes.
TrainingPoint dual_pipe() {
  TrainingPoint point = testing::training_point();
  point.architecture = testing::small_expert_decoder();
  point.software = testing::ideal_software();
  point.execution.parallel.tensor = 1;
  point.execution.parallel.data = 16;
  point.execution.parallel.expert = 16;
  point.execution.parallel.pipeline = 4;
  point.execution.batch.global = 16 * 32;
  point.execution.schedule = Schedule::dual_pipe;
  return point;
}

struct PairCase {
  const char* why;
  double bandwidth;  ///< between nodes, B/s
};

const PairCase pair_cases[] = {
    {"slow links: a part of the exchange remains", 2e9},
    {"usual links: the other pass computes for longer", 50e9},
    {"fast links", 1e15},
};

}  // namespace

BOOST_DATA_TEST_CASE(paired_passes_hide_exchanges_of_experts_behind_each_other, bdata::make(pair_cases)) {
  TrainingPoint point = dual_pipe();
  point.network.across.bandwidth = Bandwidth{sample.bandwidth};
  const TimeBreakdown t = estimate_step(point).time;
  const Placement placed = place(point.execution.parallel, point.network.enclosures);
  const Seconds exchange = all_layers(point.architecture) / 4 * stage_parts(point, placed).layer.expert_exchange;
  // all of a pass is visible alone; 32 - 2 - 2 pairs leave what the other pass of the same layers does not cover
  const double one = exchange.value() / 2;
  const LayerTimes layer =
      layer_times(point.architecture, point.execution, LayerKind::experts, point.accelerator, point.software);
  const double layers = expert_layers(point.architecture) / 4;
  const double computing[] = {layers * layer.forward.total().value(),
                              layers * (layer.backward_input.total() + layer.backward_weight.total()).value()};
  const double left = std::max(0.0, one - computing[0]) + std::max(0.0, one - computing[1]);
  BOOST_TEST(t.expert_exchange.value() == 4 * 2 * one + 28 * left, tt::tolerance(1e-12));
  BOOST_TEST((left > 0) == (sample.bandwidth < 10e9));
}

BOOST_AUTO_TEST_CASE(a_share_that_is_hidden_already_is_not_hidden_again) {
  TrainingPoint point = dual_pipe();
  point.network.across.bandwidth = Bandwidth{2e9};
  const Seconds hidden = estimate_step(point).time.expert_exchange;
  point.software.links.pair_hidden = 0;
  const Seconds visible = estimate_step(point).time.expert_exchange;
  BOOST_TEST(hidden.value() < visible.value());
  point.execution.schedule = Schedule::one_forward_one_backward;
  BOOST_TEST(visible.value() == estimate_step(point).time.expert_exchange.value(), tt::tolerance(1e-12));
  point.execution.schedule = Schedule::dual_pipe;
  point.software.links.pair_hidden = 1;
  point.software.links.expert_visible = 0.25;  // less than what the other pass leaves: pairs change nothing
  const Seconds paired = estimate_step(point).time.expert_exchange;
  point.execution.schedule = Schedule::one_forward_one_backward;
  BOOST_TEST(paired.value() == estimate_step(point).time.expert_exchange.value(), tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(no_part_of_a_step_is_below_zero) {
  for (const TrainingPoint& point : varied_points()) {
    const TimeBreakdown t = estimate_step(point).time;
    for (const Seconds part :
         {t.forward, t.backward, t.recompute, t.tensor_exchange, t.expert_exchange, t.context_exchange, t.host,
          t.imbalance, t.bubble, t.stage_exchange, t.data_exchange, t.offload, t.optimizer, t.straggler})
      BOOST_TEST(part.value() >= 0.0);
  }
}

namespace {

struct FasterCase {
  const char* why;
  void (*faster)(TrainingPoint&);
};

const FasterCase faster_cases[] = {
    {"links inside a node", [](TrainingPoint& p) { p.network.inside.bandwidth = 2 * p.network.inside.bandwidth; }},
    {"links across nodes", [](TrainingPoint& p) { p.network.across.bandwidth = 2 * p.network.across.bandwidth; }},
    {"latency inside", [](TrainingPoint& p) { p.network.inside.latency = 0.5 * p.network.inside.latency; }},
    {"latency across", [](TrainingPoint& p) { p.network.across.latency = 0.5 * p.network.across.latency; }},
    {"memory", [](TrainingPoint& p) { p.accelerator.memory_bandwidth = 2 * p.accelerator.memory_bandwidth; }},
    {"products", [](TrainingPoint& p) { p.accelerator.peak_16bit = 2 * p.accelerator.peak_16bit; }},
    {"larger nodes", [](TrainingPoint& p) { p.network.enclosures.node *= 2; }},
    {"a fast host", [](TrainingPoint& p) { p.software.host.expert_layer = Seconds{}; }},
};

}  // namespace

BOOST_DATA_TEST_CASE(nothing_faster_slows_a_step, bdata::make(faster_cases)) {
  for (const TrainingPoint& point : varied_points()) {
    TrainingPoint faster = point;
    sample.faster(faster);
    BOOST_TEST(step(faster) <= step(point) * (1 + 1e-12));
  }
}

BOOST_AUTO_TEST_CASE(zero_bubble_is_never_slower_than_one_forward_one_backward) {
  for (TrainingPoint point : varied_points()) {
    const double usual = step(point);
    point.execution.schedule = Schedule::zero_bubble;
    BOOST_TEST(step(point) <= usual * (1 + 1e-12));
  }
}

BOOST_AUTO_TEST_CASE(a_change_of_the_unit_of_time_changes_nothing) {
  // All rates a thousand times smaller and all times a thousand times longer: the step takes a thousand times longer.
  for (const TrainingPoint& point : varied_points()) {
    TrainingPoint slow = point;
    constexpr double k = 1024;  // a power of two, so that nothing is rounded
    Accelerator& a = slow.accelerator;
    a.peak_16bit = a.peak_16bit / k;
    a.memory_bandwidth = a.memory_bandwidth / k;
    for (LinkTier* tier : {&slow.network.inside, &slow.network.across}) {
      tier->bandwidth = tier->bandwidth / k;
      tier->latency = k * tier->latency;
    }
    Software& s = slow.software;
    s.matrix.launch = k * s.matrix.launch;
    s.host.layer = k * s.host.layer;
    s.host.adapter_layer = k * s.host.adapter_layer;
    s.host.expert_layer = k * s.host.expert_layer;
    s.host.expert = k * s.host.expert;
    s.step.fixed = k * s.step.fixed;
    BOOST_TEST(step(slow) == k * step(point), tt::tolerance(1e-12));
  }
}

namespace {

struct FixedCase {
  const char* why;
  bool step_graph;
  Task task;
  double seconds;
};
const FixedCase fixed_cases[] = {
    {"launched kernel by kernel", false, Task::full, 0.06},
    {"launched kernel by kernel, adapters", false, Task::low_rank, 0.06},
    {"one recorded graph", true, Task::full, 0.04},
    {"one recorded graph, adapters", true, Task::low_rank, 0.02},
};

}  // namespace

BOOST_DATA_TEST_CASE(a_step_has_the_fixed_time_of_its_launches, bdata::make(fixed_cases)) {
  TrainingPoint point = testing::training_point();
  point.software.step = {.fixed = Seconds{0.06},
                         .fixed_graph = Seconds{0.04},
                         .fixed_adapters = Seconds{0.02},
                         .optimizer_bytes = 0,
                         .straggler = 0};
  point.execution.step_graph = sample.step_graph;
  point.execution.task = sample.task;
  BOOST_TEST(estimate_step(point).time.optimizer.value() == sample.seconds, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(memory_decides_whether_a_step_fits) {
  TrainingPoint point = testing::training_point();
  point.accelerator.memory_capacity = estimate_step(point).memory.device.total();
  BOOST_TEST((estimate_step(point).fit == Fit::fits));
  point.accelerator.memory_capacity = 0.999 * point.accelerator.memory_capacity;
  BOOST_TEST((estimate_step(point).fit == Fit::device_memory));
  point.execution.offloaded_activations = 1;
  BOOST_TEST((estimate_step(point).fit == Fit::fits));
  point.accelerator.host_capacity = Bytes{1};
  BOOST_TEST((estimate_step(point).fit == Fit::host_memory));
}

BOOST_AUTO_TEST_CASE(offloaded_states_cross_the_link_of_the_host_twice) {
  TrainingPoint point = testing::training_point();
  point.execution.offloaded_optimizer = 1;
  point.accelerator.host_bandwidth = Bandwidth{1e9};
  const StepEstimate estimate = estimate_step(point);
  const TimeBreakdown& t = estimate.time;
  const Seconds beside = t.forward + t.backward + t.tensor_exchange + t.host + t.data_exchange;
  const double moved = 2 * estimate.memory.host.optimizer.value() / 1e9;
  BOOST_TEST(t.offload.value() == moved - beside.value(), tt::tolerance(1e-9));
  point.accelerator.host_bandwidth = Bandwidth{1e12};
  BOOST_TEST(estimate_step(point).time.offload.value() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
