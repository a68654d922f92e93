/// What a result needs on the disk, beside what is free.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <optional>
#include <string_view>

#include "engine/store/room.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(room_test)

using namespace dfsweep;
using namespace dfsweep::store;
namespace bdata = boost::unit_test::data;

namespace {

constexpr std::uint64_t giga = 1'000'000'000;

struct Row {
  const char* why;
  std::uint64_t result;
  std::optional<int> level;
  std::optional<std::uint64_t> free;
  std::string_view note;
};

const Row rows[] = {
    {"unknown", 40 * giga, std::nullopt, std::nullopt, ""},
    {"less than a tenth", 7 * giga, std::nullopt, 72 * giga, ""},
    {"more than a tenth", 40 * giga, std::nullopt, 72 * giga, "takes 40.0 GB of 72.0 GB that are free"},
    {"too much", 90 * giga, std::nullopt, 72 * giga, "needs 90.0 GB, but only 72.0 GB are free"},
    {"both forms take a fifth", 7 * giga, 1, 72 * giga,
     "takes 7.00 GB of 72.0 GB that are free, and up to 7.00 GB more while it is compressed"},
    {"both forms take less than a tenth", 3 * giga, 1, 72 * giga, ""},
    {"both forms may be too much", 40 * giga, 9, 72 * giga,
     "takes 40.0 GB of 72.0 GB that are free, and up to 40.0 GB more while it is compressed"},
    {"already the first is too much", 90 * giga, 1, 72 * giga, "needs 90.0 GB, but only 72.0 GB are free"},
};

}  // namespace

BOOST_DATA_TEST_CASE(the_note_names_what_is_needed_and_free, bdata::make(rows), row) {
  BOOST_TEST(room_note(room_needed(row.result, row.level), row.free) == row.note);
}

BOOST_AUTO_TEST_CASE(a_compressed_form_is_as_large_as_the_result_at_most) {
  BOOST_TEST(room_needed(5, 1).most() == 10U);
  BOOST_TEST(room_needed(5, std::nullopt).most() == 5U);
}

BOOST_AUTO_TEST_SUITE_END()
