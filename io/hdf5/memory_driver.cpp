#include "io/hdf5/memory_driver.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <new>

namespace dfsweep::hdf5 {

namespace {

/// The file object of HDF5: the part of the library first, then that of this driver.
struct OpenFile {
  H5FD_t library_part = {};
  MemoryFile* file = nullptr;
  haddr_t end_of_allocation = 0;
};

/// Driver information of a file access list; HDF5 copies it with memcpy.
struct Target {
  MemoryFile* file;
};

OpenFile& opened(H5FD_t* file) {
  return *reinterpret_cast<OpenFile*>(file);
}
const OpenFile& opened(const H5FD_t* file) {
  return *reinterpret_cast<const OpenFile*>(file);
}

H5FD_t* open_file(const char* /*name*/, unsigned /*flags*/, hid_t file_access, haddr_t /*highest*/) {
  const auto* target = static_cast<const Target*>(H5Pget_driver_info(file_access));
  if (target == nullptr) return nullptr;
  auto* file = new (std::nothrow) OpenFile;
  if (file == nullptr) return nullptr;
  file->file = target->file;
  return &file->library_part;
}

herr_t close_file(H5FD_t* file) {
  delete &opened(file);
  return 0;
}

herr_t query(const H5FD_t* file, unsigned long* flags) {
  const bool has_hole = file != nullptr && opened(file).file->hole_end != 0;  // then each object is placed by itself
  *flags = has_hole ? 0 : H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}

/// Only of files with a hole.
haddr_t allocate(H5FD_t* file, H5FD_mem_t type, hid_t /*transfer*/, hsize_t size) {
  OpenFile& open = opened(file);
  MemoryFile& memory = *open.file;
  if (memory.fills_hole && type == H5FD_MEM_DRAW) {
    const haddr_t address = memory.hole + memory.filled;
    memory.filled += size;
    return address + size <= memory.hole_end ? address : HADDR_UNDEF;
  }
  const haddr_t end = open.end_of_allocation;
  const haddr_t address = type == H5FD_MEM_SUPER ? end : std::max<haddr_t>(end, memory.hole_end);
  open.end_of_allocation = address + size;
  return address;
}

haddr_t end_of_allocation(const H5FD_t* file, H5FD_mem_t /*type*/) {
  return opened(file).end_of_allocation;
}

herr_t set_end_of_allocation(H5FD_t* file, H5FD_mem_t /*type*/, haddr_t address) {
  opened(file).end_of_allocation = address;
  return 0;
}

haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t /*type*/) {
  return opened(file).file->size;
}

/// Calls use(page number, first byte in the page, bytes before this part, count) for each page of a range.
template <class Use>
void for_each_page(haddr_t address, std::size_t size, const Use& use) {
  std::size_t done = 0;
  while (done < size) {
    const std::uint64_t page = (address + done) / MemoryFile::page_bytes;
    const std::size_t within = static_cast<std::size_t>((address + done) % MemoryFile::page_bytes);
    const std::size_t count = std::min(size - done, MemoryFile::page_bytes - within);
    use(page, within, done, count);
    done += count;
  }
}

herr_t read(H5FD_t* file, H5FD_mem_t /*type*/, hid_t /*transfer*/, haddr_t address, std::size_t size, void* buffer) {
  const MemoryFile& memory = *opened(file).file;
  auto* bytes = static_cast<std::byte*>(buffer);
  for_each_page(address, size, [&](std::uint64_t page, std::size_t within, std::size_t done, std::size_t count) {
    const auto found = memory.pages.find(page);
    if (found == memory.pages.end())
      std::memset(bytes + done, 0, count);
    else
      std::memcpy(bytes + done, found->second.data() + within, count);
  });
  return 0;
}

herr_t write(H5FD_t* file, H5FD_mem_t /*type*/, hid_t /*transfer*/, haddr_t address, std::size_t size,
             const void* buffer) {
  MemoryFile& memory = *opened(file).file;
  if (address >= memory.hole && address + size <= memory.hole_end) return 0;
  try {
    put(memory, address, std::span(static_cast<const std::byte*>(buffer), size));
  } catch (const std::bad_alloc&) {  // exceptions must not propagate through C code
    return -1;
  }
  return 0;
}

herr_t truncate(H5FD_t* file, hid_t /*transfer*/, hbool_t /*closing*/) {
  opened(file).file->size = opened(file).end_of_allocation;
  return 0;
}

H5FD_class_t driver_class(const MemoryFile& file) {
  H5FD_class_t driver = {};
  driver.name = "dfsweep_memory";
  driver.maxaddr = std::numeric_limits<std::int64_t>::max();
  driver.fc_degree = H5F_CLOSE_STRONG;
  driver.fapl_size = sizeof(Target);
  driver.open = open_file;
  driver.close = close_file;
  driver.query = query;
  if (file.hole_end != 0) driver.alloc = allocate;
  driver.get_eoa = end_of_allocation;
  driver.set_eoa = set_end_of_allocation;
  driver.get_eof = end_of_file;
  driver.read = read;
  driver.write = write;
  driver.truncate = truncate;
  const H5FD_mem_t types[] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(types), std::end(types), std::begin(driver.fl_map));
  return driver;
}

}  // namespace

void put(MemoryFile& file, std::uint64_t offset, std::span<const std::byte> bytes) {
  for_each_page(offset, bytes.size(), [&](std::uint64_t page, std::size_t within, std::size_t done, std::size_t count) {
    std::memcpy(file.pages[page].data() + within, bytes.data() + done, count);
  });
  file.size = std::max<std::uint64_t>(file.size, offset + bytes.size());
}

Handle use_memory(hid_t file_access, MemoryFile& file) {
  const H5FD_class_t driver = driver_class(file);
  Handle registered(H5FDregister(&driver), H5FDunregister, "register the memory driver");
  const Target target{&file};
  check(H5Pset_driver(file_access, registered.id(), &target), "choose the memory driver");
  return registered;
}

}  // namespace dfsweep::hdf5
