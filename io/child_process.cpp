#include "io/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <ctime>

#include <fmt/core.h>

#include "io/file_system.hpp"

namespace dfsweep {

namespace {

constexpr std::uint64_t max_message_bytes = std::uint64_t{1} << 30;
constexpr rlim_t max_child_memory = rlim_t{8} << 30;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool can_limit_memory = false;  // sanitizers reserve terabytes of address space
#else
constexpr bool can_limit_memory = true;
#endif

enum class Transfer : std::uint8_t { done, ended, timed_out };

using Clock = std::chrono::steady_clock;

/// Transfers all bytes by `call(pointer, count)`; gives up when no byte has moved within `timeout`.
template <class Byte, class Call>
Transfer transfer(int socket, short events, std::span<Byte> bytes, std::chrono::milliseconds timeout,
                  const Call& call) {
  while (!bytes.empty()) {
    pollfd watched{.fd = socket, .events = events, .revents = 0};
    const Clock::time_point deadline = Clock::now() + timeout;
    int ready = 0;
    do {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
      ready = ::poll(&watched, 1, timeout.count() < 0 ? -1 : static_cast<int>(std::max<std::int64_t>(left, 0)));
    } while (ready < 0 && errno == EINTR);
    if (ready == 0) return Transfer::timed_out;
    const ssize_t count = call(bytes.data(), bytes.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) return Transfer::ended;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return Transfer::done;
}

Transfer send_all(int socket, std::span<const std::byte> bytes, std::chrono::milliseconds timeout) {
  return transfer(socket, POLLOUT, bytes, timeout, [&](const std::byte* data, std::size_t count) {
    return ::send(socket, data, count, MSG_NOSIGNAL | MSG_DONTWAIT);
  });
}

Transfer receive_all(int socket, std::span<std::byte> bytes, std::chrono::milliseconds timeout) {
  return transfer(socket, POLLIN, bytes, timeout,
                  [&](std::byte* data, std::size_t count) { return ::recv(socket, data, count, MSG_DONTWAIT); });
}

/// Message format: length, then bytes.
Transfer send_message(int socket, std::span<const std::byte> bytes, std::chrono::milliseconds timeout) {
  const std::uint64_t length = bytes.size();
  const Transfer sent = send_all(socket, std::as_bytes(std::span(&length, 1)), timeout);
  return sent == Transfer::done ? send_all(socket, bytes, timeout) : sent;
}

Transfer receive_message(int socket, std::vector<std::byte>& bytes, std::chrono::milliseconds timeout) {
  std::uint64_t length = 0;
  const Transfer received = receive_all(socket, std::as_writable_bytes(std::span(&length, 1)), timeout);
  if (received != Transfer::done) return received;
  if (length > max_message_bytes) return Transfer::ended;
  bytes.resize(length);
  return receive_all(socket, bytes, timeout);
}

void limit(int resource, rlim_t most) {
  rlimit found{};
  if (::getrlimit(static_cast<__rlimit_resource_t>(resource), &found) != 0) return;
  found.rlim_cur = std::min(found.rlim_cur, most);
  ::setrlimit(static_cast<__rlimit_resource_t>(resource), &found);
}

/// Ends this process by SIGXCPU after it has used `processor_time` more CPU time.
void limit_next_answer(std::chrono::seconds processor_time) {
  timespec used{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  rlimit found{};
  if (::getrlimit(RLIMIT_CPU, &found) != 0) return;
  const auto whole_seconds =
      static_cast<rlim_t>(used.tv_sec + 1 + processor_time.count());  // RLIMIT_CPU counts whole seconds
  found.rlim_cur = std::min(found.rlim_max, whole_seconds);
  ::setrlimit(RLIMIT_CPU, &found);
}

[[noreturn]] void serve(int socket, pid_t parent, const ChildProcess::Answer& answer,
                        std::chrono::seconds processor_time) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  for (const int signal :
       {SIGINT, SIGTERM, SIGUSR1, SIGHUP, SIGQUIT, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGXCPU})
    std::signal(signal, SIG_DFL);
  limit(RLIMIT_CORE, 0);
  if (can_limit_memory) limit(RLIMIT_DATA, max_child_memory);
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, descriptor);
  try {
    constexpr std::chrono::milliseconds forever{-1};
    std::vector<std::byte> message;
    while (receive_message(socket, message, forever) == Transfer::done) {
      limit_next_answer(processor_time);
      if (send_message(socket, answer(message), forever) != Transfer::done) break;
    }
  } catch (...) {  // the parent only needs to see that the child ended
  }
  ::_exit(1);
}

}  // namespace

ChildProcess::ChildProcess(const Answer& answer, std::chrono::seconds processor_time)
    : processor_time_(processor_time) {
  int sockets[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) throw IoError("connect to", "a child", errno);
  const pid_t parent = ::getpid();
  process_ = ::fork();
  if (process_ == 0) {
    ::close(sockets[0]);
    serve(sockets[1], parent, answer, processor_time);
  }
  const int error = errno;
  ::close(sockets[1]);
  socket_ = sockets[0];
  if (process_ > 0) return;
  ::close(socket_);
  throw IoError("start", "a child process", error);
}

ChildProcess::~ChildProcess() {
  ::close(socket_);
  if (process_ <= 0) return;
  ::kill(process_, SIGKILL);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void ChildProcess::fail_ended() {
  int status = 0;
  ::kill(process_, SIGKILL);  // the child has closed its socket: it has ended or is about to
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
    throw ChildFailed(fmt::format("no answer after {} s of processor time", processor_time_.count()));
  const bool is_ours = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  throw ChildFailed(WIFSIGNALED(status) && !is_ours ? ::strsignal(WTERMSIG(status)) : "it ended");
}

void ChildProcess::fail_timed_out(std::chrono::milliseconds timeout) {
  throw ChildFailed(fmt::format("no answer for {} s", static_cast<double>(timeout.count()) / 1e3));
}

std::vector<std::byte> ChildProcess::ask(std::span<const std::byte> message, std::chrono::milliseconds timeout) {
  if (process_ <= 0) throw ChildFailed("it ended");
  std::vector<std::byte> answer;
  Transfer moved = send_message(socket_, message, timeout);
  if (moved == Transfer::done) moved = receive_message(socket_, answer, timeout);
  if (moved == Transfer::ended) fail_ended();
  if (moved == Transfer::timed_out) fail_timed_out(timeout);
  return answer;
}

}  // namespace dfsweep
