#include "io/text_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include <fmt/core.h>

#include "io/diagnostic.hpp"

namespace dfsweep {

namespace {

constexpr std::size_t text_piece_bytes = std::size_t{1} << 16;

/// Closes its file descriptor, unless that is standard input.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ > STDIN_FILENO) ::close(number_);
  }
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

std::string shown_bytes(std::size_t bytes) {
  return fmt::format("{} MiB", bytes >> 20);
}

}  // namespace

std::string read_text_file(const std::filesystem::path& path, const std::string& shown, std::size_t max_bytes) {
  const auto failed = [&](const std::string& why, const std::string& hint) {
    throw UserError({{{shown, 0, 0}, "cannot be read", why, hint}});
  };
  const auto failed_with = [&](int error) { failed(std::generic_category().message(error), ""); };
  const Descriptor file(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0) failed_with(errno);
  struct stat info = {};
  if (::fstat(file.number(), &info) != 0) failed_with(errno);
  if (S_ISDIR(info.st_mode)) failed("it is a directory", "Name a file");
  if (S_ISBLK(info.st_mode) || (S_ISCHR(info.st_mode) && ::isatty(file.number()) == 0))
    failed("it is a device", "Name a file");
  std::string text;
  if (S_ISREG(info.st_mode)) text.reserve(std::min(static_cast<std::size_t>(info.st_size), max_bytes) + 1);
  for (;;) {
    const std::size_t before = text.size();
    text.resize(before + text_piece_bytes);
    const ssize_t got = ::read(file.number(), text.data() + before, text_piece_bytes);
    const int error = errno;
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0 && error != EINTR) failed_with(error);
    if (got == 0) return text;
    if (text.size() > max_bytes) failed("it holds more than " + shown_bytes(max_bytes), "");
  }
}

}  // namespace dfsweep
