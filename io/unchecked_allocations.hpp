/// Ends the process with a message where a library ignores a failed allocation.
#pragma once

namespace dfsweep {

/// Marks calls of this thread into a library that does not check all of its allocations. Where the library then
/// crashes, aborts or calls exit(), and `errno` says that an allocation has failed since the mark was set, the
/// new-handler is called as if `new` had failed. Files are as after a kill. Without a new-handler, or with another
/// `errno`, the process ends as it would have.
class UncheckedAllocations {
 public:
  UncheckedAllocations() noexcept;
  ~UncheckedAllocations();
  UncheckedAllocations(const UncheckedAllocations&) = delete;
  UncheckedAllocations& operator=(const UncheckedAllocations&) = delete;
};

}  // namespace dfsweep
