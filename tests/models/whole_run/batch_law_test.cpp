/// Samples to a target: the law, the grid of evaluations on which a run sees its end, and laws as entries.
#include "models/whole_run/batch_law.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "models/whole_run/batch_law_entry.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(batch_law_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::whole_run;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// E0 1000, Bc 100, q 1.2, no uncertainty but that of seeds.
BatchLaw plain_law() {
  BatchLaw law;
  law.samples = {1000.0, {1000.0, 1000.0}};
  law.critical_batch = {100.0, {100.0, 100.0}};
  law.four_bits = {1.2, {1.2, 1.2}};
  law.spread = {0.05, {0.05, 0.05}};
  law.batches = {10.0, 200.0};
  return law;
}

struct End {
  const char* why;
  double samples;
  double batch;
  EvaluationSchedule schedule;
  double observed;
  double evaluations;
};
const End ends[] = {
    {"at the first evaluation", 12'000, 16, {12'288, 12'288, 0, 0}, 12'288, 1},
    {"exactly at an evaluation", 24'576, 16, {12'288, 12'288, 0, 0}, 24'576, 2},
    {"just after one", 24'577, 16, {12'288, 12'288, 0, 0}, 36'864, 3},
    {"a later first evaluation", 2'000, 8, {1'536, 384, 0, 0}, 2'304, 3},
    {"batch 36 does not divide 12288: 342 steps, as the logs of such runs say",
     170'000,
     36,
     {12'288, 12'288, 0, 0},
     172'368,
     14},
    {"batch 1120 and 46080: 42 steps", 270'000, 1120, {46'080, 46'080, 0, 0}, 282'240, 6},
    {"without evaluations: whole steps", 1'001, 10, {}, 1'010, 0},
};

struct BadEntry {
  const char* why;
  std::map<std::string, double, std::less<>> numbers;
  std::map<std::string, std::vector<double>, std::less<>> lists;
  const char* field;
};
const BadEntry bad_entries[] = {
    {"no samples", {{"spread", 0.1}}, {{"range_batch", {1, 2}}}, "samples"},
    {"no spread", {{"samples", 10}}, {{"range_batch", {1, 2}}}, "spread"},
    {"no range of batches", {{"samples", 10}, {"spread", 0.1}}, {}, "range_batch"},
    {"a negative critical batch",
     {{"samples", 10}, {"spread", 0.1}, {"critical_batch", -1}},
     {{"range_batch", {1, 2}}},
     "critical_batch"},
    {"a range the wrong way round", {{"samples", 10}, {"spread", 0.1}}, {{"range_batch", {2, 1}}}, "range_batch"},
    {"an interval beside its value",
     {{"samples", 10}, {"spread", 0.1}},
     {{"range_batch", {1, 2}}, {"samples_interval", {11, 12}}},
     "samples_interval"},
    {"a confidence of 1",
     {{"samples", 10}, {"spread", 0.1}, {"interval_confidence", 1}},
     {{"range_batch", {1, 2}}},
     "interval_confidence"},
};

}  // namespace

BOOST_AUTO_TEST_CASE(samples_grow_with_the_batch_and_the_format) {
  const BatchLaw law = plain_law();
  BOOST_TEST(samples_at(law, 50, NumberFormat::fp8).median == 1500.0, tt::tolerance(1e-12));
  BOOST_TEST(samples_at(law, 100, NumberFormat::bf16).median == 2000.0, tt::tolerance(1e-12));
  BOOST_TEST(samples_at(law, 100, NumberFormat::fp4).median == 2400.0, tt::tolerance(1e-12));
  const Samples one = samples_at(law, 100, NumberFormat::fp8);
  BOOST_TEST(one.interval.low == 2000.0 * std::exp(-1.959964 * 0.05), tt::tolerance(1e-6));
  BOOST_TEST(one.interval.high == 2000.0 * std::exp(1.959964 * 0.05), tt::tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(what_is_not_identified_widens_or_is_unknown) {
  BatchLaw law = plain_law();
  law.critical_batch = {infinity, {100.0, infinity}};  // no batch of the runs cost anything, but 100 may
  BOOST_TEST(samples_at(law, 1e6, NumberFormat::fp8).median == 1000.0, tt::tolerance(1e-12));
  BOOST_TEST(samples_at(law, 100, NumberFormat::fp8).interval.high > 2000.0);
  BOOST_TEST(samples_at(law, 100, NumberFormat::fp8).interval.low > 900.0);
  law.four_bits = {};
  BOOST_TEST(!is_given(samples_at(law, 100, NumberFormat::fp4).median));
}

BOOST_DATA_TEST_CASE(a_run_ends_at_an_evaluation, bdata::make(ends), e) {
  const ObservedEnd end = observed_end(e.samples, e.batch, e.schedule);
  BOOST_TEST(end.samples == e.observed);
  BOOST_TEST(end.evaluations == e.evaluations);
}

BOOST_AUTO_TEST_CASE(evaluations_take_time_too) {
  const EvaluationSchedule schedule{1000, 1000, 300, 0.3};
  const ObservedEnd end = observed_end(1500, 10, schedule);
  BOOST_TEST(steps_of_run(end, 10, schedule) == 200.0 + 2.0 * 0.3 * 30.0, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(an_entry_says_what_was_written) {
  BatchLaw law = plain_law();
  law.critical_batch = {infinity, {250.0, infinity}};
  law.learning_rates = Interval{1e-4, 2e-4};
  law.target_loss = 3.3;
  law.sequence_length = 8192;
  law.runs = 12;
  law.evaluations = {2000, 1000, 0, usual_evaluation_share};
  const BatchLawFields fields = fields_of(law);
  Entry entry;
  for (const auto& [name, value] : fields.numbers) entry.numbers[name] = value;
  for (const auto& [name, values] : fields.lists) entry.lists[name] = values;
  const Decoded<BatchLaw> read = batch_law_of(entry);
  BOOST_REQUIRE(read.problems.empty());
  BOOST_TEST((read.value == law));
}

BOOST_DATA_TEST_CASE(what_is_no_law_is_refused, bdata::make(bad_entries), b) {
  Entry entry;
  entry.numbers = b.numbers;
  entry.lists = b.lists;
  const std::vector<EntryProblem> problems = batch_law_of(entry).problems;
  BOOST_REQUIRE(problems.size() == 1U);
  BOOST_TEST(problems[0].fields.at(0) == b.field);
}

BOOST_AUTO_TEST_SUITE_END()
