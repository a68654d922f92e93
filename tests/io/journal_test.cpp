/// Journal records: what comes back, and what is skipped.
#include <algorithm>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <stdexcept>
#include <string>

#include "io/journal.hpp"
#include "tests/support/bytes_in_memory.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(journal_test)

using namespace dfsweep;
namespace bdata = boost::unit_test::data;

namespace {

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  return {bytes.begin(), bytes.end()};
}

std::vector<std::byte> record(std::uint32_t block, std::string_view payload = "abc") {
  const std::vector<std::byte> bytes = bytes_of(payload);
  return encode_record(
      {.kind = RecordKind::candidates, .plan = {1, 2}, .block = block, .generation = 7, .payload = bytes});
}

std::vector<std::byte> operator+(std::vector<std::byte> a, const std::vector<std::byte>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

struct Case {
  const char* why;
  std::vector<std::byte> bytes;
  std::vector<std::uint32_t> blocks;
  std::uint64_t skipped;
};

std::vector<std::byte> cut(std::vector<std::byte> bytes, std::size_t length) {
  bytes.resize(length);
  return bytes;
}

const Case cases[] = {
    {"an empty journal", {}, {}, 0},
    {"two records", record(1) + record(2), {1, 2}, 0},
    {"garbage before, between and after",
     bytes_of("xx") + record(1) + bytes_of("DFSWREC1") + record(2) + bytes_of("DFSW"),
     {1, 2},
     14},
    {"a torn record with a new one behind it", cut(record(1), 60) + record(2), {2}, 60},
};

}  // namespace

BOOST_DATA_TEST_CASE(valid_records_are_found_wherever_they_are, bdata::make(cases), c) {
  for (const std::size_t piece :
       {std::size_t{1}, std::size_t{9}, std::size_t{64}, std::size_t{70}, journal_piece_bytes}) {
    std::vector<std::uint32_t> blocks;
    const auto use = [&](const JournalRecord& found, std::uint64_t) { blocks.push_back(found.block); };
    BOOST_TEST(scan_journal(BytesInMemory(c.bytes), use, piece) == c.skipped);
    BOOST_TEST(blocks == c.blocks, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(a_journal_is_read_in_pieces) {
  std::vector<std::byte> bytes;
  constexpr std::uint32_t records = 2000;  // of 67 bytes: 134 pieces of a thousand bytes
  for (std::uint32_t block = 0; block < records; ++block) bytes = bytes + record(block);
  const BytesInMemory journal(std::move(bytes));
  std::uint32_t next = 0;
  BOOST_TEST(scan_journal(
                 journal,
                 [&](const JournalRecord& found, std::uint64_t offset) {
                   if (found.block == next && offset == 67U * next + 48 && found.payload.size() == 3) ++next;
                 },
                 1000) == 0U);
  BOOST_TEST(next == records);
  BOOST_TEST(journal.most_read() == 1000U);
}

BOOST_AUTO_TEST_CASE(a_record_larger_than_a_piece_is_read_as_a_whole) {
  const std::string payload(5000, 'x');
  const BytesInMemory journal(record(1, payload) + bytes_of("xyz") + record(2));
  std::vector<std::size_t> sizes;
  BOOST_TEST(scan_journal(
                 journal, [&](const JournalRecord& found, std::uint64_t) { sizes.push_back(found.payload.size()); },
                 100) == 3U);
  BOOST_TEST(sizes == (std::vector<std::size_t>{5000, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_damaged_length_hides_no_other_record) {
  std::vector<std::byte> first = record(1);
  first[40] = std::byte{100};  // of 3 bytes: this length lies within the file
  const BytesInMemory journal(first + record(2) + record(3));
  std::vector<std::uint32_t> blocks;
  BOOST_TEST(scan_journal(
                 journal, [&](const JournalRecord& found, std::uint64_t) { blocks.push_back(found.block); }, 80) ==
             first.size());
  BOOST_TEST(blocks == (std::vector<std::uint32_t>{2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_record_comes_back_as_it_was) {
  const std::vector<std::byte> bytes = bytes_of("?") + record(3, "payload");
  scan_journal(BytesInMemory(bytes), [&](const JournalRecord& found, std::uint64_t offset) {
    BOOST_TEST((found.kind == RecordKind::candidates));
    BOOST_TEST((found.plan == Checksum{1, 2}));
    BOOST_TEST(found.generation == 7U);
    BOOST_TEST(offset == 49U);
    BOOST_TEST(std::memcmp(bytes.data() + offset, "payload", found.payload.size()) == 0);
  });
}

BOOST_AUTO_TEST_CASE(checksums_are_sixteen_bytes_each) {
  const std::vector<Checksum> checksums = {{1, 2}, {3, 4}};
  const std::vector<std::byte> payload = encode_checksums(checksums);
  BOOST_TEST(payload.size() == 32U);
  BOOST_TEST((decode_checksums(payload) == checksums));
  BOOST_TEST(decode_checksums(cut(payload, 31)).empty());
}

BOOST_AUTO_TEST_CASE(the_checksum_is_xxh3_128) {
  BOOST_TEST(xxh3_128_hex(std::string_view()) ==
             "99aa06d3014798d86001c324468d497f");  // xxHash's published value for no bytes
  ChecksumStream stream;
  const std::vector<std::byte> bytes = bytes_of("dfsweep");
  for (const std::byte& byte : bytes) stream.update({&byte, 1});
  BOOST_TEST((stream.digest() == xxh3_128(bytes)));
  BOOST_TEST((from_hex(to_hex(xxh3_128(bytes))) == xxh3_128(bytes)));
  BOOST_TEST(!from_hex("99aa").has_value());
  BOOST_TEST(!from_hex("g9aa06d3014798d86001c324468d497f").has_value());
}

BOOST_AUTO_TEST_SUITE_END()
