/// Number formats: what a chip multiplies a format in that it lacks, and the cache beside products of a format.
#include "models/machine/number_format.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "models/machine/system.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(number_format_test)

namespace bdata = boost::unit_test::data;
using namespace dfsweep;
using enum NumberFormat;

namespace {

struct FormatCase {
  const char* why;
  NumberFormats available;
  NumberFormat asked;
  NumberFormat computed;  ///< count: nothing
};

const FormatCase format_cases[] = {
    {"a V100 has fp16", {fp16}, fp16, fp16},
    {"a V100 has no bf16, and fp16 lacks its range", {fp16}, bf16, count},
    {"numbers of 8 bits fit into fp16", {fp16}, fp8, fp16},
    {"numbers of 4 bits fit into fp16", {fp16}, fp4, fp16},
    {"an A100 has no fp8", {fp16, bf16}, fp8, bf16},
    {"an H100 has no fp4, but fp8", {fp16, bf16, fp8, int8}, fp4, fp8},
    {"int4 does not become fp8", {fp16, bf16, fp8}, int4, bf16},
    {"int4 becomes int8", {fp16, bf16, int8}, int4, int8},
    {"a TPU v5p has int8 and no fp8", {bf16, int8}, fp8, bf16},
    {"a TPU v5p has int8", {bf16, int8}, int8, int8},
    {"XLA multiplies fp16 in bf16 on a TPU", {bf16, int8}, fp16, bf16},
    {"a B200 has fp4", {fp16, bf16, fp8, int8, fp4}, fp4, fp4},
};

}  // namespace

BOOST_DATA_TEST_CASE(a_format_falls_back_to_the_next_wider_one, bdata::make(format_cases)) {
  const std::optional<NumberFormat> found = computed_format(sample.asked, sample.available);
  BOOST_TEST((found.value_or(count) == sample.computed));
}

BOOST_AUTO_TEST_CASE(a_cache_that_is_not_given_has_8_or_16_bits) {
  for (const NumberFormat products : {fp16, bf16}) BOOST_TEST((usual_cache_format(products) == bf16));
  for (const NumberFormat products : {fp8, int8, fp4, int4}) BOOST_TEST((usual_cache_format(products) == fp8));
}

// A narrower format than the one asked for would be a gain that the chip does not have.
BOOST_AUTO_TEST_CASE(no_format_becomes_a_narrower_one) {
  for (const NumberFormat asked : all_of<NumberFormat>)
    for (unsigned bits = 0; bits < 64; ++bits) {
      NumberFormats available;
      for (const NumberFormat format : all_of<NumberFormat>)
        if ((bits >> index_of(format) & 1U) != 0) available.add(format);
      const std::optional<NumberFormat> found = computed_format(asked, available);
      if (!found) continue;
      BOOST_TEST(available.has(*found));
      BOOST_TEST(bytes_of_precision(*found) >= bytes_of_precision(asked));
    }
}

BOOST_AUTO_TEST_CASE(a_system_lists_its_formats_or_has_those_with_a_rate) {
  Entry entry;
  entry.numbers = {{"peak_flops", 1e15}, {"memory_bandwidth", 1e12}, {"memory_capacity", 1e11}, {"node_devices", 8}};
  BOOST_TEST((decode_system(entry).value.accelerator.formats == NumberFormats{fp16, bf16}));
  entry.numbers["peak_flops_8bit"] = 2e15;
  BOOST_TEST((decode_system(entry).value.accelerator.formats == NumberFormats{fp16, bf16, fp8, int8}));
  entry.text_lists["number_formats"] = {"bf16", "int8"};
  BOOST_TEST((decode_system(entry).value.accelerator.formats == NumberFormats{bf16, int8}));
  entry.text_lists["number_formats"] = {"bf16", "fp12"};
  const Decoded<System> wrong = decode_system(entry);
  BOOST_REQUIRE(wrong.problems.size() == 1u);
  BOOST_TEST(wrong.problems[0].problem == "'number_formats' holds 'fp12'");
  BOOST_TEST(wrong.problems[0].fields[0] == "number_formats[1]");
}

BOOST_AUTO_TEST_SUITE_END()
