/// Suggestions: distances by hand, and what is near enough to be meant.
#include "io/suggestion.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(suggestion_test)

using namespace dfsweep;

BOOST_AUTO_TEST_CASE(distances_count_edits) {
  BOOST_TEST(edit_distance("", "abc") == 3);
  BOOST_TEST(edit_distance("kitten", "sitting") == 3);
  BOOST_TEST(edit_distance("siez", "size") == 1);  // two neighbours swapped
  BOOST_TEST(edit_distance("H100", "h100") == 0);  // case does not count
  BOOST_TEST(edit_distance("data-parallel", "data_parallel") == 0);
}

BOOST_AUTO_TEST_CASE(only_near_names_are_suggested) {
  const std::vector<std::string> names{"tensor_parallel", "pipeline_parallel", "data_parallel", "tp"};
  BOOST_TEST(nearest("tensor_paralel", names) == "tensor_parallel");
  BOOST_TEST(nearest("tpx", names) == "tp");
  BOOST_TEST(nearest("bandwidth", names).empty());
  BOOST_TEST(nearest("", names).empty());
  BOOST_TEST(did_you_mean("dta_parallel", names) == "Did you mean 'data_parallel'?");
  BOOST_TEST(did_you_mean("x", names, "Else") == "Else");
}

BOOST_AUTO_TEST_CASE(part_of_a_name_stands_for_the_names_that_have_it) {
  const std::vector<std::string> names{"lamda", "llama3-8b", "llama3-70b", "dgx-h100", "dgx_h200", "meta/opt-30b"};
  BOOST_TEST(did_you_mean("llama3", names) == "Did you mean one of llama3-8b, llama3-70b?");
  BOOST_TEST(did_you_mean("lama3", names) == "Did you mean one of llama3-8b, llama3-70b?");  // lamda: two edits
  BOOST_TEST(did_you_mean("dgx", names) == "Did you mean one of dgx-h100, dgx_h200?");
  BOOST_TEST(did_you_mean("llama", names) == "Did you mean one of llama3-8b, llama3-70b?");  // words and numbers
  BOOST_TEST(did_you_mean("H200", names) == "Did you mean 'dgx_h200'?");
  BOOST_TEST(did_you_mean("opt-30b", names) == "Did you mean 'meta/opt-30b'?");
  BOOST_TEST(did_you_mean("lamd", names) == "Did you mean 'lamda'?");  // a whole name is as near
  BOOST_TEST(did_you_mean("dg", names, "Else") == "Else");             // two letters are in too many words
  BOOST_TEST(did_you_mean("h", names, "Else") == "Else");
  const std::vector<std::string> many(9, "dgx-h100");
  BOOST_TEST(names_with_part("h100", many).size() == 9);
  BOOST_TEST(did_you_mean("Dgx-h100", many) == "Did you mean 'dgx-h100'?");
  BOOST_TEST(names_with_part(std::string(200, 'a'), names).empty());
}

BOOST_AUTO_TEST_SUITE_END()
