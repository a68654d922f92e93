#include "engine/console/out_of_memory.hpp"

#include <cxxabi.h>
#include <unistd.h>

#include <exception>
#include <new>
#include <string_view>
#include <typeinfo>

#include "engine/console/exit_status.hpp"

namespace dfsweep {

namespace {

[[noreturn]] void end_out_of_memory() {
  constexpr std::string_view text = "dfsweep: out of memory\n";
  static_cast<void>(::write(STDERR_FILENO, text.data(), text.size()));
  ::_exit(static_cast<int>(ExitStatus::internal_error));
}

/// Libraries with allocators of their own throw std::bad_alloc, also where no code can catch it.
[[noreturn]] void end_terminated() {
  const std::type_info* type = abi::__cxa_current_exception_type();
  if (type != nullptr && *type == typeid(std::bad_alloc)) end_out_of_memory();
  __gnu_cxx::__verbose_terminate_handler();
  ::_exit(static_cast<int>(ExitStatus::internal_error));
}

}  // namespace

void end_when_out_of_memory() noexcept {
  std::set_new_handler(end_out_of_memory);
  std::set_terminate(end_terminated);
}

}  // namespace dfsweep
