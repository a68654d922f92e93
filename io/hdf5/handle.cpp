#include "io/hdf5/handle.hpp"

#include <cerrno>
#include <new>

namespace dfsweep::hdf5 {

namespace {

/// More than what the library allocates for a file with the columns of a sweep.
constexpr std::size_t needed_bytes = std::size_t{4} << 20;

struct Reason {
  std::string innermost;
  bool is_memory = false;
};

herr_t keep_reason(unsigned depth, const H5E_error2_t* error, void* kept) {
  Reason& reason = *static_cast<Reason*>(kept);
  if (depth == 0 && error->desc != nullptr) reason.innermost = error->desc;
  if (error->maj_num == H5E_RESOURCE || error->min_num == H5E_NOSPACE || error->min_num == H5E_CANTALLOC)
    reason.is_memory = true;
  return 0;
}

/// As a failed `new`. The library does not clean up reliably after a failed allocation, so a handler that ends the
/// process has to be called before anything is closed.
[[noreturn]] void fail_out_of_memory() {
  if (const std::new_handler handler = std::get_new_handler()) handler();
  throw std::bad_alloc();
}

}  // namespace

void fail(const char* what) {
  const bool is_memory = errno == ENOMEM;
  Reason reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_reason, &reason);
  if (is_memory || reason.is_memory) fail_out_of_memory();
  throw Failure(std::string("HDF5: ") + what + (reason.innermost.empty() ? "" : ": " + reason.innermost));
}

void open_library() {
  // Files and handles are closed one by one. Closing the library at the end of the process loops and prints where
  // memory has run out.
  static const herr_t without_closing = H5dont_atexit();
  static_cast<void>(without_closing);
  // The library crashes, or ends the process, where some of its allocations fail. Memory that is free now makes that
  // unlikely.
  ::operator delete(::operator new(needed_bytes));
  if (H5open() < 0) fail_out_of_memory();
}

}  // namespace dfsweep::hdf5
