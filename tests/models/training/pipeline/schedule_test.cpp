/// Schedules: closed forms against pipelines that are simulated by a clock, and stages that are split.
#include "models/training/pipeline/schedule.hpp"

#include <algorithm>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "models/training/pipeline/stages.hpp"
#include "models/training/pipeline/timeline.hpp"
#include "tests/support/named_rows.hpp"
#include "tests/support/pipeline_simulation.hpp"

BOOST_AUTO_TEST_SUITE(schedule_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::training;

namespace {

struct WorkCase {
  const char* why;
  double forward;
  double backward_input;
  double backward_weight;
};

const WorkCase work_cases[] = {
    {"all equal", 1, 1, 1},
    {"short weight gradients", 2, 2, 1},
    {"long input gradients", 1, 2, 1},
    {"recomputation", 2, 3, 1},
    {"long weight gradients", 1, 1, 2},
    {"long backward pass", 1, 2, 2},
    {"long forward pass", 3, 1, 1},
    {"forward longer than the input gradients", 2, 1.5, 1.25},
    {"frozen weights", 1, 1.125, 0},
};

StageWork work(const WorkCase& c) {
  return {Seconds{c.forward}, Seconds{c.backward_input}, Seconds{c.backward_weight}};
}

PipelineShape shape_of(Schedule schedule, int stages, int chunks, int micro) {
  return {schedule, static_cast<double>(stages), static_cast<double>(chunks), static_cast<double>(micro)};
}

/// Every shape of up to 8 stages, 4 chunks and 16 micro-batches (dual-pipe: 20) that the schedules can run.
std::vector<PipelineShape> all_shapes() {
  std::vector<PipelineShape> shapes;
  for (const Schedule s : {Schedule::one_forward_one_backward, Schedule::zero_bubble, Schedule::dual_pipe})
    for (int stages = 2; stages <= 8; ++stages)
      for (int chunks = 1; chunks <= 4; ++chunks)
        for (int micro = 1; micro <= (s == Schedule::dual_pipe ? 20 : 16); ++micro)
          if (const PipelineShape shape = shape_of(s, stages, chunks, micro); schedule_fit(shape) == ScheduleFit::runs)
            shapes.push_back(shape);
  return shapes;
}

/// Where the work is that the heaviest stage has beyond the others.
enum class Heavy { last, first, all_but_last, last_chunk };

/// Factor on the work of a pass. `heavy`: of the heaviest stage.
double factor_of(const Operation& o, const PipelineShape& shape, Heavy where, double heavy) {
  const int devices = static_cast<int>(shape.stages);
  const int device = o.stage % devices;
  if (where == Heavy::last_chunk)
    return o.stage == devices * static_cast<int>(shape.chunks) - 1 ? 1 + shape.chunks * (heavy - 1) : 1.0;
  const bool is_heavy = where == Heavy::last    ? device == devices - 1
                        : where == Heavy::first ? device == 0
                                                : device < devices - 1;
  return is_heavy ? heavy : 1.0;
}

testing::SimulatedPipeline run(const PipelineShape& shape, const StageWork& one, Heavy where, double heavy) {
  const auto duration = [&](const OperationGroup& group) {
    double all = 0;
    for (const Operation& o : group) {
      const Seconds pass = o.pass == Pass::forward          ? one.forward
                           : o.pass == Pass::backward_input ? one.backward_input
                                                            : one.backward_weight;
      all += factor_of(o, shape, where, heavy) * pass.value() / shape.chunks;
    }
    const bool is_pair = group.front().pass == Pass::forward && group.size() > 1;
    return all - (is_pair ? one.hidden_in_pair.value() : 0.0);
  };
  const auto pipeline = testing::simulate_pipeline(orders_of(shape), duration);
  BOOST_REQUIRE(pipeline.has_value());
  return *pipeline;
}

/// Work as the closed form takes it: the heaviest stage, and the mean of the others.
PipelineWork summed_up(const PipelineShape& shape, const StageWork& one, Heavy where, double heavy) {
  const double all = where == Heavy::all_but_last ? (shape.stages - 1) * heavy + 1 : shape.stages - 1 + heavy;
  return {heavy * one, (all - heavy) / (shape.stages - 1) * one};
}

bool has_other_stages(const PipelineShape& shape) {
  return shape.schedule != Schedule::dual_pipe;
}

}  // namespace

BOOST_DATA_TEST_CASE(runs_are_possible_and_take_their_closed_form, bdata::make(work_cases)) {
  for (const PipelineShape& shape : all_shapes()) {
    const int ends = shape.schedule == Schedule::dual_pipe ? 2 : 1;
    for (const double heavy : {1.0, 1.25, 3.0}) {
      if (heavy > 1 && !has_other_stages(shape)) continue;
      for (const Heavy where : {Heavy::last, Heavy::last_chunk}) {
        const testing::SimulatedPipeline simulated = run(shape, work(sample), where, heavy);
        const double closed = pipeline_time(shape, summed_up(shape, work(sample), where, heavy)).value();
        BOOST_TEST(end_of(simulated) == closed, tt::tolerance(1e-12));
        if (heavy == 1)
          BOOST_TEST(testing::impossible_in(simulated, orders_of(shape).stages, static_cast<int>(shape.micro_batches),
                                            ends) == "");
      }
    }
  }
}

// Up to twice the others, in the first stage or in all but the last: the closed form is a bound from above, at most
// half above the simulation. With zero-bubble it may be a fifth below: the first stage ends with gradients of its own
// weights.
BOOST_DATA_TEST_CASE(other_places_of_the_heaviest_stage_are_bounded, bdata::make(work_cases)) {
  for (const PipelineShape& shape : all_shapes())
    for (const double heavy : {1.05, 1.25, 2.0})
      for (const Heavy where : {Heavy::first, Heavy::all_but_last}) {
        if (!has_other_stages(shape)) continue;
        const double simulated = end_of(run(shape, work(sample), where, heavy));
        const PipelineWork stages = summed_up(shape, work(sample), where, heavy);
        const double closed = pipeline_time(shape, stages).value();
        const double least = shape.schedule == Schedule::zero_bubble ? 0.8 : 1.0;
        BOOST_TEST(closed >= least * simulated * (1 - 1e-12));
        BOOST_TEST(closed <= simulated * 1.5);
        BOOST_TEST(closed >= shape.micro_batches * stages.heaviest.total().value());
      }
}

BOOST_DATA_TEST_CASE(no_schedule_is_shorter_than_one_micro_batch_through_all_stages, bdata::make(work_cases)) {
  for (const Schedule s : {Schedule::one_forward_one_backward, Schedule::zero_bubble})
    for (const double stages : {2.0, 3.0, 8.0, 64.0, 1000.0})
      for (const double micro : {1.0, 1.5, 2.0, 7.25, 63.0, 64.0, 1e6}) {
        const StageWork one = work(sample);
        const PipelineShape shape{s, stages, 1, micro};
        const Seconds through = stages * (one.forward + one.backward_input) + one.backward_weight;
        BOOST_TEST(pipeline_time(shape, equal_stages(one)).value() >= through.value() * (1 - 1e-12));
        BOOST_TEST(bubble_time(shape, equal_stages(one)).value() >= 0.0);
      }
}

BOOST_DATA_TEST_CASE(the_drawn_timeline_ends_when_the_clock_does, bdata::make(work_cases)) {
  for (const PipelineShape& shape : all_shapes()) {
    const double heavy = has_other_stages(shape) ? 1.25 : 1.0;
    const auto drawn = pipeline_timeline(orders_of(shape), summed_up(shape, work(sample), Heavy::last, heavy));
    BOOST_TEST(end_of(drawn).value() == end_of(run(shape, work(sample), Heavy::last, heavy)), tt::tolerance(1e-12));
  }
}

BOOST_AUTO_TEST_CASE(forward_passes_alone_are_the_closed_form_without_backward) {
  const StageWork forward{Seconds{2}, Seconds{}, Seconds{}};
  for (const PipelineShape& shape : all_shapes())
    if (shape.schedule == Schedule::one_forward_one_backward)
      BOOST_TEST(end_of(run(shape, forward, Heavy::last, 1.25)) ==
                     pipeline_time(shape, summed_up(shape, forward, Heavy::last, 1.25)).value(),
                 tt::tolerance(1e-12));
}

// What a pair hides is saved once for each pair on the longest path, whatever the times of the passes.
BOOST_DATA_TEST_CASE(pairs_of_a_dual_pipe_save_what_they_hide, bdata::make(work_cases)) {
  for (const PipelineShape& shape : all_shapes())
    for (const double hidden : {0.125, 0.5, 0.9}) {
      if (shape.schedule != Schedule::dual_pipe) continue;
      StageWork stage = work(sample);
      stage.hidden_in_pair = Seconds{hidden};
      BOOST_TEST(end_of(run(shape, stage, Heavy::last, 1)) == pipeline_time(shape, equal_stages(stage)).value(),
                 tt::tolerance(1e-12));
    }
}

BOOST_AUTO_TEST_CASE(only_a_dual_pipe_pairs_passes) {
  BOOST_TEST(paired_micro_batches({Schedule::dual_pipe, 16, 1, 60}) == 50);  // 60 - 8 - 2
  BOOST_TEST(paired_micro_batches({Schedule::dual_pipe, 16, 1, 8}) == 0);
  BOOST_TEST(paired_micro_batches({Schedule::dual_pipe, 1, 1, 60}) == 0);
  BOOST_TEST(paired_micro_batches({Schedule::zero_bubble, 16, 1, 60}) == 0);
}

BOOST_DATA_TEST_CASE(zero_bubble_is_never_slower, bdata::make(work_cases)) {
  for (const double stages : {1.0, 2.0, 5.0, 16.0})
    for (const double micro : {1.0, 2.5, 4.0, 32.0})
      for (const double heavy : {1.0, 1.5}) {
        const PipelineWork stages_work{heavy * work(sample), work(sample)};
        const auto bubble = [&](Schedule s) { return bubble_time({s, stages, 1, micro}, stages_work).value(); };
        BOOST_TEST(bubble(Schedule::zero_bubble) <= bubble(Schedule::one_forward_one_backward) + 1e-12);
      }
}

namespace {

struct FitCase {
  const char* why;
  PipelineShape shape;
  ScheduleFit fit;
};

const FitCase fit_cases[] = {
    {"one stage needs no schedule", {Schedule::dual_pipe, 1, 1, 1}, ScheduleFit::runs},
    {"one micro-batch", {Schedule::one_forward_one_backward, 16, 1, 1}, ScheduleFit::runs},
    {"ZB-H1 with one micro-batch", {Schedule::zero_bubble, 16, 1, 1}, ScheduleFit::runs},
    {"one group", {Schedule::one_forward_one_backward, 4, 2, 4}, ScheduleFit::runs},
    {"no multiple of the stages", {Schedule::one_forward_one_backward, 4, 2, 7}, ScheduleFit::runs},
    {"no group", {Schedule::one_forward_one_backward, 4, 2, 3}, ScheduleFit::too_few_micro_batches},
    {"the fourth is too small to fill it",
     {Schedule::one_forward_one_backward, 4, 2, 3.5},
     ScheduleFit::too_few_micro_batches},
    {"the last one is smaller", {Schedule::one_forward_one_backward, 4, 2, 4.5}, ScheduleFit::runs},
    {"ZB-H1 has no chunks", {Schedule::zero_bubble, 4, 2, 8}, ScheduleFit::not_interleaved},
    {"a dual pipe has its own chunks", {Schedule::dual_pipe, 4, 2, 8}, ScheduleFit::not_interleaved},
    {"two for each stage", {Schedule::dual_pipe, 4, 1, 8}, ScheduleFit::runs},
    {"fewer", {Schedule::dual_pipe, 4, 1, 6}, ScheduleFit::too_few_micro_batches},
    {"no partner for the ninth", {Schedule::dual_pipe, 4, 1, 9}, ScheduleFit::odd_number},
    {"no partner for the third stage", {Schedule::dual_pipe, 3, 1, 8}, ScheduleFit::odd_number},
};

struct FlightCase {
  const char* why;
  PipelineShape shape;
  double first;
  double last;
};

const FlightCase flight_cases[] = {
    {"no pipeline", {Schedule::one_forward_one_backward, 1, 1, 16}, 1, 1},
    {"the first stage fills the pipeline", {Schedule::one_forward_one_backward, 4, 1, 16}, 4, 1},
    {"no more than there are", {Schedule::one_forward_one_backward, 4, 1, 2}, 2, 1},
    {"interleaved: 4 + 3/2", {Schedule::one_forward_one_backward, 4, 2, 16}, 5.5, 2.5},
    {"9 of 4 stages in groups of 5: 5 + 2/2", {Schedule::one_forward_one_backward, 4, 2, 9}, 6, 3},
    {"until the gradients of weights", {Schedule::zero_bubble, 4, 1, 16}, 4, 4},
    {"both ends", {Schedule::dual_pipe, 4, 1, 16}, 5, 5},
};

struct SplitCase {
  const char* why;
  double layers;
  double vocabulary;
  double stages;
  StageSplit split;
  double heaviest;
};

const SplitCase split_cases[] = {
    {"one stage has all", 10, 2, 1, StageSplit::even, 12},
    {"ten layers on four stages: three", 10, 0.25, 4, StageSplit::even, 3},
    {"the output layer weighs more than half a layer", 12, 2, 4, StageSplit::even, 5},
    {"one layer less beside an output layer of two", 12, 2, 4, StageSplit::balanced, 4},
    {"126 layers on 16 stages: the last has six", 126, 1.5, 16, StageSplit::balanced, 8},
};

}  // namespace

BOOST_DATA_TEST_CASE(schedules_run_what_they_can, bdata::make(fit_cases)) {
  BOOST_TEST((schedule_fit(sample.shape) == sample.fit));
}

// With a rest of fewer micro-batches than stages, devices wait for each other or longer than the closed form says.
BOOST_AUTO_TEST_CASE(groups_with_a_short_rest_do_not_run_as_the_closed_form) {
  const auto one = [](const OperationGroup& group) { return static_cast<double>(group.size()); };
  for (int stages = 2; stages <= 6; ++stages)
    for (int micro = stages; micro <= 12; ++micro)
      for (int group = stages; group <= micro; ++group) {
        const auto simulated = testing::simulate_pipeline(interleaved(stages, 2, micro, group), one);
        const bool as_closed = simulated && end_of(*simulated) == 3 * (2 * micro + stages - 1);
        BOOST_TEST(as_closed == (micro % group == 0 || micro % group >= stages));
      }
}

BOOST_DATA_TEST_CASE(ends_of_the_pipeline_hold_what_is_in_flight, bdata::make(flight_cases)) {
  BOOST_TEST(micro_batches_in_flight(sample.shape).first == sample.first);
  BOOST_TEST(micro_batches_in_flight(sample.shape).last == sample.last);
}

BOOST_AUTO_TEST_CASE(ends_of_the_orders_hold_what_the_closed_forms_say) {
  for (const PipelineShape& shape : all_shapes()) {
    const PipelineOrders orders = orders_of(shape);
    const InFlight held = micro_batches_in_flight(shape);
    BOOST_TEST(most_held(orders, 0) == held.first, tt::tolerance(1e-12));
    BOOST_TEST(most_held(orders, orders.devices.size() - 1) == held.last, tt::tolerance(1e-12));
    for (std::size_t device = 0; device < orders.devices.size(); ++device)
      BOOST_TEST(most_held(orders, device) <= std::max(held.first, held.last) * (1 + 1e-12));
  }
}

BOOST_DATA_TEST_CASE(layers_are_split_over_stages, bdata::make(split_cases)) {
  const StageLoad load = stage_load(sample.layers, sample.vocabulary, sample.stages, sample.split);
  BOOST_TEST(load.heaviest == sample.heaviest);
  BOOST_TEST(load.mean == (sample.layers + sample.vocabulary) / sample.stages);
}

BOOST_AUTO_TEST_SUITE_END()
