/// Measured rows of serving: what words mean, what empty cells become, and what cannot be expressed.
#include "models/serving/measured/reading.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "models/machine/accelerator_names.hpp"
#include "tests/support/named_rows.hpp"
#include "tests/support/serving_replica.hpp"

BOOST_AUTO_TEST_SUITE(reading_test)

namespace bdata = boost::unit_test::data;
using namespace dfsweep;
using namespace dfsweep::serving;

namespace {

/// A queue of requests on two devices.
MeasuredRow row() {
  MeasuredRow r;
  r.cells = {{"source", "trtllm-inflight"}, {"version", "0.20"},
             {"accelerator", "H100-80GB"},  {"devices", "2"},
             {"tensor_parallel", "2"},      {"pipeline_parallel", "1"},
             {"model", "llama3-70b"},       {"weight_precision", "fp8"},
             {"cache_precision", "fp8"},    {"input_tokens", "128"},
             {"output_tokens", "2048"},     {"batch_kind", "all requests queued"},
             {"notes", "requests: 3000"}};
  return r;
}

MeasuredRow row_with(std::initializer_list<std::pair<const char*, const char*>> cells) {
  MeasuredRow changed = row();
  for (const auto& [column, cell] : cells) changed.cells[column] = cell;
  return changed;
}

bool assumes(const MeasuredServing& reading, std::string_view parameter) {
  for (const Assumption& assumption : reading.assumptions)
    if (assumption.parameter == parameter) return true;
  return false;
}

struct AcceleratorCase {
  const char* text;
  const char* system;
};
const AcceleratorCase accelerator_cases[] = {
    {"A100-80GB", "dgx-a100-80g"},
    {"A100-80GB-PCIe", "a100-80g-pcie"},
    {"B200-180GB", "dgx-b200"},
    {"GB200-186GB", "gb200-nvl72"},
    {"GH200-96GB", "gh200-96g"},
    {"GH200-144GB", "gh200-144g"},
    {"Gaudi2-96GB", "gaudi2"},
    {"Gaudi3-128GB", "gaudi3"},
    {"H100-80GB", "dgx-h100"},
    {"H100-NVL-94GB", "h100-nvl"},
    {"H100-PCIe-80GB", "h100-80g-pcie"},
    {"H200-141GB", "dgx-h200"},
    {"L40S-48GB", "l40s"},
    {"MI300X-192GB", "mi300x"},
    {"Orin-64GB", "orin-64g"},
    {"RTX-PRO-6000-96GB", "rtx-pro-6000"},
    {"an abacus", ""},
};

}  // namespace

BOOST_DATA_TEST_CASE(accelerators_have_systems, bdata::make(accelerator_cases)) {
  BOOST_TEST(system_of_accelerator(sample.text) == sample.system);
}

BOOST_AUTO_TEST_CASE(a_queue_is_read_without_assumptions) {
  const MeasuredServing r = read_serving_row(row(), false);
  BOOST_TEST(r.problem.empty());
  BOOST_TEST(r.assumptions.empty());
  BOOST_TEST(r.batching == "in_flight");
  BOOST_TEST(r.requests == "3000");
  BOOST_TEST(r.batch.empty());
  BOOST_TEST(r.tensor_parallel == 2);
  BOOST_TEST(r.attention_parallel == "tensor");
}

BOOST_AUTO_TEST_CASE(kinds_of_batches_are_parameters) {
  const MeasuredServing fixed = read_serving_row(
      row_with({{"batch_kind", "static batch"}, {"batch_or_concurrency", "64"}, {"notes", ""}}), false);
  BOOST_TEST(fixed.batching == "static");
  BOOST_TEST(fixed.batch == "64");
  BOOST_TEST(fixed.requests.empty());
  const MeasuredServing users =
      read_serving_row(row_with({{"batch_kind", "concurrency"}, {"batch_or_concurrency", "25"}}), false);
  BOOST_TEST(users.concurrency == "25");
  const MeasuredServing limited = read_serving_row(
      row_with({{"batch_kind", "requests queued and sequence limit"}, {"batch_or_concurrency", "512"}}), false);
  BOOST_TEST(limited.batch_limit == "512");
}

BOOST_AUTO_TEST_CASE(experts_spread_sequences_since_a_release) {
  BOOST_TEST(read_serving_row(row_with({{"version", "1.0"}}), true).attention_parallel == "data");
  BOOST_TEST(read_serving_row(row_with({{"version", "1.0"}}), false).attention_parallel == "tensor");
  BOOST_TEST(read_serving_row(row(), true).attention_parallel == "tensor");
  BOOST_TEST(read_serving_row(row_with({{"notes", "attention data-parallel"}}), true).attention_parallel == "data");
  const MeasuredServing alone =
      read_serving_row(row_with({{"version", "1.0"}, {"devices", "1"}, {"tensor_parallel", "1"}}), true);
  BOOST_TEST(alone.attention_parallel == "tensor");
}

BOOST_AUTO_TEST_CASE(formats_of_weights_and_products_may_differ) {
  const MeasuredServing r =
      read_serving_row(row_with({{"weight_precision", "int4/fp16"}, {"cache_precision", ""}}), false);
  BOOST_TEST(r.weight_precision == "int4");
  BOOST_TEST(r.precision == "fp16");
  BOOST_TEST(r.cache_precision == "fp16");
  BOOST_TEST(assumes(r, "cache_precision"));
}

BOOST_AUTO_TEST_CASE(benchmarks_have_mean_lengths_and_undecided_degrees) {
  const MeasuredServing r = read_serving_row(row_with({{"source", "mlperf-inference-4.1"},
                                                       {"batch_kind", "server arrivals"},
                                                       {"model", "gptj-6b"},
                                                       {"input_tokens", ""},
                                                       {"output_tokens", "69"},
                                                       {"tensor_parallel", ""}}),
                                             false);
  BOOST_TEST(r.prompt_tokens == 778);
  BOOST_TEST(r.beams == 4);
  BOOST_TEST(r.load == 0.93);
  BOOST_TEST(r.tensor_parallel == 0);
  BOOST_TEST(assumes(r, "prompt_tokens"));
}

BOOST_AUTO_TEST_CASE(a_queue_of_unknown_length_is_assumed) {
  const MeasuredServing r = read_serving_row(row_with({{"notes", "requests: not stated; and more"}}), false);
  BOOST_TEST(r.requests == "1500");
  BOOST_TEST(assumes(r, "requests"));
}

BOOST_AUTO_TEST_CASE(what_is_not_published_cannot_be_expressed) {
  BOOST_TEST(!read_serving_row(row_with({{"speculation", "EAGLE-2 tree"}}), false).problem.empty());
  BOOST_TEST(!read_serving_row(row_with({{"input_tokens", ""}}), false).problem.empty());
}

BOOST_AUTO_TEST_CASE(the_smallest_degree_that_fits_is_taken) {
  System system;
  system.accelerator.memory_capacity = Bytes{75e9};
  system.accelerator.memory_bandwidth = Bandwidth{4e12};
  MeasuredServing r = read_serving_row(row_with({{"devices", "8"}}), false);
  BOOST_TEST(smallest_tensor(r, testing::large_decoder(), system) == 2);  // weights and embeddings alone are 72.7 GB
  system.accelerator.memory_capacity = Bytes{200e9};
  BOOST_TEST(smallest_tensor(r, testing::large_decoder(), system) == 1);
  system.accelerator.memory_capacity = Bytes{1e9};
  BOOST_TEST(smallest_tensor(r, testing::large_decoder(), system) == 8);
}

BOOST_AUTO_TEST_SUITE_END()
