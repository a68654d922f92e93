/// Evidence: what the entries of a system and of a stack say of measurements.
#include "models/evidence.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(evidence_test)

namespace bdata = boost::unit_test::data;
using namespace dfsweep;

namespace {

struct EvidenceCase {
  const char* why;
  std::vector<std::string> measured_for;
  std::vector<std::string> measured_on;
  const char* evidence;
};

const EvidenceCase evidence_cases[] = {
    {"neither", {}, {}, "not_measured"},
    {"the stack on this chip", {"training"}, {"other", "chip"}, "stack_measured"},
    {"the stack on another chip", {"training"}, {"other"}, "accelerator_measured"},
    {"the stack on another chip, this one never", {}, {"other"}, "not_measured"},
    {"another question", {"serving"}, {}, "not_measured"},
};

}  // namespace

BOOST_DATA_TEST_CASE(evidence_follows_the_lists, bdata::make(evidence_cases)) {
  Entry chip;
  chip.name = "chip";
  if (!sample.measured_for.empty()) chip.text_lists["measured_for"] = sample.measured_for;
  Entry stack;
  if (!sample.measured_on.empty()) stack.text_lists["measured_on"] = sample.measured_on;
  ParameterValue unknown;
  ParameterValue of_chip;
  of_chip.entry = &chip;
  ParameterValue of_stack;
  of_stack.entry = &stack;
  const EvidenceTable table({{unknown, of_chip}}, {{unknown, of_stack}}, "training");
  BOOST_TEST(evidence_names[index_of(table.at(1, 1))] == sample.evidence);
  // Without an entry of the stack, the accelerator alone is known; without a system, nothing is.
  const bool has_runs = sample.measured_for == std::vector<std::string>{"training"};
  BOOST_TEST((table.at(1, 0) == (has_runs ? Evidence::accelerator_measured : Evidence::not_measured)));
  BOOST_TEST((table.at(0, 1) == Evidence::not_measured));
}

BOOST_AUTO_TEST_CASE(models_are_measured_where_a_stack_lists_them) {
  Entry seen, other, stack, silent;
  seen.name = "seen";
  other.name = "other";
  stack.text_lists["measured_models"] = {"seen"};
  ParameterValue none;
  const auto of = [](const Entry& entry) {
    ParameterValue value;
    value.entry = &entry;
    return value;
  };
  const MeasuredModels models({{of(seen), of(other)}}, {{of(stack), of(silent), none}});
  BOOST_TEST(models.has(0, 0));
  BOOST_TEST(!models.has(1, 0));
  // A stack without the list says nothing of models.
  BOOST_TEST(models.has(1, 1));
  BOOST_TEST(models.has(1, 2));
}

BOOST_AUTO_TEST_SUITE_END()
