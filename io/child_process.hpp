/// ChildProcess: a forked copy of this process that answers messages, and may die or hang without taking us along.
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

/// The child ended, computed or was silent for too long; `what()` says which: "Segmentation fault",
/// "no answer after 4 s of processor time", "no answer for 20 s".
class ChildFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class ChildProcess {
 public:
  /// Answers one message with another. Runs in the child; an exception ends the child.
  using Answer = std::function<std::vector<std::byte>(std::span<const std::byte>)>;

  /// Forks. The child answers until this object is destroyed or the parent dies; it holds at most a few gigabytes,
  /// prints nothing and leaves no core file. One answer may use `processor_time`, up to a second more: unlike time on
  /// the clock this does not run while a busy machine or a slow disk lets the child wait. Throws IoError where no
  /// process can be made.
  ChildProcess(const Answer& answer, std::chrono::seconds processor_time);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();

  /// Sends a message and waits for the answer; one at a time. Throws ChildFailed.
  [[nodiscard]] std::vector<std::byte> ask(std::span<const std::byte> message, std::chrono::milliseconds patience);

 private:
  [[noreturn]] void fail_dead();
  [[noreturn]] void fail_silent(std::chrono::milliseconds patience);

  std::chrono::seconds processor_time_;
  pid_t process_ = -1;
  int socket_ = -1;
};

}  // namespace dfsweep
