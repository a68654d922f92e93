/// Bytes of FlatBuffers, by hand from the specification; whole files are read by tests/cli/arrow_check.py.
#include "io/arrow/flat_table.hpp"

#include <boost/test/unit_test.hpp>

#include "io/arrow/arrow_writer.hpp"
#include "io/bitmap.hpp"

BOOST_AUTO_TEST_SUITE(flat_table_test)

using namespace dfsweep;

namespace {

std::vector<int> numbers(const std::vector<std::byte>& bytes) {
  std::vector<int> result;
  for (const std::byte one : bytes) result.push_back(static_cast<int>(one));
  return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_table_follows_the_places_of_its_fields) {
  // The root is 16 bytes from here; 10 bytes of places; the table has 6 bytes; fields 0 and 1 are left out, field 2
  // lies 4 bytes after the start; padding; the places are 12 bytes before the table; the value; padding.
  const std::vector<int> found = numbers(flat_buffer({{{2, std::int16_t{7}}}}));
  BOOST_TEST((found == std::vector<int>{16, 0, 0, 0, 10, 0, 6, 0, 0, 0, 0, 0, 4, 0, 0, 0, 12, 0, 0, 0, 7, 0, 0, 0}));
}

BOOST_AUTO_TEST_CASE(texts_have_a_length_and_a_zero) {
  const std::vector<int> found = numbers(flat_buffer({{{0, std::string("ab")}}}));
  // root, places (6 bytes of places, 8 of the table, field at 4), padding, table with an offset of 4, text
  BOOST_TEST((found == std::vector<int>{16, 0, 0, 0, 6, 0, 8, 0, 4, 0, 0, 0, 0,   0,   0, 0,
                                        12, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, 'a', 'b', 0, 0}));
}

BOOST_AUTO_TEST_CASE(structures_begin_at_a_multiple_of_eight) {
  const std::vector<int> found = numbers(flat_buffer({{{0, FlatStructs{2, {1, 2}}}}}));
  BOOST_TEST(found.size() == 48);
  BOOST_TEST(found[20] == 8);  // the offset of the vector: its count is at 28, its elements are at 32
  BOOST_TEST(found[28] == 1);
  BOOST_TEST(found[32] == 1);
  BOOST_TEST(found[40] == 2);
}

BOOST_AUTO_TEST_CASE(codes_have_as_few_bytes_as_the_labels_need) {
  struct Row {
    std::size_t labels;
    std::size_t bytes;
  };
  for (const Row& row : {Row{1, 1}, Row{128, 1}, Row{129, 2}, Row{32768, 2}, Row{32769, 4}}) {
    const ArrowColumn column{"x", ExportedType::label, std::vector<std::string>(row.labels)};
    BOOST_TEST(code_bytes(column) == row.bytes, row.labels);
  }
}

BOOST_AUTO_TEST_CASE(bits_are_appended_lowest_first) {
  std::vector<std::byte> bytes{std::byte{9}};
  const std::vector<std::uint8_t> flags{1, 0, 0, 0, 0, 0, 0, 1, 0, 1};
  append_bits(bytes, flags);
  BOOST_TEST((numbers(bytes) == std::vector<int>{9, 0x81, 0b10}));
}

BOOST_AUTO_TEST_SUITE_END()
