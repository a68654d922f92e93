/// Parts of a fit as bytes for messages between ranks.
#pragma once

#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "engine/fit/runs/run_input.hpp"
#include "io/packing.hpp"

namespace dfsweep::fit {

/// Structures of numbers only, padding included.
template <class Struct>
void pack_plain(Packer& packer, std::span<const Struct> values) {
  static_assert(std::is_trivially_copyable_v<Struct>);
  packer.numbers(std::as_bytes(values));
}

template <class Struct>
[[nodiscard]] std::vector<Struct> unpack_plain(Unpacker& unpacker) {
  const std::vector<std::byte> bytes = unpacker.numbers<std::byte>();
  std::vector<Struct> values(bytes.size() / sizeof(Struct));
  if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

void pack(Packer& packer, const RunFindings& findings);
[[nodiscard]] RunFindings unpack_findings(Unpacker& from);

}  // namespace dfsweep::fit
