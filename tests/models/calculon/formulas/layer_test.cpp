/// Layers of the Calculon model: FLOP, traffic and what is kept, computed by hand.
#include "models/calculon/formulas/layer.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(layer_test)

namespace {

using namespace dfsweep;
using namespace dfsweep::calculon;

constexpr LayerContext alone{.element_bytes = 2, .tensor_parallel = 1, .tensor_comm = TensorComm::all_reduce};
constexpr LayerContext pair{.element_bytes = 2, .tensor_parallel = 2, .tensor_comm = TensorComm::all_reduce};
constexpr LayerContext split{
    .element_bytes = 2, .tensor_parallel = 2, .tensor_comm = TensorComm::reduce_scatter_all_gather};

struct Row {
  Layer layer;
  double forward_flops;
  double gradient_flops;
  double weight_flops;
  double forward_bytes;
  double gradient_bytes;
  double weight_bytes;
  double kept;
  double kept_gradient;
  const char* why;
};

const Row rows[] = {
    {linear(alone, 4, 3, 2), 48, 48, 48, 52, 52, 52, 24, 16, "linear: 12 in, 8 out, 6 weights of 2 bytes"},
    {batch_matmul(alone, 5, 4, 3, 2), 240, 480, 0, 260, 260, 0, 180, 80, "no weights: backward does twice the FLOP"},
    {layer_norm(alone, 10, 3), 90, 140, 70, 52, 52, 52, 20, 20, "2 h weights"},
    {drop_out(alone, 10), 10, 10, 0, 50, 50, 0, 10, 10, "a mask of one byte an element"},
    {gelu(alone, 10, false), 80, 130, 0, 40, 40, 0, 20, 20, "keeps its input"},
    {gelu(alone, 10, true), 80, 130, 0, 40, 40, 0, 0, 0, "fused: keeps nothing, its traffic counts"},
    {soft_max(alone, 10), 50, 80, 0, 40, 40, 0, 20, 20, "backward moves what forward moves"},
    {element_wise(alone, 10), 10, 20, 0, 60, 60, 0, 40, 20, "two inputs"},
    {fork(alone, 10, 3), 0, 30, 0, 0, 80, 0, 20, 0, "backward sums the gradients of three users"},
    {tensor_collective(alone, 10, true), 0, 0, 0, 0, 0, 0, 0, 0, "one processor: nothing"},
    {tensor_collective(pair, 10, true), 5, 0, 0, 40, 0, 0, 20, 0, "conjugate: forward sums halves"},
    {tensor_collective(pair, 10, false), 0, 5, 0, 0, 40, 0, 0, 20, "forward passes through"},
    {tensor_collective(split, 10, false), 0, 5, 0, 40, 40, 0, 10, 10, "a split sequence is kept in halves"},
    {overlapped(pair, 4, 3, 2, false), 24, 24, 24, 38, 30, 30, 24, 0, "k = 2 / 2; gradients are not kept"},
    {overlapped(pair, 4, 6, 2, true), 48, 48, 48, 52, 44, 44, 0, 32, "n = 6 / 2; twice the outputs"},
    {overlapped(split, 4, 6, 2, true), 48, 48, 48, 52, 52, 52, 24, 16, "the halves of twice the outputs"},
};

}  // namespace

BOOST_DATA_TEST_CASE(layers_have_these_figures, boost::unit_test::data::make(rows), row) {
  const Layer& layer = row.layer;
  BOOST_TEST(layer.forward_flops.value() == row.forward_flops);
  BOOST_TEST(layer.activation_gradient_flops.value() == row.gradient_flops);
  BOOST_TEST(layer.weight_gradient_flops.value() == row.weight_flops);
  BOOST_TEST(layer.forward_bytes == row.forward_bytes);
  BOOST_TEST(layer.activation_gradient_bytes == row.gradient_bytes);
  BOOST_TEST(layer.weight_gradient_bytes == row.weight_bytes);
  BOOST_TEST(layer.activation_stored_bytes == row.kept);
  BOOST_TEST(layer.gradient_stored_bytes == row.kept_gradient);
}

BOOST_AUTO_TEST_CASE(sums_of_whole_numbers_stay_exact_until_a_fraction) {
  constexpr std::int64_t past_doubles = std::int64_t{1} << 53;
  ExactCount sum(past_doubles);
  sum += ExactCount(1);
  sum += ExactCount(1);
  BOOST_TEST(sum.value() == 9007199254740994.0);  // 2^53 + 2: doubles alone would stay at 2^53
  sum = ExactCount(past_doubles) + ExactCount::fraction(1.0);
  sum += ExactCount(1);
  BOOST_TEST(sum.value() == 9007199254740992.0);
  BOOST_TEST((std::int64_t{3} * ExactCount(past_doubles)).value() == 27021597764222976.0);
}

BOOST_AUTO_TEST_SUITE_END()
