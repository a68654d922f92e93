/// Runs until a target, in the forms in which people and their tools write them.
#include "engine/fit/runs/batch_runs.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <fstream>

#include "io/diagnostic.hpp"
#include "tests/support/named_rows.hpp"
#include "tests/support/small_result.hpp"

BOOST_AUTO_TEST_SUITE(batch_runs_test)

using namespace dfsweep;
using namespace dfsweep::fit;
namespace bdata = boost::unit_test::data;

namespace {

struct FormCase {
  const char* why;
  const char* file;
  const char* text;
};

/// Each has a run of 64 sequences that reached its target at 1024, and one of 128 that missed it.
const FormCase form_cases[] = {
    {"commas, an empty cell", "a.csv", "global_batch,samples_to_target\n64,1024\n128,\n"},
    {"semicolons, a word", "a.csv", "global_batch;samples_to_target\n64;1024\n128;diverged\n"},
    {"another word", "a.csv", "global_batch,samples_to_target\n64,1024\n128,n/a\n"},
    {"an index", "a.csv", ",global_batch,samples_to_target\n0,64,1024\n1,128,\n"},
    {"JSON lines", "a.jsonl",
     "{\"global_batch\": 64, \"samples_to_target\": 1024}\n{\"global_batch\": 128, \"samples_to_target\": null}\n"},
    {"JSON lines of Python", "a.jsonl",
     "{\"samples_to_target\": 1024.0, \"global_batch\": 64}\n{\"samples_to_target\": NaN, \"global_batch\": 128}\n"},
};

}  // namespace

BOOST_DATA_TEST_CASE(every_form_gives_the_same_runs, bdata::make(form_cases), c) {
  const ScratchFile file(c.file);
  std::ofstream(file.path()) << c.text;
  const std::filesystem::path paths[] = {file.path()};
  const std::vector<BatchRunSet> sets = read_batch_runs(paths, {});
  BOOST_TEST_REQUIRE(sets.size() == 1U);
  BOOST_TEST_REQUIRE(sets.front().runs.size() == 2U);
  BOOST_TEST(sets.front().runs[0].batch == 64.0);
  BOOST_TEST(sets.front().runs[0].reached_at == 1024.0);
  BOOST_TEST(sets.front().runs[1].batch == 128.0);
  BOOST_TEST(sets.front().runs[1].failed_at == 0.0);
  BOOST_TEST(!(sets.front().runs[1].reached_at < 1e300));
}

BOOST_AUTO_TEST_CASE(other_texts_are_malformed) {
  const ScratchFile file("a.csv");
  std::ofstream(file.path()) << "global_batch,samples_to_target\n64,many\n";
  const std::filesystem::path paths[] = {file.path()};
  BOOST_CHECK_THROW(static_cast<void>(read_batch_runs(paths, {})), UserError);
}

BOOST_AUTO_TEST_SUITE_END()
