/// Axes of more values than codes can count: names keep the most frequent ones, numbers become a metric.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "engine/report/reduction/axis_coder.hpp"
#include "engine/report/reduction/subject.hpp"
#include "tests/support/small_result.hpp"

namespace dfsweep::report {

BOOST_AUTO_TEST_SUITE(survey_test)

namespace {

struct Surveyed {
  ScratchFile scratch{"result.h5"};
  DatasetReader file;
  Subject subject;
  explicit Surveyed(std::size_t most_values, std::size_t names)
      : file([&] {
          SmallResult rows(6);  // b three times, a twice, c once; d never
          rows.labels("requests", {"a", "b", "c", "d"}, {1, 0, 1, 2, 0, 1})
              .wholes("ways", {1, 2, 3, 4, 1, 2})
              .status({0, 0, 0, 0, 0, 2})
              .write(scratch.path());
          return scratch.path();
        }()),
        subject(survey(file, {}, 2, most_values, names)) {}
};

}  // namespace

BOOST_AUTO_TEST_CASE(names_beyond_the_limit_share_the_last_code) {
  const Surveyed two(2, 1);
  BOOST_REQUIRE_EQUAL(two.subject.axes.size(), 1U);
  const SubjectAxis& requests = two.subject.axes[0];
  BOOST_TEST(requests.has_rest);
  BOOST_TEST(requests.codes() == 2U);
  BOOST_TEST(requests.values == std::vector<double>{1.0}, boost::test_tools::per_element());
  AxisCoder coder(requests);
  BOOST_TEST(coder.code(1.0) == 0U);
  BOOST_TEST(coder.code(0.0) == 1U);
  BOOST_TEST(coder.code(2.0) == 1U);
  BOOST_TEST(coder.code(std::nan("")) == AxisCoder::no_code);
}

BOOST_AUTO_TEST_CASE(numbers_beyond_the_limit_are_a_metric) {
  const Surveyed two(2, 1);
  BOOST_REQUIRE_EQUAL(two.subject.metrics.size(), 1U);
  BOOST_TEST(two.subject.metrics[0].is_parameter);
  BOOST_TEST(two.subject.metrics[0].most == 4.0);  // of ok rows
}

BOOST_AUTO_TEST_CASE(within_the_limit_every_value_has_a_code) {
  const Surveyed all(4, 1);
  BOOST_REQUIRE_EQUAL(all.subject.axes.size(), 2U);
  BOOST_TEST(!all.subject.axes[0].has_rest);
  BOOST_TEST(all.subject.axes[0].values.size() == 3U);
  AxisCoder coder(all.subject.axes[0]);
  BOOST_TEST(coder.code(3.0) == AxisCoder::no_code);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep::report
