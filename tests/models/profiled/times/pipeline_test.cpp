/// Stages and node boundaries by hand.
#include "models/profiled/times/pipeline.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(pipeline_test)

namespace bdata = boost::unit_test::data;
using namespace dfsweep;
using namespace dfsweep::profiled;

namespace {

struct CrossingCase {
  const char* why;
  double stage, tensor_parallel, pipeline_parallel, node_devices;
  bool if_several, if_elsewhere;
};

const CrossingCase crossing_cases[] = {
    {"all in one node", 0, 2, 4, 8, false, false},
    {"the fourth stage is the last of its node", 3, 2, 8, 8, true, true},
    {"the third one is not", 2, 2, 8, 8, true, false},
    {"a node is a stage", 0, 8, 2, 8, true, true},
    {"one device in a node", 0, 1, 2, 1, true, true},
    {"devices 6, 7, 8 send to 9, 10, 11", 2, 3, 4, 8, true, true},
};

struct StageCase {
  const char* why;
  double choice;
  double layers, inside, between, most, before_last, before_inside, before_between, fullest, embeddings;
};

// Ten layers on four stages of two devices, four devices in a node: 3, 3 | 2, 2; an embedding weighs half a layer.
const StageCase stage_cases[] = {
    {"all of them", StageChoice::all, 10, 2, 1, 3, 2, 3, 3, 3, 1},
    {"the first", 0, 3, 1, 0, 3, 0, 3, 0, 3, 1},
    {"the second sends to the other node", 1, 3, 0, 1, 3, 0, 0, 3, 3, 0},
    {"the last sends nothing", 3, 2, 0, 0, 2, 2, 0, 0, 2, 1},
};

}  // namespace

BOOST_DATA_TEST_CASE(transfers_leave_nodes, bdata::make(crossing_cases), c) {
  BOOST_TEST(crosses_if_several_nodes(c.stage, c.tensor_parallel, c.pipeline_parallel, c.node_devices) == c.if_several);
  BOOST_TEST(crosses_if_partner_is_elsewhere(c.stage, c.tensor_parallel, c.pipeline_parallel, c.node_devices) ==
             c.if_elsewhere);
}

BOOST_DATA_TEST_CASE(stages_hold_layers_and_send, bdata::make(stage_cases), c) {
  const Stages s = stages_of(10, 2, 4, {c.choice}, 4, crosses_if_partner_is_elsewhere, 0.5);
  BOOST_TEST(s.layers == c.layers);
  BOOST_TEST(s.transfers_inside == c.inside);
  BOOST_TEST(s.transfers_between == c.between);
  BOOST_TEST(s.most_layers == c.most);
  BOOST_TEST(s.most_layers_before[0] == c.before_last);
  BOOST_TEST(s.most_layers_before[1] == c.before_inside);
  BOOST_TEST(s.most_layers_before[2] == c.before_between);
  BOOST_TEST(s.fullest_layers == c.fullest);
  BOOST_TEST(s.fullest_embeddings == c.embeddings);
}

namespace {

struct EndCase {
  const char* why;
  double choice;
  double embeddings, outputs, first_layers;
};

// The same ten layers on four stages.
const EndCase end_cases[] = {
    {"all of them hold the embedding and the output layer, once", StageChoice::all, 1, 1, 3},
    {"the first holds the embedding", 0, 1, 0, 3},
    {"the second holds neither", 1, 0, 0, 0},
    {"the last holds the output layer", 3, 0, 1, 0},
};

}  // namespace

BOOST_DATA_TEST_CASE(the_first_stage_embeds_and_the_last_one_makes_logits, bdata::make(end_cases), c) {
  const Stages s = stages_of(10, 2, 4, {c.choice}, 4, crosses_if_partner_is_elsewhere, 0.5);
  BOOST_TEST(s.embeddings == c.embeddings);
  BOOST_TEST(s.outputs == c.outputs);
  BOOST_TEST(s.first_layers == c.first_layers);
  BOOST_TEST((s.first_transfer == (c.embeddings > 0 ? Transfer::inside_node : Transfer::none)));
}

BOOST_AUTO_TEST_CASE(one_stage_holds_both_embeddings) {
  const Stages s = stages_of(4, 1, 1, {}, 8, crosses_if_partner_is_elsewhere, 0.5);
  BOOST_TEST(s.fullest_embeddings == 2.0);
}

BOOST_AUTO_TEST_SUITE_END()
