/// The filters of a chunk: what HDF5 calls shuffle and deflate.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <numeric>

#include "io/chunk_filter.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(chunk_filter_test)

using namespace dfsweep;
namespace bdata = boost::unit_test::data;

namespace {

std::vector<std::byte> bytes_of(std::initializer_list<int> values) {
  std::vector<std::byte> bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

struct Case {
  const char* why;
  std::size_t bytes;
  std::size_t number_bytes;
  int level;
};
const Case cases[] = {{"bytes are not shuffled", 1000, 1, 1},
                      {"numbers of two bytes", 1000, 2, 6},
                      {"numbers of eight bytes", 8000, 8, 9},
                      {"one number", 8, 8, 1}};

}  // namespace

BOOST_DATA_TEST_CASE(what_is_compressed_comes_back, bdata::make(cases), c) {
  std::vector<std::byte> values(c.bytes);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::byte>(i / 3);
  const std::vector<std::byte> stored = compressed_chunk(values, c.number_bytes, c.level);
  BOOST_TEST(stored.size() <= max_compressed_bytes(c.bytes));
  BOOST_TEST((stored == compressed_chunk(values, c.number_bytes, c.level)));
  std::vector<std::byte> back(c.bytes);
  BOOST_REQUIRE(expand_chunk(stored, c.number_bytes, back));
  BOOST_TEST((back == values));
}

BOOST_AUTO_TEST_CASE(numbers_are_stored_byte_by_byte) {
  // Two numbers of four bytes, shuffled by hand; expanding them as single bytes shows the order in the file.
  const std::vector<std::byte> stored = compressed_chunk(bytes_of({1, 2, 3, 4, 5, 6, 7, 8}), 4, 1);
  std::vector<std::byte> shuffled(8);
  BOOST_REQUIRE(expand_chunk(stored, 1, shuffled));
  BOOST_TEST((shuffled == bytes_of({1, 5, 2, 6, 3, 7, 4, 8})));
  BOOST_TEST((stored[0] == std::byte{0x78}));  // the header of zlib, which HDF5 readers expect
}

BOOST_AUTO_TEST_CASE(bytes_of_another_chunk_are_refused) {
  const std::vector<std::byte> stored = compressed_chunk(std::vector<std::byte>(64), 8, 1);
  std::vector<std::byte> shorter(56);
  BOOST_TEST(!expand_chunk(stored, 8, shorter));
  std::vector<std::byte> longer(72);
  BOOST_TEST(!expand_chunk(stored, 8, longer));
  std::vector<std::byte> fitting(64);
  BOOST_TEST(!expand_chunk(std::span(stored).first(stored.size() - 1), 8, fitting));
  std::vector<std::byte> followed = stored;
  followed.push_back(std::byte{0});
  BOOST_TEST(!expand_chunk(followed, 8, fitting));
}

BOOST_AUTO_TEST_CASE(elements_of_several_numbers_have_numbers_of_64_bits) {
  BOOST_TEST(shuffled_bytes(1) == 1U);
  BOOST_TEST(shuffled_bytes(4) == 4U);
  BOOST_TEST(shuffled_bytes(8) == 8U);
  BOOST_TEST(shuffled_bytes(56) == 8U);  // seven counts of a reported point
}

BOOST_AUTO_TEST_SUITE_END()
