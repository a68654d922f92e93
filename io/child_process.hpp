/// ChildProcess: a forked copy of this process that answers messages; if it crashes or hangs, this process continues.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace dfsweep {

/// The child ended, used too much CPU time, or did not answer in time; `what()` says which: "Segmentation fault", "no
/// answer after 4 s of processor time", "no answer for 20 s".
class ChildFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class ChildProcess {
 public:
  /// Answers one message with another. Runs in the child; an exception ends the child.
  using Answer = std::function<std::vector<std::byte>(std::span<const std::byte>)>;

  /// Forks. The child answers until this object is destroyed or the parent dies; it may use at most a few gigabytes of
  /// memory, prints nothing and leaves no core file. One answer may use `processor_time` of CPU time (plus up to one
  /// second). CPU time is the limit because it does not grow on a busy machine or a slow disk. Throws IoError if fork
  /// fails.
  ChildProcess(const Answer& answer, std::chrono::seconds processor_time);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();

  /// Sends a message and waits for the answer. Not thread-safe. `timeout`: longest time without any byte from the
  /// child. Throws ChildFailed.
  [[nodiscard]] std::vector<std::byte> ask(std::span<const std::byte> message, std::chrono::milliseconds timeout);

 private:
  [[noreturn]] void fail_ended();
  [[noreturn]] void fail_timed_out(std::chrono::milliseconds timeout);

  std::chrono::seconds processor_time_;
  pid_t process_ = -1;
  int socket_ = -1;
};

}  // namespace dfsweep
