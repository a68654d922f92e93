#include "io/unchecked_allocations.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace dfsweep {

namespace {

constexpr std::array crashes = {SIGSEGV, SIGBUS, SIGABRT};

/// How many marks of this thread live.
constinit thread_local int marks = 0;

std::array<struct sigaction, crashes.size()> former = {};

/// Only what a signal handler may do.
void end_if_out_of_memory() {
  if (marks == 0 || errno != ENOMEM) return;
  if (const std::new_handler handler = std::get_new_handler()) handler();
}

/// A signal that has another reason comes again, with its former action.
extern "C" void on_crash(int signal) {
  end_if_out_of_memory();
  for (std::size_t i = 0; i < crashes.size(); ++i)
    if (crashes[i] == signal) sigaction(signal, &former[i], nullptr);
  raise(signal);
}

bool listen() noexcept {
  struct sigaction action = {};
  action.sa_handler = on_crash;
  action.sa_flags = SA_ONSTACK;
  for (std::size_t i = 0; i < crashes.size(); ++i) sigaction(crashes[i], &action, &former[i]);
  return std::atexit(end_if_out_of_memory) == 0;
}

/// A crash may be an endless recursion, which leaves no stack for the handler.
void give_stack_for_signals() noexcept {
  alignas(std::max_align_t) static constinit thread_local std::array<std::byte, 16384> stack = {};
  stack_t former_stack = {};
  if (sigaltstack(nullptr, &former_stack) != 0 || (former_stack.ss_flags & SS_DISABLE) == 0) return;
  const stack_t own = {.ss_sp = stack.data(), .ss_flags = 0, .ss_size = stack.size()};
  sigaltstack(&own, nullptr);
}

}  // namespace

UncheckedAllocations::UncheckedAllocations() noexcept {
  static const bool is_listening = listen();
  static_cast<void>(is_listening);
  if (marks++ != 0) return;
  give_stack_for_signals();
  errno = 0;
}

UncheckedAllocations::~UncheckedAllocations() {
  --marks;
}

}  // namespace dfsweep
