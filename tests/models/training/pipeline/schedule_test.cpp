/// Schedules: closed forms against a pipeline that is run event by event, and stages that are split.
#include "models/training/pipeline/schedule.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "models/training/pipeline/stages.hpp"
#include "models/training/pipeline/timeline.hpp"
#include "tests/support/named_rows.hpp"

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
    {"all equal", 1, 1, 1},     {"short weight gradients", 2, 2, 1}, {"long input gradients", 1, 2, 1},
    {"recomputation", 2, 3, 1}, {"long weight gradients", 1, 1, 2},  {"long backward pass", 1, 2, 2},
};

StageWork work(const WorkCase& c) {
  return {Seconds{c.forward}, Seconds{c.backward_input}, Seconds{c.backward_weight}};
}

double run_pipeline(const PipelineOrders& orders, const StageWork& stage) {
  return end_of(pipeline_timeline(orders, stage)).value();
}

double closed_form(const PipelineShape& shape, const StageWork& stage) {
  return (shape.micro_batches * stage.total() + bubble_time(shape, stage)).value();
}

}  // namespace

BOOST_DATA_TEST_CASE(one_forward_one_backward_is_its_closed_form, bdata::make(work_cases)) {
  for (int stages = 1; stages <= 6; ++stages)
    for (int micro = 1; micro <= 3 * stages; ++micro) {
      const PipelineShape shape{Schedule::one_forward_one_backward, static_cast<double>(stages), 1,
                                static_cast<double>(micro)};
      BOOST_TEST(
          run_pipeline(one_forward_one_backward(stages, micro), work(sample)) == closed_form(shape, work(sample)),
          tt::tolerance(1e-12));
    }
}

BOOST_DATA_TEST_CASE(interleaved_stages_are_their_closed_form, bdata::make(work_cases)) {
  for (int stages = 2; stages <= 5; ++stages)
    for (int chunks = 2; chunks <= 4; ++chunks)
      for (int rounds = 1; rounds <= 3; ++rounds) {  // Megatron interleaves multiples of the stages only
        const int micro = rounds * stages;
        const PipelineShape shape{Schedule::one_forward_one_backward, static_cast<double>(stages),
                                  static_cast<double>(chunks), static_cast<double>(micro)};
        BOOST_TEST(run_pipeline(interleaved(stages, chunks, micro), work(sample)) == closed_form(shape, work(sample)),
                   tt::tolerance(1e-12));
      }
}

BOOST_AUTO_TEST_CASE(forward_passes_alone_are_the_closed_form_without_backward) {
  const StageWork forward{Seconds{2}, Seconds{}, Seconds{}};
  for (int stages = 1; stages <= 6; ++stages)
    for (int chunks = 1; chunks <= (stages > 1 ? 3 : 1); ++chunks) {
      const PipelineShape shape{Schedule::one_forward_one_backward, static_cast<double>(stages),
                                static_cast<double>(chunks), 2.0 * stages};
      BOOST_TEST(run_pipeline(orders_of(shape), forward) == closed_form(shape, forward), tt::tolerance(1e-12));
    }
}

BOOST_DATA_TEST_CASE(zero_bubble_is_its_closed_form, bdata::make(work_cases)) {
  for (int stages = 1; stages <= 6; ++stages)
    for (int micro = stages; micro <= 3 * stages + 1; ++micro) {
      const PipelineShape shape{Schedule::zero_bubble, static_cast<double>(stages), 1, static_cast<double>(micro)};
      BOOST_TEST(run_pipeline(zero_bubble(stages, micro), work(sample)) == closed_form(shape, work(sample)),
                 tt::tolerance(1e-12));
    }
}

