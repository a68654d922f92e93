/// Entry point: runs the command and maps exceptions to exit statuses.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "engine/cli/cli.hpp"
#include "engine/console/error_report.hpp"
#include "engine/console/out_of_memory.hpp"
#include "engine/console/output.hpp"
#include "io/file_system.hpp"

namespace {

/// Called before the initialisation of the libraries, which takes milliseconds and allocates.
///
/// Blocks the signals that stop a run until listen_for_signals(): a signal in that time must not kill the process.
void prepare_process(int count, char** arguments, char**) {
  dfsweep::end_when_out_of_memory();
  if (count < 2 || std::strcmp(arguments[1], "run") != 0) return;
  sigset_t asking;
  sigemptyset(&asking);
  for (const int signal : {SIGUSR1, SIGUSR2, SIGTERM, SIGINT, SIGHUP}) sigaddset(&asking, signal);
  sigprocmask(SIG_BLOCK, &asking, nullptr);
}
[[gnu::section(".preinit_array"), gnu::used]] void (*const before_libraries)(int, char**, char**) = prepare_process;

/// Opens closed standard streams on /dev/null, so that no data file gets descriptor 0, 1 or 2. Each is opened in the
/// wrong direction, so that its use still fails.
void reopen_closed_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(descriptor, F_GETFD) == -1 && errno == EBADF)
      static_cast<void>(open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY));
}

/// A closed pipe or a file that is too large then makes write() fail, and the error is reported.
void ignore_write_signals() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

/// `dfsweep show ... | head`: stdout is closed; ignore the error.
bool is_broken_pipe(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const dfsweep::IoError& found) {
    return found.error_number == EPIPE;
  } catch (...) {
    return false;
  }
}

int status_of(const std::exception_ptr& error) {
  const dfsweep::ErrorReport report = dfsweep::report_of(error);
  if (!is_broken_pipe(error)) std::fputs(report.text.c_str(), stderr);
  return static_cast<int>(report.status);
}

}  // namespace

int main(int argc, char** argv) {
  reopen_closed_descriptors();
  ignore_write_signals();
  try {
    const dfsweep::Action command =
        dfsweep::parse_command_line(std::vector<std::string>(argv + (argc > 0), argv + argc));
    const dfsweep::ExitStatus status = command();
    dfsweep::flush_results();
    return static_cast<int>(status);
  } catch (...) {
    return status_of(std::current_exception());
  }
}
