/// Bytes of the parts of a Parquet file, by hand from the specification; whole files are read by
/// tests/cli/parquet_check.py.
#include "io/parquet/parquet_writer.hpp"

#include <array>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <boost/test/unit_test.hpp>

#include "io/parquet/delta_packing.hpp"
#include "io/parquet/thrift_writer.hpp"

BOOST_AUTO_TEST_SUITE(parquet_writer_test)

using namespace dfsweep;

namespace {

std::vector<int> numbers(const std::vector<std::byte>& bytes) {
  std::vector<int> result;
  for (const std::byte one : bytes) result.push_back(static_cast<int>(one));
  return result;
}

std::vector<int> numbers_of(const std::string& bytes) {
  return {reinterpret_cast<const unsigned char*>(bytes.data()),
          reinterpret_cast<const unsigned char*>(bytes.data()) + bytes.size()};
}

std::vector<int> hybrid(const std::vector<std::uint32_t>& codes, int width) {
  std::vector<std::byte> bytes;
  append_hybrid(bytes, codes, width);
  return numbers(bytes);
}

}  // namespace

BOOST_AUTO_TEST_CASE(varints_have_seven_bits_a_byte) {
  struct Row {
    std::uint64_t number;
    std::vector<int> bytes;
  };
  const Row rows[] = {{0, {0}}, {1, {1}}, {127, {127}}, {128, {0x80, 1}}, {300, {0xac, 2}}};
  for (const Row& row : rows) {
    std::vector<std::byte> bytes;
    append_varint(bytes, row.number);
    BOOST_TEST((numbers(bytes) == row.bytes), row.number);
  }
}

BOOST_AUTO_TEST_CASE(codes_are_runs_or_packed_groups) {
  // 0 to 7 with three bits is the example of the specification: 10001000 11000110 11111010.
  BOOST_TEST((hybrid({0, 1, 2, 3, 4, 5, 6, 7}, 3) == std::vector<int>{3, 0x88, 0xc6, 0xfa}));
  BOOST_TEST((hybrid(std::vector<std::uint32_t>(10, 4), 3) == std::vector<int>{20, 4}));
  BOOST_TEST((hybrid(std::vector<std::uint32_t>(9, 300), 9) == std::vector<int>{18, 300 & 0xff, 1}));
  BOOST_TEST((hybrid({1, 0, 1}, 1) == std::vector<int>{3, 0b101}));
  BOOST_TEST((hybrid({}, 5).empty()));
  // One group that is packed, then a run of nine that begins at a whole group.
  std::vector<std::uint32_t> mixed{1, 0, 1, 0, 1, 0, 1, 0};
  mixed.insert(mixed.end(), 9, 1);
  BOOST_TEST((hybrid(mixed, 1) == std::vector<int>{3, 0b01010101, 18, 1}));
}

BOOST_AUTO_TEST_CASE(fields_of_structures_are_steps_from_the_last) {
  ThriftWriter writer;
  writer.integer(1, -1);     // step 1, type 5; zigzag of -1 is 1
  writer.text(4, "ab");      // step 3, type 8
  writer.begin(30);          // step 26 does not fit: type 12, then zigzag of 30
  writer.boolean(2, false);  // step 2, type 2
  writer.end();
  writer.integers(31, std::array{1, 2});  // step 1, type 9; two elements of type 5
  writer.end();
  BOOST_TEST((numbers(writer.bytes()) ==
              std::vector<int>{0x15, 1, 0x38, 2, 'a', 'b', 0x0c, 60, 0x22, 0, 0x19, 0x25, 2, 4, 0}));
}

BOOST_AUTO_TEST_CASE(a_chunk_counts_rows_without_a_value) {
  const ParquetColumn column{"x", ExportedType::int32, {}};
  const std::vector<std::byte> plain(8);
  const std::vector<std::uint8_t> is_present{1, 0, 1};
  ParquetChunk chunk;
  encode_chunk(column, {.plain = plain, .codes = {}, .rows = 3, .is_present = is_present}, Compression::none, chunk);
  BOOST_TEST(chunk.rows == 3);
  BOOST_TEST(chunk.rows_without_value == 1);
  BOOST_TEST(chunk.dictionary_bytes == 0);
  // Levels: four bytes of size, one packed group of bits 101; the values follow.
  const std::vector<int> bytes = numbers(chunk.pages);
  BOOST_TEST((std::vector<int>(bytes.end() - 6, bytes.end()) == std::vector<int>{2, 0, 0, 0, 3, 0b101}));
  // The header says how many bytes the page has, with the values: 14.
  BOOST_TEST((std::vector<int>(bytes.begin() + 2, bytes.begin() + 6) == std::vector<int>{0x15, 28, 0x15, 28}));
}

