/// RAII handles of the HDF5 library, and its errors as exceptions.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include <hdf5.h>

#include "io/unchecked_allocations.hpp"

namespace dfsweep::hdf5 {

/// A failed library call, with the message of the library.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws Failure with the innermost message of this thread's error stack; where memory has run out, calls the
/// new-handler, and throws std::bad_alloc if there is no such handler.
[[noreturn]] void fail(const char* what);

/// Initialises the library. Where memory has run out: as fail().
void open_library();

/// Opens the library, disables its error printing during the lifetime (errors become exceptions instead), and marks its
/// calls as ones that do not check all of their allocations.
class Quiet {
 public:
  Quiet() {
    open_library();
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  const UncheckedAllocations unchecked_;
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

using Close = herr_t (*)(hid_t);

class Handle {
 public:
  Handle() = default;
  /// Takes ownership of an identifier; throws Failure, naming `what`, if it is invalid.
  Handle(hid_t id, Close closing, const char* what) : id_(id), close_(closing) {
    if (id < 0) fail(what);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  [[nodiscard]] hid_t id() const { return id_; }
  /// Closes and throws Failure on error; the destructor ignores errors.
  void close(const char* what) {
    if (id_ >= 0 && close_(std::exchange(id_, H5I_INVALID_HID)) < 0) fail(what);
  }

 private:
  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

inline void check(herr_t result, const char* what) {
  if (result < 0) fail(what);
}

/// The result of a call that fails with a negative one; throws Failure, naming `what`, where it failed.
template <class Result>
Result checked(Result result, const char* what) {
  if (result < 0) fail(what);
  return result;
}

}  // namespace dfsweep::hdf5
