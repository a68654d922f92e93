/// A pass of the published study: Llama 3 8B on 16 chips, term by term as logged.
#include "models/serving_study/pass.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(pass_test)

namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::serving_study;

namespace {

Model llama() {
  return {.layers = 32, .hidden = 4096, .heads = 32, .ffn_hidden = 14336};
}

Machine chips() {
  Machine machine;
  machine.device.cores = 1040;
  machine.device.systolic_width = 32;
  machine.device.systolic_height = 6;
  machine.device.frequency = Frequency{1.6e9};
  machine.device.peak_flops = Throughput{2.0 * 32 * 6 * 1040 * 1.6e9};
  machine.memory_bandwidth = Bandwidth{1638.4e9};
  machine.memory_capacity = Bytes{1e12};
  machine.link_bandwidth = Bandwidth{50e9};
  machine.link_latency = Seconds{150e-9};
  return machine;
}

serving_study::Pass decode(double tensor, double pipeline) {
  return {.reads_cache = true, .tokens = 1, .context = 4096, .tensor = tensor, .pipeline = pipeline};
}

struct CacheCase {
  const char* why;
  double context;
  double sequences;
  double tensor;
  double words;  ///< of the caches of 32 layers on a chip
};
const CacheCase cache_cases[] = {
    {"keys and values of h numbers for each token, as logged", 4096, 1, 1, 32 * 2 * 4096.0 * 4096},
    {"a context of one token", 1, 1, 1, 32 * 2 * 4096.0},
    {"sixteen times the context", 65536, 1, 1, 32 * 2 * 4096.0 * 65536},
    {"each sequence has caches", 128, 3, 1, 32 * 2 * 4096.0 * 128 * 3},
    {"a tensor group divides them", 4096, 1, 4, 32 * 2 * 4096.0 * 1024},
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_decode_layer_is_as_logged) {
  const LayerTime layer = layer_time(llama(), chips(), decode(16, 1));
  BOOST_TEST(layer.compute.value() == 54.784329e-9, tt::tolerance(1e-6));
  BOOST_TEST(layer.memory.value() == 16640e-9,
             tt::tolerance(1e-9));  // (4 h^2 + 2 h f + 2 h * 4096) * 2 B / 16 / 1638.4 GB/s
  BOOST_TEST(layer.serialization.value() == 614.4e-9, tt::tolerance(1e-9));  // 2 * 2 * 15/16 * 8192 B / 50 GB/s
  BOOST_TEST(layer.latency.value() == 9000e-9, tt::tolerance(1e-9));         // 2 * 30 links
}

BOOST_DATA_TEST_CASE(caches_follow_the_context, boost::unit_test::data::make(cache_cases)) {
  serving_study::Pass pass = decode(sample.tensor, 1);
  pass.context = sample.context;
  pass.sequences = pass.tokens = sample.sequences;
  BOOST_TEST(footprint(llama(), pass).cache.value() == 2 * sample.words, tt::tolerance(1e-12));
  const double weights = 4.0 * 4096 * 4096 + 2.0 * 4096 * 14336;
  BOOST_TEST(
      layer_time(llama(), chips(), pass).memory.value() == 2 * (weights / sample.tensor + sample.words / 32) / 1638.4e9,
      tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_sequence_attends_to_its_own_tokens) {
  const serving_study::Pass prompt{.tokens = 1024};
  const serving_study::Pass prompts{.sequences = 8, .tokens = 8192};
  BOOST_TEST(layer_flop(llama(), prompts) == 8 * layer_flop(llama(), prompt), tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(decode_has_two_kernels_more_than_prefill) {
  const serving_study::Pass prefill{.tokens = 4096};
  BOOST_TEST(layer_kernels(llama(), prefill, 4096).size() == 18u);
  BOOST_TEST(layer_kernels(llama(), decode(1, 1), 1).size() == 20u);
}

BOOST_AUTO_TEST_CASE(stages_split_layers_and_transfers_join_them) {
  const Machine machine = chips();
  const serving_study::Pass one = decode(4, 1);
  const serving_study::Pass four = decode(4, 4);
  BOOST_TEST((stage_time(llama(), machine, one) / stage_time(llama(), machine, four)) == 4, tt::tolerance(1e-12));
  const double transfer = 4096.0 / 4 * 2 / 50e9 + 150e-9;
  BOOST_TEST(
      pass_latency(llama(), machine, four).value() == 4 * stage_time(llama(), machine, four).value() + 3 * transfer,
      tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(one_chip_needs_no_links) {
  Machine alone = chips();
  alone.link_bandwidth = Bandwidth{};
  BOOST_TEST(pass_latency(llama(), alone, decode(1, 1)).value() ==
             pass_latency(llama(), chips(), decode(1, 1)).value());
}

BOOST_AUTO_TEST_CASE(the_bubble_counts_layers_of_a_stage) {
  const Machine machine = chips();
  const serving_study::Pass pass = decode(4, 4);  // 8 layers in a stage
  BOOST_TEST(run_time(llama(), machine, pass, 100).value() ==
                 (1 + 3.0 / (100 * 7)) * 100 * stage_time(llama(), machine, pass).value(),
             tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(overlap_takes_the_largest_part) {
  serving_study::Pass pass = decode(16, 1);
  pass.overlaps = true;
  BOOST_TEST(stage_time(llama(), chips(), pass).value() == 32 * 16640e-9, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(the_cycle_model_waits_for_the_deepest_kernel) {
  serving_study::Pass pass = decode(16, 1);
  pass.compute_utilization = 0;
  // One column of scores over 4097 positions: 4097 cycles, which no allocation of cores shortens.
  BOOST_TEST(layer_time(llama(), chips(), pass).compute.value() == 4097 / 1.6e9, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_prompt_is_streamed_in_tiles) {
  // Cycles of the logged prefill runs, whose tiles of 128, 256 and 16 tokens are found by trying all powers of two.
  const auto cycles = [](double tensor, double tiles) {
    serving_study::Pass pass{.tokens = 4096, .tensor = tensor, .compute_utilization = 0};
    pass.tiles = tiles;
    return layer_time(llama(), chips(), pass).compute.value() * 1.6e9;
  };
  BOOST_TEST(cycles(1, 32) == 4980736, tt::tolerance(1e-12));
  BOOST_TEST(cycles(4, 16) == 1245184, tt::tolerance(1e-12));
  BOOST_TEST(cycles(8, 256) == 1048576, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(links_between_all_chips_carry_a_part_each) {
  Machine machine = chips();
  machine.tensor_links = DimensionKind::fully_connected;
  const serving_study::Pass pass = decode(16, 1);
  BOOST_TEST(layer_time(llama(), machine, pass).serialization.value() == 2 * 8192.0 / 16 / 50e9, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()
