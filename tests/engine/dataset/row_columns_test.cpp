/// RowColumns: one label for each name, however often linked axes name it.
#include "engine/dataset/row_columns.hpp"

#include <boost/test/unit_test.hpp>

#include <cstring>

#include "tests/support/toy_sweep.hpp"

BOOST_AUTO_TEST_SUITE(row_columns_test)

namespace {

using namespace dfsweep;

std::vector<int> codes_of(const AxisColumn& column) {
  std::vector<int> codes;
  for (std::size_t at = 0; at < column.values.size(); at += sizeof(std::int16_t)) {
    std::int16_t code = 0;
    std::memcpy(&code, column.values.data() + at, sizeof code);
    codes.push_back(code);
  }
  return codes;
}

BOOST_AUTO_TEST_CASE(a_name_that_occurs_twice_in_linked_axes_is_one_label) {
  const ToySweep sweep("[[together]]\nflavour = ['rich', 'plain', 'rich']\nseed = [1, 2, 3]\n");
  const RowColumns columns = row_columns(sweep.plan);
  BOOST_REQUIRE(columns.axes.size() == 2U);
  const std::vector<std::string> labels = {"rich", "plain"};
  const std::vector<int> codes = {0, 1, 0};
  BOOST_TEST(columns.axes[0].labels == labels, boost::test_tools::per_element());
  BOOST_TEST(codes_of(columns.axes[0]) == codes, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(names_that_differ_keep_their_codes) {
  const ToySweep sweep("[parameters]\nflavour = ['odd', 'plain', 'rich']\n");
  const RowColumns columns = row_columns(sweep.plan);
  const std::vector<std::string> labels = {"odd", "plain", "rich"};
  const std::vector<int> codes = {0, 1, 2};
  BOOST_TEST(columns.axes.at(0).labels == labels, boost::test_tools::per_element());
  BOOST_TEST(codes_of(columns.axes[0]) == codes, boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
