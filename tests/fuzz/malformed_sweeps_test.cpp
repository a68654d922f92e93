/// 10 000 malformed sweep files: every one is either still valid or a UserError at a place in the file.
#include <boost/test/unit_test.hpp>

#include "engine/plan/plan.hpp"
#include "engine/sweep/read_sweep.hpp"
#include "tests/fuzz/mutator.hpp"
#include "tests/support/sweep_texts.hpp"

BOOST_AUTO_TEST_SUITE(malformed_sweeps_test)

using namespace dfsweep;

BOOST_AUTO_TEST_CASE(malformed_sweeps_are_errors_with_a_position) {
  const std::vector<std::string> valid = valid_sweeps();
  for (const std::string& text : valid) {
    const SweepSpec spec = read_sweep_text(text, "valid.toml", "", toy_reading());
    BOOST_TEST(Plan(spec, RowSource(spec)).row_count() > 0);
  }
  int refused = 0;
  for (std::uint64_t n = 0; n < 10'000; ++n) {
    const std::string text = mutant(valid, n);
    BOOST_TEST_INFO_SCOPE("mutant " << n << ":\n" << text.substr(0, 2000));
    try {
      const SweepSpec spec = read_sweep_text(text, "mutant.toml", "", toy_reading());
      const RowSource rows(spec);
      BOOST_REQUIRE(Plan(spec, rows).block_count() > 0);
    } catch (const UserError& error) {
      ++refused;
      BOOST_REQUIRE(!error.problems.empty());
      for (const Problem& problem : error.problems) {
        BOOST_REQUIRE_EQUAL(problem.at.file, "mutant.toml");
        BOOST_REQUIRE_GE(problem.at.line, 1);
        BOOST_REQUIRE_GE(problem.at.column, 1);
        BOOST_REQUIRE(!problem.problem.empty());
        BOOST_REQUIRE(to_string(problem).find('\n') == std::string::npos);
      }
    }
  }
  BOOST_TEST_MESSAGE(refused << " of 10000 mutants were refused, the others are valid");
  BOOST_TEST(refused > 8000);
}

BOOST_AUTO_TEST_SUITE_END()
