/// Builders of published rows, and the check of their order.
#include "models/published_rows.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(published_rows_test)

using namespace dfsweep;
using namespace dfsweep::published;

namespace {

enum class Letter : ParameterIndex { a, b, count };
enum class Verdict : std::uint8_t { ok, failed, too_large, count };

using LetterRow = Row<Letter, ParameterInfo>;
constexpr std::string_view choices[] = {"x", "y"};

}  // namespace

BOOST_AUTO_TEST_CASE(only_rows_in_the_order_of_their_enumerators_pass) {
  const LetterRow a{Letter::a, named("a", "first")};
  const LetterRow b{Letter::b, named("b", "second")};
  BOOST_TEST(is_in_order(std::array{a, b}));
  BOOST_TEST(!is_in_order(std::array{b, a}), "exchanged");
  BOOST_TEST(!is_in_order(std::array{a}), "one is missing");
  BOOST_TEST(!is_in_order(std::array{a, a}), "one twice");
  BOOST_TEST(!is_in_order(std::array{a, b, b}), "one too many");
  BOOST_TEST(infos_of(std::array{a, b})[1].name == "b");
}

BOOST_AUTO_TEST_CASE(builders_set_what_they_are_named_after) {
  const ParameterInfo fixed = or_else(whole("n", 1, 8, "number of things"), "4");
  BOOST_TEST((fixed.kind == ParameterKind::integer && fixed.lowest == 1.0 && fixed.highest == 8.0));
  BOOST_TEST((fixed.absence == Absence::fallback && fixed.fallback == "4"));
  BOOST_TEST((named("n", "").absence == Absence::required));

  const ParameterInfo replaced = override_of("memory.bandwidth", real("b", "B/s", 1, 9, "rate"), "the memory's");
  BOOST_TEST(
      (replaced.kind == ParameterKind::real && replaced.unit == "B/s" && replaced.overrides == "memory.bandwidth"));
  BOOST_TEST((replaced.absence == Absence::from_entry && replaced.fallback == "the memory's"));

  const ParameterInfo chosen = choosable(choice_or_entry_of("c", choices, "mappings", "way"));
  BOOST_TEST((chosen.kind == ParameterKind::choice_or_entry && chosen.catalogue == "mappings" && chosen.accepts_best));
  BOOST_TEST(chosen.choices.size() == 2u);
  BOOST_TEST((text("t", "").kind == ParameterKind::text && entry_of("e", "devices", "").catalogue == "devices"));
}

BOOST_AUTO_TEST_CASE(metrics_are_valid_at_ok_and_where_they_say_so) {
  const MetricInfo plain = metric_of("t", "s", Better::lower, "time");
  BOOST_TEST(plain.valid_statuses == 1u);
  BOOST_TEST(also_at(plain, Verdict::too_large).valid_statuses == 0b101u);
  BOOST_TEST(also_at(plain, Verdict::failed, Verdict::too_large).valid_statuses == 0b111u);
  BOOST_TEST((!plain.may_not_apply && if_known(plain).may_not_apply));
  const MetricInfo flags = flags_of(plain, choices);
  BOOST_TEST((flags.type == MetricType::flags && flags.flags.size() == 2u));
}

BOOST_AUTO_TEST_SUITE_END()
