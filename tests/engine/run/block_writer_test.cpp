/// The pause between commits of journals: short where syncing is fast, so that readers of a run see its blocks soon.
#include "engine/run/block_writer.hpp"

#include <chrono>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(block_writer_test)

namespace {

using namespace dfsweep;
using namespace std::chrono_literals;

struct Case {
  std::chrono::milliseconds commit;
  std::chrono::milliseconds pause;
  const char* why;
};
constexpr Case cases[] = {
    {0ms, 100ms, "nothing was synced yet: the least pause"}, {5ms, 100ms, "20 x 5 ms"},
    {20ms, 400ms, "20 x 20 ms: a twentieth of the time"},    {50ms, 1000ms, "20 x 50 ms"},
    {5000ms, 1000ms, "a busy server: the greatest pause"},
};

BOOST_AUTO_TEST_CASE(pauses_are_twenty_commits_within_limits) {
  for (const Case& each : cases)
    BOOST_TEST((commit_pause(each.commit) == each.pause), each.commit.count() << " ms: " << each.why);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
