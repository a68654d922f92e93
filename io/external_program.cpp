#include "io/external_program.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "io/file_system.hpp"

extern char** environ;

namespace dfsweep {
namespace {

class OwnedDescriptor {
 public:
  OwnedDescriptor(int number, const std::string& program) : number_(number) {
    if (number < 0) throw IoError("start", program, errno);
  }
  ~OwnedDescriptor() { close(); }
  OwnedDescriptor(const OwnedDescriptor&) = delete;
  OwnedDescriptor& operator=(const OwnedDescriptor&) = delete;
  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

/// A file in memory, because a program that does not read a pipe would block or end its writer.
void fill(const OwnedDescriptor& file, std::string_view text, const std::string& program) {
  while (!text.empty()) {
    const ssize_t count = ::write(file.number(), text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) throw IoError("start", program, errno);
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  if (::lseek(file.number(), 0, SEEK_SET) != 0) throw IoError("start", program, errno);
}

std::string read_all(int descriptor) {
  std::string text;
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

int exit_status(pid_t child) {
  int state = 0;
  while (::waitpid(child, &state, 0) < 0 && errno == EINTR) continue;
  return WIFSIGNALED(state) ? 128 + WTERMSIG(state) : WEXITSTATUS(state);
}

}  // namespace

ExternalResult run_external(const std::vector<std::string>& words, std::string_view input) {
  const std::string& program = words.front();
  const OwnedDescriptor source(::memfd_create("input", MFD_CLOEXEC), program);
  fill(source, input, program);
  std::array<int, 2> ends{-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw IoError("start", program, errno);
  const OwnedDescriptor reading(ends[0], program);
  OwnedDescriptor writing(ends[1], program);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, source.number(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, writing.number(), STDOUT_FILENO);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = -1;
  const int error = ::posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw IoError("start", program, error);
  writing.close();
  ExternalResult result;
  result.out = read_all(reading.number());
  result.status = exit_status(child);
  return result;
}

}  // namespace dfsweep
