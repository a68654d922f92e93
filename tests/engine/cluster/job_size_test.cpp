/// Cores, time and memory that a job asks for.
#include "engine/cluster/job_size.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <ostream>

BOOST_AUTO_TEST_SUITE(job_size_test)

namespace {

using namespace dfsweep;

constexpr std::uint64_t mebibyte = 1024 * 1024;

struct SizeCase {
  const char* reason;
  PlannedWork work;
  JobWishes wishes;
  std::uint32_t ranks;
  std::uint32_t threads;
  int minutes;
  std::uint64_t memory;  ///< MiB per core
};
std::ostream& operator<<(std::ostream& out, const SizeCase& c) {
  return out << c.reason;
}

PlannedWork work_of(double core_seconds, std::uint64_t blocks = 1000) {
  return {.core_seconds = core_seconds, .blocks = blocks, .result_bytes = 0, .process_bytes = 0};
}

const SizeCase sizes[] = {
    {"a minute on one core: 1.5 min and 10 min, in tens of minutes", work_of(60), {}, 1, 1, 20, 256},
    {"two hours on one core: two threads; 90 min and 10 min", work_of(7200), {}, 1, 2, 100, 128},
    {"sixteen hours: two ranks of eight threads; 90 min and 10 min", work_of(57600), {}, 2, 8, 100, 64},
    {"one second more needs a core more, and so a rank", work_of(57601), {}, 3, 8, 80, 64},
    {"no more ranks than blocks: 240 core hours on 24 cores are 15 h and 10 min",
     work_of(864000, 3),
     {},
     3,
     8,
     910,
     64},
    {"at most 64 ranks and a day", work_of(1e9), {}, 64, 8, 1440, 64},
    {"no estimate: all cores and a day",
     {.core_seconds = std::nullopt, .blocks = 5, .result_bytes = 0, .process_bytes = 0},
     {},
     5,
     8,
     1440,
     64},
    {"ranks and threads as asked: 3600 s on 12 cores are 7.5 min and 10 min",
     work_of(3600),
     {.ranks = 4, .threads = 3},
     4,
     3,
     20,
     128},
    {"a time as asked", work_of(3600), {.time = std::chrono::minutes(7)}, 1, 1, 7, 256},
    {"parts are processes: 8 h on 8 of one thread are 90 min and 10 min",
     work_of(28800),
     {.threads = 1, .parts = 8},
     1,
     1,
     100,
     256},
    {"memory: 1.5 x 100 MiB, four blocks of 10 MiB and 256 MiB are 446 MiB, in steps of 64 MiB",
     {.core_seconds = 1.0, .blocks = 10, .result_bytes = 100 * mebibyte, .process_bytes = 100 * mebibyte},
     {},
     1,
     1,
     20,
     448},
    {"threads share the memory of their rank: 446 MiB over 2",
     {.core_seconds = 1.0, .blocks = 10, .result_bytes = 100 * mebibyte, .process_bytes = 100 * mebibyte},
     {.threads = 2},
     1,
     2,
     20,
     256},
};

}  // namespace

BOOST_DATA_TEST_CASE(a_job_is_as_large_as_its_work, boost::unit_test::data::make(sizes), c) {
  const JobSize size = size_of_job(c.work, c.wishes);
  BOOST_TEST(size.ranks == c.ranks);
  BOOST_TEST(size.threads == c.threads);
  BOOST_TEST(size.time.count() == c.minutes);
  BOOST_TEST(size.memory_per_core == c.memory);
  BOOST_TEST(size.reasons.size() == 3U);
}

BOOST_AUTO_TEST_SUITE_END()
