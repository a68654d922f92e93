/// Rows of test tables bear the name of what they are there for: messages of Boost.Test show their `why` or, without
/// one, their `text`.
#pragma once

#include <boost/test/unit_test.hpp>
#include <ostream>
#include <string_view>

namespace dfsweep::testing {

template <class Row>
concept HasWhy = requires(const Row& row) {
  std::string_view(row.why);
};
template <class Row>
concept HasText = !HasWhy<Row> && requires(const Row& row) {
  std::string_view(row.text);
};

}  // namespace dfsweep::testing

namespace boost::test_tools::tt_detail {

template <dfsweep::testing::HasWhy Row>
struct print_log_value<Row> {
  void operator()(std::ostream& out, const Row& row) { out << row.why; }
};
template <dfsweep::testing::HasText Row>
struct print_log_value<Row> {
  void operator()(std::ostream& out, const Row& row) { out << row.text; }
};

}  // namespace boost::test_tools::tt_detail
