/// Child processes: their answers, and the error for each way in which a child fails to answer.
#include "io/child_process.hpp"

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <thread>

BOOST_AUTO_TEST_SUITE(child_process_test)

using namespace dfsweep;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

using Message = std::vector<std::byte>;

/// The reason of the failure of a child with this answer function; "it answers" if it does not fail.
std::string failure_of(const ChildProcess::Answer& answer, milliseconds timeout) {
  ChildProcess child(answer, seconds{1});
  try {
    (void)child.ask({}, timeout);
  } catch (const ChildFailed& failed) {
    return failed.what();
  }
  return "it answers";
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_message_has_its_answer) {
  ChildProcess child([](std::span<const std::byte> message) { return Message(message.rbegin(), message.rend()); },
                     seconds{1});
  for (const std::size_t size : {0UL, 1UL, 3UL, 1'000'000UL}) {
    Message message(size);
    for (std::size_t i = 0; i < size; ++i) message[i] = static_cast<std::byte>(i);
    BOOST_TEST((child.ask(message, seconds{20}) == Message(message.rbegin(), message.rend())));
  }
}

BOOST_AUTO_TEST_CASE(a_child_without_an_answer_says_why) {
  const auto crash = [](std::span<const std::byte>) -> Message {
    std::raise(SIGSEGV);
    return {};
  };
  const auto give_up = [](std::span<const std::byte>) -> Message { throw std::runtime_error("no"); };
  const auto sleep = [](std::span<const std::byte>) -> Message {
    std::this_thread::sleep_for(seconds{60});
    return {};
  };
  const auto compute = [](std::span<const std::byte>) -> Message {
    volatile std::uint64_t steps = 0;
    while (true) steps = steps + 1;
  };
  BOOST_TEST(failure_of(crash, seconds{20}) == "Segmentation fault");
  BOOST_TEST(failure_of(give_up, seconds{20}) == "it ended");
  BOOST_TEST(failure_of(sleep, milliseconds{50}) == "no answer for 0.05 s");
  BOOST_TEST(failure_of(compute, seconds{60}) == "no answer after 1 s of processor time");
}

BOOST_AUTO_TEST_CASE(each_answer_has_its_own_processor_time) {
  const auto compute_most_of_a_second = [](std::span<const std::byte>) -> Message {
    const std::clock_t begin = std::clock();
    while (std::clock() - begin < CLOCKS_PER_SEC * 8 / 10) {
    }
    return {std::byte{1}};
  };
  ChildProcess child(compute_most_of_a_second, seconds{1});
  for (int message = 0; message < 3; ++message) BOOST_TEST(child.ask({}, seconds{60}).size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_dead_child_stays_dead) {
  ChildProcess child([](std::span<const std::byte>) -> Message { throw std::runtime_error("no"); }, seconds{1});
  BOOST_CHECK_THROW((void)child.ask({}, seconds{20}), ChildFailed);
  BOOST_CHECK_EXCEPTION((void)child.ask({}, seconds{20}), ChildFailed,
                        [](const ChildFailed& failed) { return failed.what() == std::string("it ended"); });
}

BOOST_AUTO_TEST_SUITE_END()
