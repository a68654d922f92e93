/// Open addressing: numbers in the order of arrival, through growth and through keys that collide.
#include "models/open_addressing.hpp"

#include <boost/test/unit_test.hpp>
#include <map>

#include "models/hash_step.hpp"

BOOST_AUTO_TEST_SUITE(open_addressing_test)

using namespace dfsweep;

namespace {

struct Count {
  std::uint64_t key = 0;
  int seen = 0;
};

/// `bits`: how many of the hash are left, so that keys collide.
template <unsigned bits>
struct CountKeys {
  using Key = std::uint64_t;
  using Entry = Count;
  static std::uint64_t hash(std::uint64_t key) { return hash_step(0, key) & ((std::uint64_t{1} << bits) - 1); }
  static std::uint64_t key_of(const Count& count) { return count.key; }
  static Count entry_of(std::uint64_t key) { return {key, 0}; }
};

template <unsigned bits>
void check_against_a_map() {
  OpenAddressing<CountKeys<bits>> table;
  std::map<std::uint64_t, std::uint32_t> expected;
  BOOST_TEST(table.find(0) == table.none);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const std::uint64_t key = hash_step(7, i) % 300;
    const auto [place, is_new] = expected.emplace(key, static_cast<std::uint32_t>(expected.size()));
    BOOST_TEST_REQUIRE(table.find(key) == (is_new ? table.none : place->second));
    BOOST_TEST_REQUIRE(table.find_or_add(key) == place->second);
    ++table[place->second].seen;
  }
  BOOST_TEST(table.size() == expected.size());
  int seen = 0;
  for (const Count& each : table.entries()) seen += each.seen;
  BOOST_TEST(seen == 1000);
  BOOST_TEST(table.find(1000) == table.none);
}

}  // namespace

BOOST_AUTO_TEST_CASE(it_numbers_as_a_map_does) {
  check_against_a_map<64 - 1>();
  check_against_a_map<3>();  // eight different hashes only
  check_against_a_map<0>();  // one
}

BOOST_AUTO_TEST_SUITE_END()
