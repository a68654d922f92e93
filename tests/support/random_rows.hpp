/// RandomRows: rows of a made-up dataflow result with ties, gaps, rejected and failed rows, and names meant to hurt.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tests/support/small_result.hpp"

namespace dfsweep {

struct RandomRows {
  std::vector<std::string> devices = {"</script><b>", "\"h100\" & co", "\xC3\xA4\n\x01"};
  std::vector<std::string> topologies = {"2d-torus", "never used", "dgx-1", "dgx-2"};
  std::vector<std::int64_t> ways = {1, 2, 8};
  std::vector<std::int16_t> device;  ///< [row] code, as all below
  std::vector<std::int16_t> topology;
  std::vector<std::int64_t> way;  ///< [row] value
  std::vector<std::uint8_t> status;
  std::vector<double> time;
  std::vector<double> utilization;
  std::vector<double> cost;

  /// `distinct`: values of a metric; few give many ties.
  RandomRows(std::size_t rows, std::uint32_t seed, std::uint32_t distinct) {
    std::mt19937 random(seed);
    const auto draw = [&](std::uint32_t below) { return static_cast<std::uint32_t>(random() % below); };
    const double none = std::nan("");
    for (std::size_t row = 0; row < rows; ++row) {
      device.push_back(static_cast<std::int16_t>(draw(3)));
      topology.push_back(static_cast<std::int16_t>(draw(3) == 0 ? 0 : 2 + draw(2)));
      way.push_back(ways[draw(3)]);
      status.push_back(draw(10) == 0 ? 2 : draw(100) == 0 ? 1 : 0);
      const bool is_ok = status.back() == 0;
      time.push_back(is_ok ? 1.0 + draw(distinct) : none);
      utilization.push_back(is_ok ? (draw(distinct)) / static_cast<double>(distinct) : none);
      cost.push_back(is_ok && draw(8) != 0 ? 100.0 * (1 + draw(distinct)) : none);
    }
  }
  [[nodiscard]] std::size_t size() const { return device.size(); }

  [[nodiscard]] SmallResult result() const {
    SmallResult all(size());
    all.labels("device", devices, device)
        .labels("topology", topologies, topology)
        .wholes("ways", way)
        .status(status)
        .metric("step_time", "s", "lower", time)
        .metric("utilization", "1", "higher", utilization)
        .metric("system_cost", "USD", "lower", cost)
        .fixed("model", std::string("<i>gpt</i>"));
    return all;
  }
};

}  // namespace dfsweep
