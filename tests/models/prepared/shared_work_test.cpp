/// SharedWork: every task once, results there on return, failures told to everybody.
#include "models/prepared/shared_work.hpp"

#include <array>
#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <thread>
#include <vector>

BOOST_AUTO_TEST_SUITE(shared_work_test)

using namespace dfsweep;

BOOST_AUTO_TEST_CASE(one_thread_does_all_tasks_once) {
  const SharedWork work(3);
  std::array<int, 3> done{};
  for (int calls = 0; calls < 2; ++calls) work.finish([&](std::size_t i) { ++done[i]; });
  BOOST_TEST(done[0] == 1);
  BOOST_TEST(done[1] == 1);
  BOOST_TEST(done[2] == 1);
}

BOOST_AUTO_TEST_CASE(no_tasks_are_done_at_once) {
  const SharedWork work(0);
  BOOST_TEST(work.is_done());
  work.finish([](std::size_t) { BOOST_ERROR("there is no task"); });
}

BOOST_AUTO_TEST_CASE(threads_share_tasks_and_see_all_results) {
  for (int round = 0; round < 100; ++round) {
    constexpr std::size_t tasks = 20;
    const SharedWork work(tasks);
    std::array<std::atomic<int>, tasks> calls{};
    std::array<int, tasks> results{};  // written by one thread, read by the others: the point of waiting
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&] {
        work.finish([&](std::size_t i) {
          ++calls[i];
          results[i] = static_cast<int>(i) + 1;
        });
        for (std::size_t i = 0; i < tasks; ++i) wrong += results[i] != static_cast<int>(i) + 1;
      });
    for (std::thread& thread : threads) thread.join();
    BOOST_TEST(wrong == 0);
    for (const std::atomic<int>& count : calls) BOOST_TEST(count == 1);
  }
}

BOOST_AUTO_TEST_CASE(a_failure_is_thrown_to_every_caller) {
  const SharedWork work(2);
  const auto fails_at_0 = [](std::size_t i) {
    if (i == 0) throw std::runtime_error("no");
  };
  BOOST_CHECK_THROW(work.finish(fails_at_0), std::runtime_error);
  BOOST_CHECK_THROW(work.finish(fails_at_0), LogicError);  // the other task is done, the first will never be
  BOOST_TEST(work.is_done());
}

BOOST_AUTO_TEST_SUITE_END()