BOOST_DATA_TEST_CASE(dual_pipe_is_its_closed_form, bdata::make(work_cases)) {
  for (int stages = 2; stages <= 8; stages += 2)
    for (const int micro : {2 * stages, 2 * stages + 4, 4 * stages}) {
      const PipelineShape shape{Schedule::dual_pipe, static_cast<double>(stages), 1, static_cast<double>(micro)};
      const double simulated = run_pipeline(dual_pipe(stages, micro), work(sample));
      const double closed = closed_form(shape, work(sample));
      if (sample.forward == sample.backward_input) BOOST_TEST(simulated == closed, tt::tolerance(1e-12));
      BOOST_TEST(simulated <= closed * (1 + 1e-12));
      BOOST_TEST(simulated >= 0.94 * closed);
    }
}

// What a pair hides is saved once for each pair on the longest path, whatever the times of the passes.
BOOST_DATA_TEST_CASE(pairs_of_a_dual_pipe_save_what_they_hide, bdata::make(work_cases)) {
  for (int stages = 2; stages <= 16; stages += 2)
    for (const int micro : {2 * stages, 2 * stages + 4, 4 * stages})
      for (const double hidden : {0.125, 0.5, 0.9}) {
        const PipelineShape shape{Schedule::dual_pipe, static_cast<double>(stages), 1, static_cast<double>(micro)};
        StageWork stage = work(sample);
        const double whole = run_pipeline(dual_pipe(stages, micro), stage);
        stage.hidden_in_pair = Seconds{hidden};
        BOOST_TEST(run_pipeline(dual_pipe(stages, micro), stage) == whole - paired_micro_batches(shape) * hidden,
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
  for (double stages = 1; stages <= 16; stages *= 2) {
    const auto bubble = [&](Schedule schedule) { return bubble_time({schedule, stages, 1, 32}, work(sample)).value(); };
    BOOST_TEST(bubble(Schedule::zero_bubble) <= bubble(Schedule::one_forward_one_backward));
  }
}

namespace {

struct FlightCase {
  const char* why;
  PipelineShape shape;
  double held;
};

const FlightCase flight_cases[] = {
    {"no pipeline", {Schedule::one_forward_one_backward, 1, 1, 16}, 1},
    {"the first stage fills the pipeline", {Schedule::one_forward_one_backward, 4, 1, 16}, 4},
    {"no more than there are", {Schedule::one_forward_one_backward, 4, 1, 2}, 2},
    {"interleaved: 4 + 3/2", {Schedule::one_forward_one_backward, 4, 2, 16}, 5.5},
    {"both ends", {Schedule::dual_pipe, 4, 1, 16}, 5},
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

BOOST_DATA_TEST_CASE(the_first_stage_holds_what_is_in_flight, bdata::make(flight_cases)) {
  BOOST_TEST(micro_batches_in_flight(sample.shape) == sample.held);
}

BOOST_AUTO_TEST_CASE(no_simulated_schedule_holds_more_than_it_says) {
  for (int stages = 1; stages <= 6; ++stages) {
    const int micro = 3 * stages;
    const PipelineShape shape{Schedule::one_forward_one_backward, static_cast<double>(stages), 1,
                              static_cast<double>(micro)};
    BOOST_TEST(most_held(one_forward_one_backward(stages, micro)) == micro_batches_in_flight(shape));
    for (int chunks = 2; chunks <= 3 && stages > 1; ++chunks) {
      const PipelineShape virtual_shape{Schedule::one_forward_one_backward, static_cast<double>(stages),
                                        static_cast<double>(chunks), static_cast<double>(micro)};
      BOOST_TEST(most_held(interleaved(stages, chunks, micro)) == micro_batches_in_flight(virtual_shape),
                 tt::tolerance(1e-12));
    }
  }
}

BOOST_DATA_TEST_CASE(layers_are_split_over_stages, bdata::make(split_cases)) {
  const StageLoad load = stage_load(sample.layers, sample.vocabulary, sample.stages, sample.split);
  BOOST_TEST(load.heaviest == sample.heaviest);
  BOOST_TEST(load.mean == (sample.layers + sample.vocabulary) / sample.stages);
}

BOOST_AUTO_TEST_SUITE_END()
