/// Preloaded into the program: sends it the signal that EARLY_SIGNAL numbers while its libraries initialise themselves.
#include <csignal>
#include <cstdlib>

namespace {

[[gnu::constructor]] void signal_at_start() {
  if (const char* number = std::getenv("EARLY_SIGNAL")) static_cast<void>(std::raise(std::atoi(number)));
}

}  // namespace
