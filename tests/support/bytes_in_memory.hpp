/// BytesInMemory: a file for reading, in memory, that notes how much is read of it at once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "io/file_system.hpp"

namespace dfsweep {

class BytesInMemory final : public File {
 public:
  explicit BytesInMemory(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}
  std::size_t read_some(std::uint64_t offset, std::span<std::byte> to) const override {
    most_ = std::max(most_, to.size());
    const std::size_t count =
        std::min<std::size_t>(to.size(), bytes_.size() - std::min<std::size_t>(offset, bytes_.size()));
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), count, to.begin());
    return count;
  }
  [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }
  [[nodiscard]] std::size_t most_read() const { return most_; }
  void read_at(std::uint64_t, std::span<std::byte>) const override { throw std::logic_error("not read so"); }
  void write_at(std::uint64_t, std::span<const std::byte>) override { throw std::logic_error("not written"); }
  void append(std::span<const std::byte>) override { throw std::logic_error("not written"); }
  void truncate(std::uint64_t) override { throw std::logic_error("not written"); }
  void sync_data() override { throw std::logic_error("not written"); }

 private:
  std::vector<std::byte> bytes_;
  mutable std::size_t most_ = 0;
};

}  // namespace dfsweep
