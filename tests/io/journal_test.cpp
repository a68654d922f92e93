/// Journal records: what comes back, and what is skipped.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cstring>

#include "io/journal.hpp"
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
  std::vector<std::uint32_t> blocks;
  BOOST_TEST(scan_journal(c.bytes, [&](const JournalRecord& found, std::uint64_t) { blocks.push_back(found.block); }) ==
             c.skipped);
  BOOST_TEST(blocks == c.blocks, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_record_comes_back_as_it_was) {
  const std::vector<std::byte> bytes = bytes_of("?") + record(3, "payload");
  scan_journal(bytes, [&](const JournalRecord& found, std::uint64_t offset) {
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
