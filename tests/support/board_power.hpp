/// Board power: what a device may draw, from its data sheet, where devices of its generation differ in it.
#pragma once

#include <string_view>

#include "models/units.hpp"

namespace dfsweep::testing {

struct BoardPower {
  std::string_view accelerator;
  double watts;
  std::string_view generation;
  double usual;  ///< watts of the generation for each PFLOP/s of the 8-bit peak
};

inline constexpr BoardPower board_powers[] = {
    {"B200", 1000, "Blackwell", 240},  {"GB200", 1200, "Blackwell", 240}, {"B300", 1100, "Blackwell", 240},
    {"GB300", 1400, "Blackwell", 240}, {"MI300X", 750, "CDNA 3", 380},    {"MI325X", 1000, "CDNA 3", 380},
    {"MI350X", 1000, "CDNA 4", 280},   {"MI355X", 1400, "CDNA 4", 280},
};

inline const BoardPower* board_power(std::string_view accelerator) {
  for (const BoardPower& board : board_powers)
    if (accelerator.starts_with(board.accelerator)) return &board;
  return nullptr;
}

/// Watts for each FLOP/s of the 8-bit peak over what is usual: clocks fall where the power of a device is used up.
inline double relative_power(std::string_view accelerator, Throughput peak_8bit) {
  const BoardPower* board = board_power(accelerator);
  if (board == nullptr) return 1.0;
  return board->watts / (peak_8bit.value() / 1e15) / board->usual;
}

}  // namespace dfsweep::testing
