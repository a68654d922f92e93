/// Stored sweeps: the version of the estimator that computed a result.
#include "engine/results/stored_sweep.hpp"

#include <boost/test/unit_test.hpp>

#include "engine/sweep/estimators.hpp"

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(stored_sweep_test)

BOOST_AUTO_TEST_CASE(a_result_of_another_version_is_named) {
  const Estimator* const training = find_estimator("training");
  BOOST_REQUIRE(training != nullptr);
  const auto text = [](const std::string& version) {
    return "[sweep]\nname = \"a  # version 0\"\nestimator = \"training\"  # version " + version + "\n\n[parameters]\n";
  };
  BOOST_TEST(other_version(text(std::to_string(training->version())), *training).empty());
  const std::string other = other_version(text("1"), *training);
  BOOST_TEST(other.starts_with("the result is of version 1 of 'training', which is version "), other);
  BOOST_TEST(other_version("[sweep]\nestimator = \"training\"\n", *training).empty());  // a file without a version
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
