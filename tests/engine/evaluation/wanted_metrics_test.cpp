/// Wanted metrics: a metric that is asked for alone has the bits that it has beside all others, for every estimator.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>
#include <string>

#include "engine/evaluation/range_evaluation.hpp"
#include "engine/sweep/estimators.hpp"
#include "tests/support/estimator_sweep.hpp"
#include "tests/support/named_rows.hpp"
#include "tests/support/toy_sweep.hpp"

BOOST_AUTO_TEST_SUITE(wanted_metrics_test)

namespace {

using namespace dfsweep;

struct Case {
  const char* why;
  const char* estimator;
  const char* parameters;
};
const Case cases[] = {
    {"feasible and infeasible executions", "calculon", R"(
model = "gpt3-13b"
system = "h100_80g_nvl8"
device_count = 16
max_batch = 16
tensor_parallel = [1, 4]
pipeline_parallel = [1, 4]
recompute = ["full", "none"]
optimizer_offload = [0, 1]
)"},
    {"a whole run with its loss, failures, price and watts", "training", R"(
model = ["llama3-8b", "mixtral-8x7b"]
system = "dgx-h100"
software = "h100-megatron"
device_count = 64
global_batch = 256
tensor_parallel = [1, 2, 3]
recompute = ["none", "full"]
train_tokens = 1e12
law = "step-law"
learning_rate = [1e-4, 1e-3]
device_hours_per_interruption = 5e4
save_time = "30 s"
restart_time = "300 s"
device_hour_price = "2.5 USD"
)"},
    {"users by the closed form, with prices", "serving", R"(
model = ["llama3-8b", "deepseek-v3"]
system = "dgx-h100"
prompt_tokens = [100, 5000]
output_tokens = 200
tensor_parallel = [1, 8]
concurrency = [1, 64]
device_hour_price = "2.5 USD"
)"},
    {"a stream by the closed form, with speculation", "serving", R"(
model = "llama3-70b"
system = "dgx-h100"
prompt_tokens = 1000
output_tokens = 200
tensor_parallel = 4
arrival_rate = ["0.1 Hz", "1 Hz", "100 Hz"]
speculation = ["none", "sequence"]
draft_model = "llama3-8b"
)"},
    {"simulated users of two pools", "serving", R"(
model = "llama3-8b"
system = "dgx-h100"
prompt_tokens = 1000
output_tokens = 20
concurrency = [1, 8]
requests_per_user = 2
queueing = "simulated"
pools = ["shared", "separate"]
)"},
    {"both phases", "serving_study", R"(
model = "llama3-8b"
device = "sn40l"
memory = "hbm-sn40l"
interconnect = "sn40l-link"
tensor_parallel = [1, 16]
phase = ["prefill", "decode"]
prompt_tokens = [128, 4096]
)"},
    {"a mapping that is named", "dataflow", R"(
model = ["gpt3-1t", "mixtral-8x7b"]
phase = ["prefill", "train"]
device = ["h100", "tpu-v4"]
memory = "hbm3"
topology = "2d-torus"
interconnect = "nvlink4"
device_count = 64
tensor_parallel = 8
pipeline_parallel = 8
global_batch = 64
sequence_length = 2048
)"},
    {"all strategies", "taskgraph", R"(
strategy = ["tensor_pipeline", "attention_pool", "layerwise"]
device = "h100-80g"
interconnect = "nvlink4"
model = ["llama3-8b", "deepseek-v3"]
tensor_parallel = 8
pipeline_parallel = 4
batch = 128
sequence_length = 1024
)"},
    {"laws with and without a law of the loss", "hyperparameters", R"(
law = ["step-law", "unified", "deepseek", "porian"]
parameters = [1e9, 7e10]
train_tokens = [1e9, 1.4e12]
learning_rate = [1e-4, 1e-2]
)"},
};

std::string sweep_of(const Case& c) {
  return std::string("[sweep]\nname = \"wanted\"\nestimator = \"") + c.estimator + "\"\n[parameters]" + c.parameters;
}

BOOST_DATA_TEST_CASE(a_metric_alone_has_the_bits_that_it_has_beside_the_others, boost::unit_test::data::make(cases),
                     c) {
  const SweepSpec spec = read_sweep_text(sweep_of(c), "wanted.toml", ".", {});
  const std::unique_ptr<PreparedSweep> prepared = spec.estimator->prepare(spec.values);
  BOOST_TEST_REQUIRE(prepared->leaves_out_unwanted());
  const RowSource rows(spec);
  PointBuffer points;
  rows.decode(0, rows.kept(), points);
  EstimateBuffer all;
  Tally tally;
  evaluate_range(*spec.estimator, *prepared, points, all, tally);
  BOOST_TEST(std::count(all.status.begin(), all.status.end(), status_ok) > 0);
  BOOST_TEST(std::count(all.status.begin(), all.status.end(), status_failed) == 0);
  for (MetricIndex metric = 0; metric < spec.estimator->metrics().size(); ++metric) {
    EstimateBuffer alone;
    evaluate_range(*spec.estimator, *prepared, points, alone, tally, {.metrics = {metric}});
    BOOST_TEST(alone.status == all.status);
    BOOST_TEST(testing::are_same(alone.metrics[metric], all.metrics[metric]),
               spec.estimator->metrics()[metric].name << " differs");
  }
}

BOOST_AUTO_TEST_CASE(every_estimator_has_a_case) {
  std::set<std::string_view> tried = {"profiled"};  // which needs tables: models.profiled.estimator_test
  for (const Case& c : cases) tried.insert(c.estimator);
  for (const Estimator* estimator : estimators()) BOOST_TEST(tried.count(estimator->name()) == 1U, estimator->name());
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