BOOST_AUTO_TEST_CASE(bounds_are_the_least_and_the_greatest_value) {
  const auto bytes_of = [](double number) {
    const auto raw = std::as_bytes(std::span(&number, 1));
    return std::string(reinterpret_cast<const char*>(raw.data()), raw.size());
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> many(40, 5.0);  // more than are compared side by side
  many[0] = nan;
  many[21] = -3.0;
  many[39] = 8.0;
  struct Row {
    const char* reason;
    std::vector<double> numbers;
    std::optional<std::pair<double, double>> bounds;
  };
  const Row rows[] = {{"no number", {}, std::nullopt},
                      {"NaN has no order", {nan, nan}, std::nullopt},
                      {"one number", {2.0}, std::pair{2.0, 2.0}},
                      {"zeros of both signs", {0.0}, std::pair{-0.0, 0.0}},
                      {"infinite numbers", {infinity, nan, 1.0}, std::pair{1.0, infinity}},
                      {"all infinite", {infinity, infinity}, std::pair{infinity, infinity}},
                      {"many", many, std::pair{-3.0, 8.0}}};
  for (const Row& row : rows) {
    const auto found = bounds_of_numbers(ExportedType::float64, std::as_bytes(std::span(row.numbers)));
    BOOST_REQUIRE_EQUAL(found.has_value(), row.bounds.has_value());
    if (!found) continue;
    BOOST_TEST((found->least == bytes_of(row.bounds->first)), row.reason);
    BOOST_TEST((found->greatest == bytes_of(row.bounds->second)), row.reason);
  }
  // Points are numbers without a sign: 2^63 is more than 1.
  const std::vector<std::uint64_t> points{std::uint64_t{1} << 63, 1};
  const auto found = bounds_of_numbers(ExportedType::uint64, std::as_bytes(std::span(points)));
  BOOST_TEST((numbers_of(found->greatest) == std::vector<int>{0, 0, 0, 0, 0, 0, 0, 0x80}));
  BOOST_TEST((numbers_of(found->least) == std::vector<int>{1, 0, 0, 0, 0, 0, 0, 0}));
}

BOOST_AUTO_TEST_CASE(bounds_of_labels_are_those_that_occur) {
  const std::vector<std::string> labels{"b", "z", "a", "\xc3\xa4"};  // the last one is not ASCII
  const auto found = bounds_of_labels(labels, std::vector<std::uint32_t>{3, 0, 0});
  BOOST_TEST((found->least == "b" && found->greatest == labels[3]));
  BOOST_TEST(!bounds_of_labels(labels, {}).has_value());
}

BOOST_AUTO_TEST_CASE(differences_are_packed_in_blocks) {
  struct Row {
    const char* reason;
    std::vector<std::uint64_t> numbers;
    std::vector<int> bytes;
  };
  // The head: 128 numbers a block (0x80 1), 4 parts, how many numbers, the first one in zigzag.
  const std::uint64_t most = ~std::uint64_t{0};
  const Row rows[] = {
      {"no number", {}, {0x80, 1, 4, 0, 0}},
      {"one number, no block", {7}, {0x80, 1, 4, 1, 14}},
      {"the first example of the specification: steps of 1", {1, 2, 3, 4, 5}, {0x80, 1, 4, 5, 2, 2, 0, 0, 0, 0}},
      // The second one: steps -2, -2, -2, 1, 1 and 1, from the least on 0, 0, 0, 3, 3 and 3 in two bits.
      {"steps down and up", {7, 5, 3, 1, 2, 3, 4, 5}, {0x80, 1, 4, 8, 14, 3, 2, 0, 0, 0, 0xc0, 0x3f, 0, 0, 0, 0, 0, 0}},
      {"the largest step wraps", {0, most}, {0x80, 1, 4, 2, 0, 1, 0, 0, 0, 0}},
  };
  for (const Row& row : rows) {
    std::vector<std::byte> bytes;
    append_differences(bytes, row.numbers);
    BOOST_TEST((numbers(bytes) == row.bytes), row.reason);
  }
}

// Steps whose bits do not fit into the rest of a word: 0 and 2^40 - 1 in turn, 32 of them in 160 bytes.
BOOST_AUTO_TEST_CASE(wide_differences_go_on_in_the_next_word) {
  const std::uint64_t wide = (std::uint64_t{1} << 40) - 1;
  std::vector<std::uint64_t> sums{0};
  for (int i = 0; i < 32; ++i) sums.push_back(sums.back() + (i % 2 == 0 ? 0 : wide));
  std::vector<std::byte> bytes;
  append_differences(bytes, sums);
  const std::vector<int> found = numbers(bytes);
  const std::size_t head = 5 + 1 + 4;
  BOOST_REQUIRE_EQUAL(found.size(), head + 160);
  BOOST_TEST(found[head - 4] == 40);
  for (std::size_t i = head; i < found.size(); ++i) BOOST_TEST(found[i] == ((i - head) % 10 < 5 ? 0 : 0xff), i);
}

BOOST_AUTO_TEST_SUITE_END()
