/// Rejections: one broken rule at a time, and the first of two.
#include "models/calculon/formulas/rejection.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/support/named_rows.hpp"
#include "tests/support/small_system.hpp"

BOOST_AUTO_TEST_SUITE(rejection_test)

namespace {

using namespace dfsweep;
using namespace dfsweep::calculon;

constexpr ModelShape model{.hidden = 8, .feedforward = 32, .sequence = 4, .heads = 4, .head_size = 2, .blocks = 12};

/// 2 x 2 x 2 processors, batch 8, nothing special.
constexpr Execution legal() {
  Execution x;
  x.processors = 8;
  x.tensor_parallel = 2;
  x.pipeline_parallel = 2;
  x.data_parallel = 2;
  x.global_batch = 8;
  return x;
}

struct Row {
  void (*change)(Execution&);
  const char* name;
  const char* why;
};

const Row rows[] = {
    {[](Execution&) {}, "ok", "nothing broken"},
    {[](Execution& x) { x.processors = 0; }, "procs_not_positive", "no processors"},
    {[](Execution& x) { x.tensor_parallel = 0; }, "tensor_par_not_positive", "before the product"},
    {[](Execution& x) { x.processors = 9; }, "tp_pp_dp_product", "8 degrees on 9 processors"},
    {[](Execution& x) { x.global_batch = 0; }, "batch_not_positive", "no batch"},
    {[](Execution& x) { x.micro_batch = 0; }, "microbatch_not_positive", "no micro batch"},
    {[](Execution& x) { x.global_batch = 7; }, "batch_not_multiple_of_dp", "7 among 2"},
    {[](Execution& x) { x.micro_batch = 3; }, "local_batch_not_multiple_of_microbatch", "4 in threes"},
    {[](Execution& x) { x.attention = Attention::unknown; }, "bad_attention_type", "unknown word"},
    {[](Execution& x) { x.recompute = Recompute::unknown; }, "bad_recompute_mode", "unknown word"},
    {[](Execution& x) { x.training = false, x.recompute = Recompute::full; }, "recompute_without_training", "forward"},
    {[](Execution& x) { x.interleaving = 0; }, "interleaving_not_positive", "no chunk"},
    {[](Execution& x) { x.pipeline_parallel = 1, x.processors = 4, x.interleaving = 2; }, "interleaving_with_pp1",
     "one stage"},
    {[](Execution& x) { x.data_parallel = 1, x.processors = 4, x.optimizer_sharding = true; },
     "optimizer_sharding_with_dp1", "one replica"},
    {[](Execution& x) { x.tensor_comm = TensorComm::unknown; }, "bad_tp_comm_type", "unknown word"},
    {[](Execution& x) { x.tensor_overlap = TensorOverlap::unknown; }, "bad_tp_overlap", "unknown word"},
    {[](Execution& x) { x.tensor_parallel = 1, x.processors = 4, x.tensor_overlap = TensorOverlap::ring; },
     "tp_overlap_with_tp1", "nothing to overlap"},
    {[](Execution& x) { x.sequence_parallel_redo = true; }, "ag_redo_without_rs_ag", "nothing is split"},
    {[](Execution& x) {
       x.tensor_comm = TensorComm::reduce_scatter_all_gather, x.sequence_parallel_redo = true;
       x.recompute = Recompute::full;
     },
     "ag_redo_with_full_recompute", "gathered again anyway"},
    {[](Execution& x) { x.training = false, x.data_overlap = true; }, "dp_overlap_without_training", "no gradients"},
    {[](Execution& x) { x.data_parallel = 1, x.processors = 4, x.data_overlap = true; }, "dp_overlap_with_dp1",
     "one replica"},
    {[](Execution& x) { x.training = false, x.optimizer_offload = true; }, "optimizer_offload_without_training",
     "no optimizer"},
    {[](Execution& x) { x.data_network = 1; }, "network_tier_out_of_range", "one tier, number 0"},
    {[](Execution& x) { x.data_parallel = 32, x.processors = 128, x.global_batch = 32; }, "network_tier_too_small",
     "128 on a tier of 64"},
    {[](Execution& x) { x.tensor_parallel = 3, x.processors = 12; }, "network_tier_not_filled", "12 do not divide 64"},
    {[](Execution& x) { x.datatype = Datatype::unknown; }, "unknown_datatype", "unknown word"},
    {[](Execution& x) { x.interleaving = 7; }, "interleaving_exceeds_blocks", "6 blocks in 7 chunks"},
    {[](Execution& x) { x.interleaving = 4; }, "interleaving_not_factor_of_blocks", "6 blocks in 4 chunks"},
    {[](Execution& x) { x.pipeline_parallel = 8, x.processors = 32, x.weight_offload = true; },
     "offload_needs_3_blocks", "two blocks"},
    {[](Execution& x) {
       x.tensor_parallel = 8, x.processors = 32, x.tensor_comm = TensorComm::p2p_reduce_scatter_all_gather;
     },
     "batch_seq_not_multiple_of_tp", "4 tokens among 8"},
    {[](Execution& x) { x.tensor_parallel = 16, x.processors = 64; }, "hidden_not_multiple_of_tp", "8 among 16"},
    {[](Execution& x) { x.tensor_parallel = 8, x.processors = 32; }, "heads_not_multiple_of_tp", "4 heads among 8"},
    {[](Execution& x) { x.datatype = Datatype::float8; }, "datatype_not_in_system", "fp16 only"},
    {[](Execution& x) { x.interleaving = 7, x.attention = Attention::unknown; }, "bad_attention_type",
     "the first of two"},
};

}  // namespace

BOOST_DATA_TEST_CASE(the_first_broken_rule_decides, boost::unit_test::data::make(rows), row) {
  System system = dfsweep::testing::small_system();
  system.networks.front().must_be_filled = true;
  Execution x = legal();
  row.change(x);
  BOOST_TEST(info_of(rejection_of(model, system, x)).name == row.name);
}

BOOST_AUTO_TEST_SUITE_END()
