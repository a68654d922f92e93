#include "io/hdf5/handle.hpp"

namespace dfsweep::hdf5 {

namespace {

herr_t keep_innermost(unsigned depth, const H5E_error2_t* error, void* text) {
  if (depth == 0 && error->desc != nullptr) *static_cast<std::string*>(text) = error->desc;
  return 0;
}

}  // namespace

void fail(const char* what) {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, &reason);
  throw Failure(std::string("HDF5: ") + what + (reason.empty() ? "" : ": " + reason));
}

}  // namespace dfsweep::hdf5
