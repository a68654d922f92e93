/// Starting the program: fork, files for what it writes, exec.
#include "tests/support/program.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "tests/support/small_result.hpp"

namespace dfsweep {

namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void redirect(int descriptor, const std::string& path, int flags) {
  const int opened = open(path.c_str(), flags, 0600);
  if (opened < 0 || dup2(opened, descriptor) < 0) _exit(127);
  close(opened);
}

void redirect_output(OutputTo output, const std::string& path) {
  switch (output) {
    case OutputTo::captured:
      return redirect(STDOUT_FILENO, path, O_WRONLY | O_CREAT | O_TRUNC);
    case OutputTo::full_disk:
      return redirect(STDOUT_FILENO, "/dev/full", O_WRONLY);
    case OutputTo::closed:
      close(STDOUT_FILENO);
      return;
    case OutputTo::broken_pipe: {
      int ends[2];
      if (pipe(ends) != 0 || dup2(ends[1], STDOUT_FILENO) < 0) _exit(127);
      close(ends[0]);
      close(ends[1]);
      return;
    }
  }
}

std::vector<std::string> environment_of(const ProgramSetting& setting) {
  std::vector<std::string> variables;  // of a name that is there twice, programs read the first
  for (const auto& [name, value] : setting.environment) variables.push_back(name + "=" + value);
  variables.insert(variables.end(),
                   {"TERM=xterm", "PATH=" + std::string(std::getenv("PATH") ? std::getenv("PATH") : "")});
  for (const char* kept : {"HOME", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"})
    if (const char* value = std::getenv(kept)) variables.push_back(std::string(kept) + "=" + value);
  return variables;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

ProgramResult run_program(const std::string& program, const std::vector<std::string>& arguments,
                          const ProgramSetting& setting) {
  const ScratchFile scratch("out");
  const std::string out = scratch.path().string();
  const std::string err = (scratch.path().parent_path() / "err").string();
  const std::string in = (scratch.path().parent_path() / "in").string();
  std::ofstream(in, std::ios::binary) << setting.input;

  std::vector<std::string> words = {program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> variables = environment_of(setting);
  std::vector<char*> argv = pointers_to(words);
  std::vector<char*> envp = pointers_to(variables);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) {
    redirect(STDIN_FILENO, in, O_RDONLY);
    redirect(STDERR_FILENO, err, O_WRONLY | O_CREAT | O_TRUNC);
    redirect_output(setting.output, out);
    if (!setting.folder.empty() && chdir(setting.folder.c_str()) != 0) _exit(127);
    execve(program.c_str(), argv.data(), envp.data());
    _exit(127);
  }
  int state = 0;
  while (waitpid(child, &state, 0) < 0) continue;
  return {WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state), text_of(out), text_of(err)};
}

}  // namespace dfsweep
