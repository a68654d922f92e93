/// Kernels: matrix products, attention core and layers against values computed by hand.
#include "models/kernels/layer.hpp"

#include <cmath>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "models/kernels/attention_core.hpp"
#include "models/kernels/smooth_maximum.hpp"
#include "models/transformer/model_flop.hpp"
#include "tests/support/named_rows.hpp"
#include "tests/support/training_point.hpp"

BOOST_AUTO_TEST_SUITE(kernels_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::training;

namespace {

constexpr auto exact = 1e-12;

Accelerator petaflop() {
  return testing::training_point().accelerator;
}

MatrixEfficiency sized() {
  MatrixEfficiency e = testing::ideal_software().matrix;
  e.half_rows = 256;
  e.misaligned = 1.25;
  return e;
}

struct ProductCase {
  const char* why;
  MatrixProduct product;
  MatrixFormat format;
  double seconds;
};

const ProductCase product_cases[] = {
    {"2 * 1024^3 FLOP at 1 PFLOP/s, a fifth lost on 1024 rows",
     {1024, 1024, 1024},
     MatrixFormat::bits16,
     2.68435456e-6},
    {"as many rows as lose half", {256, 1024, 1024}, MatrixFormat::bits16, 1.073741824e-6},
    {"8 bits run twice as fast", {1024, 1024, 1024}, MatrixFormat::bits8, 1.34217728e-6},
    {"no 4-bit rate: that of 8 bits", {1024, 1024, 1024}, MatrixFormat::bits4, 1.34217728e-6},
    {"columns that are no multiple of 64 cost a quarter more", {1024, 1000, 1024}, MatrixFormat::bits16, 3.2768e-6},
    {"two products take twice as long", {1024, 1024, 1024, 2}, MatrixFormat::bits16, 5.36870912e-6},
    {"nothing to multiply", {1024, 0, 1024}, MatrixFormat::bits16, 0},
};

}  // namespace

BOOST_DATA_TEST_CASE(products_take_work_over_rate, bdata::make(product_cases)) {
  const Seconds time = product_time(sample.product, sample.format, petaflop(), sized());
  BOOST_TEST(time.value() == sample.seconds, tt::tolerance(exact));
}

BOOST_AUTO_TEST_CASE(thin_products_wait_for_memory) {
  MatrixEfficiency e = testing::ideal_software().matrix;
  e.memory_share = 0.5;
  e.launch = Seconds{3e-6};
  // 2 (1*4096 + 4096*4096 + 1*4096) bytes at half of 4 TB/s; computing is 2000 times shorter
  const double moved = 2.0 * (4096 + 4096.0 * 4096 + 4096) / 2e12;
  const Seconds time = product_time({1, 4096, 4096}, MatrixFormat::bits16, petaflop(), e);
  BOOST_TEST(time.value() == moved + 3e-6, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(casts_read_the_operand) {
  MatrixEfficiency e = testing::ideal_software().matrix;
  e.cast_bytes = 4;
  BOOST_TEST(cast_time({1000, 5, 2000}, MatrixFormat::bits16, petaflop(), e).value() == 0);
  BOOST_TEST(cast_time({1000, 5, 2000}, MatrixFormat::bits8, petaflop(), e).value() == 2e-6, tt::tolerance(exact));
}

BOOST_AUTO_TEST_CASE(smooth_maximum_is_the_fourth_root_of_fourth_powers) {
  BOOST_TEST(smooth_maximum(Seconds{3}, Seconds{0}).value() == 3);
  BOOST_TEST(smooth_maximum(Seconds{0}, Seconds{0}).value() == 0);
  BOOST_TEST(smooth_maximum(Seconds{2}, Seconds{2}).value() == 2 * std::pow(2.0, 0.25), tt::tolerance(exact));
  BOOST_TEST(smooth_maximum(Seconds{1}, Seconds{2}).value() == std::pow(17.0, 0.25), tt::tolerance(exact));
}

BOOST_AUTO_TEST_CASE(flash_attention_skips_the_masked_half) {
  TrainingPoint point = testing::training_point();
  point.software = testing::ideal_software();
  const auto time = [&] {
    return attention_core_time(point.architecture, point.execution, point.accelerator, point.software);
  };
  // 2 t ctx a (128 + 128) / TP = 2 * 4096 * 2048 * 32 * 256 / 2 FLOP
  const double flash = 2.0 * 4096 * 2048 * 32 * 256 / 2 / 1e15;
  BOOST_TEST(time().forward.value() == flash, tt::tolerance(exact));
  BOOST_TEST(time().backward.value() == 2.5 * flash, tt::tolerance(exact));
  point.software.attention.half_keys = 512;  // a query looks at 2048 in the mean
  BOOST_TEST(time().forward.value() == 1.25 * flash, tt::tolerance(exact));
  point.execution.attention = AttentionKernel::materialized;  // the half rate is that of flash kernels
  BOOST_TEST(time().forward.value() == 2 * flash, tt::tolerance(exact));
  BOOST_TEST(time().backward.value() == 4 * flash, tt::tolerance(exact));
  point.software.attention.score_bytes = 10;  // per score: 4096 * 4096 * 32 / 2 of them
  BOOST_TEST(time().forward.value() == 2 * flash + 10.0 * 4096 * 4096 * 16 / 4e12, tt::tolerance(exact));
  point.software.attention = {.peak_share = 0.5, .odd_head = 3, .score_bytes = 0};
  point.architecture.head_dim = 132;
  BOOST_TEST(time().forward.value() == 2 * flash * 132 / 128 / 0.5 * 3, tt::tolerance(exact));
}

/// On a chip with 1 PFLOP/s of 16 bits and 2 of 8 bits.
BOOST_AUTO_TEST_CASE(flash_attention_runs_in_8_bits_where_that_is_faster) {
  TrainingPoint point = testing::training_point();
  point.software = testing::ideal_software();
  const auto forward = [&] {
    return attention_core_time(point.architecture, point.execution, point.accelerator, point.software).forward.value();
  };
  const double wide = forward();
  point.execution.attention_8bit = true;
  point.software.attention.share_8bit = 0.75;  // of twice the rate
  BOOST_TEST(forward() == wide / 1.5, tt::tolerance(exact));
  point.software.attention.share_8bit = 0.4;
  BOOST_TEST(forward() == wide, tt::tolerance(exact));
}

BOOST_AUTO_TEST_CASE(a_kernel_of_a_ring_looks_at_the_keys_of_one_device) {
  TrainingPoint point = testing::training_point();
  point.software = testing::ideal_software();
  point.software.attention.half_keys = 512;
  point.execution.parallel.context = 4;
  const auto forward = [&](ContextExchange exchange) {
    point.execution.context_exchange = exchange;
    return attention_core_time(point.architecture, point.execution, point.accelerator, point.software).forward.value();
  };
  // 2048 keys in the mean, or a quarter of them at a time: 1 + 512/2048 and 1 + 512/512
  BOOST_TEST(forward(ContextExchange::ring) / forward(ContextExchange::all_to_all) == 2 / 1.25, tt::tolerance(exact));
}

BOOST_AUTO_TEST_CASE(products_of_a_layer_have_the_flop_of_its_parameters) {
  for (const Architecture& a : {testing::small_decoder(), testing::small_expert_decoder()})
    for (const double tensor : {1.0, 2.0, 4.0}) {
      Execution e = testing::training_point().execution;
      e.parallel.tensor = tensor;
      e.parallel.data = 8;
      e.parallel.expert = 4;
      e.parallel.expert_tensor = 2;  // shares the work of an expert out, and gathers as much more
      const bool experts = a.experts.count > 0;
      Flop sum;
      for (const MatrixProduct& product : LayerProducts(a, e, experts ? LayerKind::experts : LayerKind::dense))
        sum += flop(product);
      const double router = a.hidden * a.experts.count;  // too small to count as a product
      const double active = attention_parameters(a) +
                            (experts ? 2 * expert_parameters(a) + shared_parameters(a) - router : ffn_parameters(a));
      BOOST_TEST(sum.value() == 2 * 4096 * active / tensor, tt::tolerance(exact));
    }
}

BOOST_AUTO_TEST_CASE(latent_attention_has_five_products_of_its_parameters) {
  Architecture a = testing::small_decoder();
  a.latent = {.query_rank = 768, .key_value_rank = 256, .plain_dim = 64, .rotary_dim = 32, .value_dim = 64};
  Execution e;
  e.batch = {.global = 1, .micro = 1, .sequence = 512};
  const LayerProducts products(a, e, LayerKind::dense);
  Flop sum;
  for (const MatrixProduct& product : products) sum += flop(product);
  BOOST_TEST(products.end() - products.begin() == 7);
  BOOST_TEST(sum.value() == 2 * 512 * (attention_parameters(a) + ffn_parameters(a)), tt::tolerance(exact));
}

BOOST_AUTO_TEST_CASE(queries_that_are_projected_at_once_have_one_product) {
  Architecture a = testing::small_decoder();
  a.latent = {.key_value_rank = 256, .plain_dim = 64, .rotary_dim = 32, .value_dim = 64};
  Execution e;
  e.batch = {.global = 1, .micro = 1, .sequence = 512};
  const LayerProducts products(a, e, LayerKind::dense);
  Flop sum;
  for (const MatrixProduct& product : products) sum += flop(product);
  BOOST_TEST(products.end() - products.begin() == 6);
  BOOST_TEST(sum.value() == 2 * 512 * (attention_parameters(a) + ffn_parameters(a)), tt::tolerance(exact));
}

BOOST_AUTO_TEST_CASE(a_trained_layer_takes_twice_its_forward_products_backwards) {
  TrainingPoint point = testing::training_point();
  const auto times = [&] {
    return layer_times(point.architecture, point.execution, LayerKind::dense, point.accelerator, point.software);
  };
  const LayerTimes full = times();
  BOOST_TEST(full.backward_input.matrix.value() == full.forward.matrix.value());
  BOOST_TEST(full.backward_weight.matrix.value() == full.forward.matrix.value());
  BOOST_TEST(full.backward_input.elementwise.value() == 2 * full.forward.elementwise.value());
  point.execution.task = Task::low_rank;
  BOOST_TEST(times().backward_weight.total().value() == 0);  // frozen weights need no gradients
}

BOOST_AUTO_TEST_CASE(sequence_parallelism_splits_norms_and_residuals) {
  const TrainingPoint point = testing::training_point();
  Execution e = point.execution;
  const auto bytes = [&] {
    return elementwise_traffic(point.architecture, e, LayerKind::dense, {.hidden = 10, .routing = 1, .logit_bytes = 0});
  };
  const double rest = 4.0 * 4096 * 48 * 128 / 2 + 3.0 * 4096 * 3 * 14336 / 2;
  BOOST_TEST(bytes().value() == 10.0 * 4096 * 4096 / 2 + rest);
  e.parallel.sequence_parallel = false;
  BOOST_TEST(bytes().value() == 10.0 * 4096 * 4096 + rest);
}

BOOST_AUTO_TEST_CASE(biases_of_experts_are_kernels_of_their_own) {
  TrainingPoint point = testing::training_point();
  point.architecture = testing::small_expert_decoder();
  const auto bytes = [&] {
    return elementwise_traffic(point.architecture, point.execution, LayerKind::experts,
                               {.hidden = 10, .routing = 1, .expert_bias = 15, .logit_bytes = 0});
  };
  const Bytes without = bytes();
  point.architecture.experts.biases = true;
  // 4096 tokens over 2 tensor ranks visit 2 experts each, with results of 2 x 4096 and 4096 numbers
  BOOST_TEST((bytes() - without).value() == 15.0 * 4096 / 2 * 2 * (2 * 4096 + 4096));
}

BOOST_AUTO_TEST_SUITE_END()
