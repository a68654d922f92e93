/// OperatorTable: measured times of one family that a device, an engine, its version, a kernel and formats share.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/operators/family.hpp"

namespace dfsweep::operators {

struct OperatorTable {
  Family family = Family::products;
  std::string system;
  std::string engine;  ///< or library: "vllm", "nccl"
  std::string version;
  std::string kernel;
  std::string format;          ///< of the products, of attention, of numbers that are exchanged
  std::string cache;           ///< format of the cache of attention
  std::string variant;         ///< what else is not a number: operation, module
  std::vector<float> keys;     ///< [row * number of keys + key]
  std::vector<float> seconds;  ///< [row]

  [[nodiscard]] std::size_t rows() const { return seconds.size(); }
};

[[nodiscard]] inline Keys keys_of(const OperatorTable& table, std::size_t row) {
  const std::size_t count = info_of(table.family).keys.size();
  Keys keys{};
  for (std::size_t k = 0; k < count; ++k) keys[k] = static_cast<double>(table.keys[row * count + k]);
  return keys;
}

}  // namespace dfsweep::operators
