/// Crashes of a library in a child process: those after a failed allocation are reported by the new-handler, others
/// stay as they are.
#include "io/unchecked_allocations.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <iterator>
#include <new>
#include <optional>
#include <string>

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(unchecked_allocations_test)

namespace {

constexpr int reported = 74;

[[noreturn]] void report() {
  ::_exit(reported);
}

/// A library that recurs until its stack ends.
int recur(volatile int* from) {  // NOLINT(misc-no-recursion)
  if (*from < 0) return 0;
  volatile int here = *from + 1;
  return recur(&here) + here;
}

void overflow_stack() {
  volatile int start = 0;
  static_cast<void>(recur(&start));
}

struct Case {
  const char* name;
  bool is_marked;
  int error;
  void (*act)();
  int signal;  ///< that ends the child; 0: it exits
  int code;
};

const Case cases[] = {
    {"an invalid address after a failed allocation", true, ENOMEM, [] { raise(SIGSEGV); }, 0, reported},
    {"an endless recursion after a failed allocation", true, ENOMEM, overflow_stack, 0, reported},
    {"abort() after a failed allocation", true, ENOMEM, [] { std::abort(); }, 0, reported},
    {"exit() after a failed allocation", true, ENOMEM, [] { std::exit(255); }, 0, reported},
    {"a crash for another reason is a crash", true, 0, [] { raise(SIGSEGV); }, SIGSEGV, 0},
    {"an abort for another reason is one", true, EIO, [] { std::abort(); }, SIGABRT, 0},
    {"outside of the library, memory is no excuse", false, ENOMEM, [] { raise(SIGSEGV); }, SIGSEGV, 0},
    {"what does not fail goes on", true, ENOMEM, [] {}, 0, 0},
};

constexpr const char* chosen = "DFSWEEP_CHOSEN_CASE";

/// The wait status of this program, started again for one case and without the signal handlers of Boost.Test.
int end_of(std::size_t index) {
  const std::string number = std::to_string(index);
  const pid_t child = fork();
  if (child == 0) {
    const rlimit no_core = {.rlim_cur = 0, .rlim_max = 0};
    setrlimit(RLIMIT_CORE, &no_core);
    setenv(chosen, number.c_str(), 1);
    execl("/proc/self/exe", "tests", "--run_test=unchecked_allocations_test/one_case", "--catch_system_errors=no",
          nullptr);
    ::_exit(1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

}  // namespace

/// What end_of() starts; nothing where it does not.
BOOST_AUTO_TEST_CASE(one_case) {
  const char* number = std::getenv(chosen);
  if (number == nullptr) return;
  const Case& row = cases[static_cast<std::size_t>(std::atoi(number))];
  std::set_new_handler(report);
  std::optional<UncheckedAllocations> mark(std::in_place);
  if (!row.is_marked) mark.reset();
  errno = row.error;
  row.act();
  ::_exit(0);
}

BOOST_AUTO_TEST_CASE(only_crashes_after_failed_allocations_are_reported) {
  for (std::size_t i = 0; i < std::size(cases); ++i) {
    BOOST_TEST_CONTEXT(cases[i].name) {
      const int status = end_of(i);
      BOOST_TEST((WIFSIGNALED(status) ? WTERMSIG(status) : 0) == cases[i].signal);
      BOOST_TEST((WIFEXITED(status) ? WEXITSTATUS(status) : 0) == cases[i].code);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
