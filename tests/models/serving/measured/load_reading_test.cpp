/// Measured rows of serving under load: users, lengths, degrees, formats and settings, and what cannot be expressed.
#include "models/serving/measured/load_reading.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(load_reading_test)

namespace bdata = boost::unit_test::data;
using namespace dfsweep;
using namespace dfsweep::serving;

namespace {

const LoadContext dense_on_hopper{
    .has_experts = false, .formats = {NumberFormat::fp16, NumberFormat::bf16, NumberFormat::fp8, NumberFormat::int8}};
const LoadContext experts_on_hopper{.has_experts = true, .formats = dense_on_hopper.formats};
const LoadContext experts_on_blackwell{
    .has_experts = true, .formats = {NumberFormat::fp16, NumberFormat::bf16, NumberFormat::fp8, NumberFormat::fp4}};

/// Sixteen users of four devices.
MeasuredRow load_row() {
  MeasuredRow r;
  r.cells = {{"framework", "vllm"},
             {"model", "minimax-m2.5"},
             {"weight_precision", "fp8"},
             {"cache_precision", "bf16"},
             {"prompt_tokens", "921.6"},
             {"output_tokens", "7372.8"},
             {"length_distribution", "uniform 0.8-1.0 of nominal"},
             {"concurrency", "16"},
             {"requests", "160"},
             {"disaggregated", "no"},
             {"devices", "4"},
             {"tensor_parallel", "2"},
             {"attention_data_parallel", "2"},
             {"expert_parallel", "4"},
             {"pipeline_parallel", "1"},
             {"degrees_known", "yes"},
             {"chunk_tokens", "8192"},
             {"running_limit", "256"},
             {"receive_interval_steps", "1"},
             {"memory_share", "0.9"},
             {"consistent", "yes"}};
  return r;
}

MeasuredRow load_row_with(std::initializer_list<std::pair<const char*, const char*>> cells) {
  MeasuredRow changed = load_row();
  for (const auto& [column, cell] : cells) changed.cells[column] = cell;
  return changed;
}

bool says_of(const MeasuredLoad& reading, std::string_view parameter, std::string_view reason) {
  for (const Assumption& assumption : reading.assumptions)
    if (assumption.parameter == parameter && assumption.reason.find(reason) != std::string::npos) return true;
  return false;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_row_of_known_degrees_is_read_without_assumptions) {
  const MeasuredLoad r = read_load_row(load_row(), experts_on_hopper);
  BOOST_TEST(r.problem == "");
  BOOST_TEST(r.assumptions.empty());
  BOOST_TEST(r.engine == "vllm");
  BOOST_TEST(r.device_count == "4");
  BOOST_TEST(r.shared.tensor_parallel == "2");
  BOOST_TEST(r.shared.attention_data_parallel == "2");
  BOOST_TEST(r.shared.expert_parallel == "4");
  BOOST_TEST(r.pools == "shared");
  BOOST_TEST(r.prompt_tokens == 922.0);
  BOOST_TEST(r.output_tokens == 7373.0);
  BOOST_TEST(r.spread == 1.0 / 9.0, boost::test_tools::tolerance(1e-12));  // (1.0 - 0.8) / (1.0 + 0.8)
  BOOST_TEST(r.concurrency == "16");
  BOOST_TEST(r.requests_per_user == 10.0);
  BOOST_TEST(r.chunk_tokens == "8192");
  BOOST_TEST(r.batch_limit == "256");
  BOOST_TEST(r.receive_interval_steps == "1");
  BOOST_TEST(r.batch_wait_steps == "");
  BOOST_TEST(r.cache_share == "0.9");
}

BOOST_AUTO_TEST_CASE(without_experts_attention_data_parallelism_is_replicas) {
  const MeasuredLoad r = read_load_row(load_row(), dense_on_hopper);
  BOOST_TEST(r.device_count == "4");
  BOOST_TEST(r.shared.tensor_parallel == "2");
  BOOST_TEST(r.shared.attention_data_parallel == "");
  BOOST_TEST(r.shared.expert_parallel == "");
  BOOST_TEST(says_of(r, "", "replicas"));
}

namespace {

struct FormatCase {
  const char* reason;
  const char* model;
  const char* weights;
  LoadContext context;
  const char* products;
  const char* kept;
  const char* attention;
};
const FormatCase format_cases[] = {
    {"8 bits everywhere", "minimax-m2.5", "fp8", experts_on_hopper, "fp8", "fp8", ""},
    {"4-bit checkpoints keep attention in 16", "minimax-m2.5", "fp4", experts_on_blackwell, "fp4", "fp4", "bf16"},
    {"a dense checkpoint has 4 bits everywhere",
     "qwen3-32b",
     "fp4",
     {.has_experts = false, .formats = experts_on_blackwell.formats},
     "fp4",
     "fp4",
     ""},
    {"weights of 4-bit integers are multiplied in 16 bits", "kimi-k2", "int4", experts_on_hopper, "bf16", "int4",
     "bf16"},
    {"a chip without 4-bit units multiplies in 16 bits", "gpt-oss-120b", "fp4", experts_on_hopper, "bf16", "fp4",
     "bf16"},
    {"its kernels multiply in 8 bits where there are 4-bit units", "gpt-oss-120b", "fp8", experts_on_blackwell, "fp8",
     "fp4", "bf16"},
};

std::ostream& operator<<(std::ostream& out, const FormatCase& format) {
  return out << format.reason;
}

}  // namespace

BOOST_DATA_TEST_CASE(formats_of_weights_products_and_attention, bdata::make(format_cases)) {
  const MeasuredLoad r =
      read_load_row(load_row_with({{"model", sample.model}, {"weight_precision", sample.weights}}), sample.context);
  BOOST_TEST(r.precision == sample.products);
  BOOST_TEST(r.weight_precision == sample.kept);
  BOOST_TEST(r.attention_precision == sample.attention);
}

BOOST_AUTO_TEST_CASE(empty_cells_are_assumed) {
  const MeasuredLoad r = read_load_row(
      load_row_with(
          {{"requests", ""}, {"cache_precision", ""}, {"length_distribution", "not stated (constant assumed)"}}),
      experts_on_hopper);
  BOOST_TEST(r.problem == "");
  BOOST_TEST(r.requests_per_user == 10.0);
  BOOST_TEST(r.cache_precision == "fp8");
  BOOST_TEST(r.spread == 0.0);
  BOOST_TEST(says_of(r, "requests_per_user", "not published"));
  BOOST_TEST(says_of(r, "cache_precision", "as the weights"));
  BOOST_TEST(says_of(r, "prompt_spread", "constant"));
}

namespace {

struct ShareCase {
  const char* reason;
  const char* framework;
  const char* memory_share;
  double memory;  ///< GB of a device
  const char* kept;
};
// 400 10^9 weights of experts over four devices and 10^9 of a rank over two, each a byte: 100.5 GB.
const ShareCase share_cases[] = {
    {"weights fit in nine tenths", "vllm", "", 112.0, ""},
    {"they do not, so that the run had more", "vllm", "", 111.0, "0.95"},
    {"a published share stays", "vllm", "0.9", 111.0, "0.9"},
    {"a share of free memory has room for weights", "tensorrt-llm", "", 111.0, ""},
};
std::ostream& operator<<(std::ostream& out, const ShareCase& share) {
  return out << share.reason;
}

}  // namespace

BOOST_DATA_TEST_CASE(the_share_of_the_memory_has_room_for_the_weights, bdata::make(share_cases)) {
  LoadContext context = experts_on_hopper;
  context.memory = Bytes{1e9 * sample.memory};
  context.model.expert_weights = 400e9;
  context.model.attention_weights = 1e9;
  const MeasuredLoad r =
      read_load_row(load_row_with({{"framework", sample.framework}, {"memory_share", sample.memory_share}}), context);
  BOOST_TEST(r.cache_share == sample.kept);
  const bool is_raised = std::string_view(sample.kept) == "0.95";
  BOOST_TEST(says_of(r, "cache_share", "not published") == is_raised);
}

BOOST_AUTO_TEST_CASE(pools_have_degrees_of_their_own) {
  const auto pools = [](const char* workers) {
    return load_row_with({{"disaggregated", "yes"},
                          {"devices", "36"},
                          {"tensor_parallel", ""},
                          {"prefill_workers", workers},
                          {"prefill_tensor_parallel", "1"},
                          {"prefill_attention_data_parallel", "4"},
                          {"prefill_expert_parallel", "4"},
                          {"decode_workers", "4"},
                          {"decode_tensor_parallel", "8"},
                          {"decode_attention_data_parallel", "1"},
                          {"decode_expert_parallel", "8"}});
  };
  const MeasuredLoad r = read_load_row(pools("1"), experts_on_blackwell);
  BOOST_TEST(r.problem == "");
  BOOST_TEST(r.pools == "separate");
  BOOST_TEST(r.device_count == "");
  BOOST_TEST(r.prefill.replicas == "1");
  BOOST_TEST(r.prefill.attention_data_parallel == "4");
  BOOST_TEST(r.decode.replicas == "4");
  BOOST_TEST(r.decode.tensor_parallel == "8");
  BOOST_TEST(r.decode.expert_parallel == "8");
  BOOST_TEST(!read_load_row(pools(""), experts_on_blackwell).problem.empty());
}

namespace {

struct ProblemCase {
  const char* column;
  const char* cell;
  const char* problem;
};
const ProblemCase problem_cases[] = {
    {"degrees_known", "no", "the degrees are not known"},
    {"tensor_parallel", "", "tensor_parallel is missing"},
    {"concurrency", "many", "concurrency is missing"},
    {"prompt_tokens", "", "prompt_tokens or output_tokens is missing"},
    {"framework", "abacus", "no engine is known for the framework 'abacus'"},
};

std::ostream& operator<<(std::ostream& out, const ProblemCase& problem) {
  return out << problem.column << " = '" << problem.cell << "'";
}

}  // namespace

BOOST_DATA_TEST_CASE(what_is_not_known_cannot_be_expressed, bdata::make(problem_cases)) {
  BOOST_TEST(read_load_row(load_row_with({{sample.column, sample.cell}}), experts_on_hopper).problem == sample.problem);
}

namespace {

struct RemarkCase {
  const char* column;
  const char* cell;
  const char* remark;
};
const RemarkCase remark_cases[] = {
    {"degrees_known", "approximate", "the degrees are approximate: as noted"},
    {"consistent", "no", "contradicts itself: as noted"},
    {"consistent", "doubtful", "doubtful: as noted"},
    {"speculation", "suspected", "probably with speculation"},
    {"repeat", "yes", "more than once"},
    {"framework", "dynamo-sglang", "Dynamo"},
};

std::ostream& operator<<(std::ostream& out, const RemarkCase& remark) {
  return out << remark.column << " = " << remark.cell;
}

}  // namespace

BOOST_DATA_TEST_CASE(doubts_are_noted, bdata::make(remark_cases)) {
  const MeasuredLoad r =
      read_load_row(load_row_with({{sample.column, sample.cell}, {"check_notes", "as noted"}}), experts_on_hopper);
  BOOST_TEST(r.problem == "");
  BOOST_TEST(says_of(r, "", sample.remark));
}

BOOST_AUTO_TEST_CASE(frameworks_have_engines) {
  BOOST_TEST(engine_of_framework("vllm") == "vllm");
  BOOST_TEST(engine_of_framework("dynamo-sglang") == "sglang");
  BOOST_TEST(engine_of_framework("tensorrt-llm") == "trtllm");
  BOOST_TEST(engine_of_framework("dynamo-trt") == "trtllm");
  BOOST_TEST(engine_of_framework("") == "");
}

BOOST_AUTO_TEST_SUITE_END()
