/// Sections that explain a training step: what they add up to.
#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "models/training/explain/layer_sections.hpp"
#include "models/training/explain/pipeline_sections.hpp"
#include "models/training/explain/step_sections.hpp"
#include "tests/support/training_point.hpp"

BOOST_AUTO_TEST_SUITE(sections_test)

namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::training;

namespace {

double number(const Explanation& section, std::size_t row, std::size_t column) {
  return std::get<double>(section.table.rows.at(row).at(column));
}

std::string text(const Explanation& section, std::size_t row) {
  return std::get<std::string>(section.table.rows.at(row).at(0));
}

TrainingPoint pipelined() {
  TrainingPoint point = testing::training_point();
  point.execution.parallel.data = 2;
  point.execution.parallel.pipeline = 4;
  return point;
}

}  // namespace

BOOST_AUTO_TEST_CASE(losses_lead_from_the_peak_to_the_utilization) {
  const StepEstimate estimate = estimate_step(pipelined());
  const Explanation losses = utilization_section(estimate);
  const std::size_t last = losses.table.rows.size() - 1;
  BOOST_TEST(number(losses, 0, 2) == 1.0);
  for (std::size_t row = 1; row < last; ++row)
    BOOST_TEST(number(losses, row, 2) == number(losses, row - 1, 2) - number(losses, row, 1), tt::tolerance(1e-12));
  BOOST_TEST(text(losses, last - 1) == "kernels slower than the peak");
  BOOST_TEST(number(losses, last - 1, 2) == number(losses, last, 2), tt::tolerance(1e-9));
  BOOST_TEST(number(losses, last, 2) == estimate.model_flops_utilization_causal);
}

BOOST_AUTO_TEST_CASE(devices_of_a_pipeline_wait_for_the_bubble) {
  // 4 stages, 12 micro-batches: all of the step is run, and every stage waits for (p-1) (F+B+W).
  const PipelineShape shape{Schedule::one_forward_one_backward, 4, 1, 12};
  const PipelineWork work = equal_stages({Seconds{1}, Seconds{1}, Seconds{1}});
  const auto explained = explain_pipeline(shape, work);
  BOOST_REQUIRE(explained.has_value());
  for (std::size_t stage = 0; stage < 4; ++stage) {
    BOOST_TEST(number(explained->section, stage, 1) == static_cast<double>(stage));  // waits for the forward passes
    BOOST_TEST(number(explained->section, stage, 3) == 36.0);
    BOOST_TEST(number(explained->section, stage, 4) == bubble_time(shape, work).value());
  }
  BOOST_TEST(explained->drawing.lanes.size() == 4u);
  BOOST_TEST(explained->drawing.bars.size() == 4u * 24u);  // a forward and a backward pass of each micro-batch
}

// Fewer micro-batches than stages, an output layer that makes the last stage the heaviest, exchanges between stages.
BOOST_AUTO_TEST_CASE(a_drawing_ends_with_the_pipeline_of_the_step) {
  TrainingPoint point = pipelined();
  for (const Schedule schedule : {Schedule::one_forward_one_backward, Schedule::zero_bubble, Schedule::dual_pipe})
    for (const double chunks : {1.0, 2.0})
      for (const double micro : {1.0, 3.0, 4.0, 8.0}) {
        point.execution.schedule = schedule;
        point.execution.parallel.chunks_per_stage = chunks;
        point.execution.batch.global = 2 * micro;
        const PipelineShape shape = pipeline_shape(point.execution);
        if (schedule_fit(shape) != ScheduleFit::runs) continue;
        const StepEstimate estimate = estimate_step(point);
        const auto explained = explain_pipeline(shape, estimate.pipeline_work);
        BOOST_REQUIRE(explained.has_value());
        double end = 0;
        for (const auto& bar : explained->drawing.bars) end = std::max(end, bar.end);
        BOOST_TEST(end == estimate.pipeline_time.value(), tt::tolerance(1e-12));
        BOOST_TEST(estimate.time.imbalance.value() > 0);
      }
}

BOOST_AUTO_TEST_CASE(long_steps_are_shortened_and_orders_that_cannot_run_are_left_out) {
  const PipelineWork work = equal_stages({Seconds{1}, Seconds{1}, Seconds{1}});
  const auto bars = [&](const PipelineShape& shape) {
    const auto explained = explain_pipeline(shape, work);
    return explained ? explained->drawing.bars.size() : std::size_t{0};
  };
  BOOST_TEST(bars({Schedule::one_forward_one_backward, 2, 1, 1e6}) == 2u * 2u * 6u);  // three micro-batches a stage
  BOOST_TEST(bars({Schedule::one_forward_one_backward, 1, 1, 8}) == 0u);              // no pipeline
  BOOST_TEST(bars({Schedule::one_forward_one_backward, 4, 2, 3}) == 0u);              // fewer than stages
  BOOST_TEST(bars({Schedule::one_forward_one_backward, 4, 2, 6}) == 4u * 2u * 2u * 6u);
  BOOST_TEST(bars({Schedule::dual_pipe, 3, 1, 12}) == 0u);  // an odd number of stages
  BOOST_TEST(bars({Schedule::dual_pipe, 4, 1, 6}) == 0u);   // too few micro-batches
  BOOST_TEST(bars({Schedule::dual_pipe, 4, 1, 10}) > 0u);
  BOOST_TEST(bars({Schedule::zero_bubble, 4, 1, 8}) == 4u * 3u * 8u);  // three passes of each
}

BOOST_AUTO_TEST_CASE(kernels_of_a_layer_add_up_to_its_forward_pass) {
  TrainingPoint point = testing::training_point();
  point.architecture = testing::small_expert_decoder();
  const Explanation layers = layer_sections(point);
  BOOST_TEST(layers.sections.size() == 2u);  // two layers are dense
  for (const Explanation& layer : layers.sections) {
    double sum = 0.0;
    for (std::size_t row = 0; row + 3 < layer.table.rows.size(); ++row) sum += number(layer, row, 3);
    BOOST_TEST(sum == number(layer, layer.table.rows.size() - 3, 3), tt::tolerance(1e-12));
    for (const auto& row : layer.table.rows)
      if (const double* share = std::get_if<double>(&row.at(4))) BOOST_TEST((*share > 0.0 && *share <= 1.0));
  }
}

BOOST_AUTO_TEST_SUITE_END()
