/// A library to preload that lets chosen allocations of a program fail: its main() is run once for each request.
///
/// The program is started once, with its libraries. Each line "FIRST LAST FOLDER" on standard input is answered by a
/// child that runs main() in FOLDER, where it leaves its output in `stdout` and `stderr`, and whose allocations FIRST
/// to LAST, counted from 1 at the start of main(), fail. The answer is "WAIT_STATUS ALLOCATIONS". With "-1 -1 FOLDER"
/// none fails, and the child writes a hash of the calls that led to each allocation, in their order, to `stacks`.
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

using Main = int (*)(int, char**, char**);
using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);

constexpr unsigned most_seconds = 60;   // a child that takes longer hangs; SIGALRM ends it
constexpr int most_calls = 128;         // that tell two stacks apart
constexpr long most_stacks = 1L << 24;  // that are recorded
constexpr long of_recording = -1;       // FIRST and LAST where stacks are recorded

/// Shared with the children, so that their allocations can be read when they have ended.
struct Counter {
  std::atomic<long> allocations{0};
  long first = 0;
  long last = 0;
};
Counter* counter = nullptr;
Main real_main = nullptr;

void* failing_caller = nullptr;   ///< who asked for the first allocation that failed
std::uint64_t* stacks = nullptr;  ///< of each allocation, where they are recorded
thread_local bool is_hashing = false;

/// FNV-1a over the return addresses, which are the same in each child.
std::uint64_t hash_of_stack() {
  void* calls[most_calls];
  std::uint64_t hash = 14695981039346656037U;
  const int count = backtrace(calls, most_calls);
  for (int i = 0; i < count; ++i) hash = (hash ^ reinterpret_cast<std::uintptr_t>(calls[i])) * 1099511628211U;
  return hash;
}

bool fails(void* caller) {
  if (counter == nullptr || is_hashing) return false;
  const long number = ++counter->allocations;
  if (stacks != nullptr && number <= most_stacks) {
    is_hashing = true;
    stacks[number - 1] = hash_of_stack();
    is_hashing = false;
  }
  if (number < counter->first || number > counter->last) return false;
  if (failing_caller == nullptr) failing_caller = caller;
  errno = ENOMEM;
  return true;
}

/// Writes where the process is, one line "LIBRARY(FUNCTION+OFFSET) [ADDRESS]" for each call, and then which call asked
/// for the first allocation that failed, without allocating.
void write_calls() {
  constexpr char heading[] = "the first allocation failed in\n";
  void* calls[64];
  backtrace_symbols_fd(calls, backtrace(calls, 64), STDERR_FILENO);
  if (write(STDERR_FILENO, heading, sizeof heading - 1) > 0) backtrace_symbols_fd(&failing_caller, 1, STDERR_FILENO);
}

void end_by_signal(int number) {
  counter = nullptr;
  write_calls();
  std::signal(number, SIG_DFL);
  std::raise(number);
}

/// Signals say where they came from, on a stack of their own.
void trace_signals() {
  static char stack[1 << 16];
  const stack_t own = {.ss_sp = stack, .ss_flags = 0, .ss_size = sizeof stack};
  sigaltstack(&own, nullptr);
  struct sigaction action = {};
  action.sa_handler = end_by_signal;
  action.sa_flags = SA_ONSTACK;
  for (const int number : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL}) sigaction(number, &action, nullptr);
}

void redirect(const char* path, int flags, int descriptor) {
  const int opened = open(path, flags, 0666);
  dup2(opened, descriptor);
  close(opened);
}

/// Maps the file `stacks` of the current folder, which grows with what is written.
void record_stacks() {
  const int file = open("stacks", O_RDWR | O_CREAT | O_TRUNC, 0666);
  constexpr std::size_t bytes = most_stacks * sizeof(std::uint64_t);
  if (ftruncate(file, bytes) != 0) _exit(EXIT_FAILURE);
  void* mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (mapped == MAP_FAILED) _exit(EXIT_FAILURE);
  stacks = static_cast<std::uint64_t*>(mapped);
  close(file);
}

int counted_main(void* shared, long first, long last, int argc, char** argv, char** environment) {
  counter = new (shared) Counter;
  counter->first = first;
  counter->last = last;
  return real_main(argc, argv, environment);
}

int serve(int argc, char** argv, char** environment) {
  void* shared = mmap(nullptr, sizeof(Counter), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return EXIT_FAILURE;
  void* call = nullptr;
  backtrace(&call, 1);  // loads what later calls need
  char folder[4096];
  long first = 0;
  long last = 0;
  const char* at_once = std::getenv("DFSWEEP_FAILING_ALLOCATIONS");
  if (at_once != nullptr && std::sscanf(at_once, "%ld %ld", &first, &last) == 2)
    return counted_main(shared, first, last, argc, argv, environment);
  while (std::scanf("%ld %ld %4095s", &first, &last, folder) == 3) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(most_seconds);
      if (chdir(folder) != 0) _exit(EXIT_FAILURE);
      redirect("/dev/null", O_RDONLY, STDIN_FILENO);
      redirect("stdout", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, STDOUT_FILENO);
      redirect("stderr", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, STDERR_FILENO);
      trace_signals();
      if (first == of_recording) record_stacks();
      return counted_main(shared, first, last, argc, argv, environment);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    std::printf("%d %ld\n", status, static_cast<Counter*>(shared)->allocations.load());
    std::fflush(stdout);
  }
  _exit(EXIT_SUCCESS);
}

}  // namespace

extern "C" {

/// Libraries call it; the return from main() does not.
void exit(int status) {
  if (counter != nullptr) {
    counter = nullptr;
    write_calls();
  }
  reinterpret_cast<void (*)(int)>(dlsym(RTLD_NEXT, "exit"))(status);
  __builtin_unreachable();
}

int __libc_start_main(Main main, int argc, char** argv, void (*init)(), void (*fini)(), void (*loader_fini)(),
                      void* stack) {
  real_main = main;
  const auto start = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"));
  return start(serve, argc, argv, init, fini, loader_fini, stack);
}

void* malloc(std::size_t size) {
  return fails(__builtin_return_address(0)) ? nullptr : __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  return fails(__builtin_return_address(0)) ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
  return fails(__builtin_return_address(0)) ? nullptr : __libc_realloc(old, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  return fails(__builtin_return_address(0)) ? nullptr : __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return memalign(alignment, size);
}
int posix_memalign(void** result, std::size_t alignment, std::size_t size) {
  *result = memalign(alignment, size);
  return *result == nullptr ? ENOMEM : 0;
}
}
